import type { Exchange, OperationId } from './behaviour.js';
import { Refusal, type EncodedReply, type Reply } from './replies.js';

/** Which operation a method and a path below the base path name. */
export function findOperation(method: string, path: string): OperationId | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === '/pets') return isRead ? 'listPets' : method === 'POST' ? 'createPet' : undefined;
  return isRead && /^\/pets\/[^/]+$/.test(path) ? 'getPet' : undefined;
}

/** The server from request to bytes; reads top to bottom. */
export async function handleExchange(exchange: Exchange): Promise<EncodedReply> {
  const { server } = exchange;
  const outcome = await answer(exchange);
  const reply = outcome instanceof Refusal ? printRefusal(outcome, exchange) : outcome;
  return server.encode(server.shape(reply, exchange), exchange);
}

async function answer(exchange: Exchange): Promise<Reply | Refusal> {
  const { server, operation } = exchange;
  const intercepted = await server.intercept(exchange);
  if (intercepted !== undefined) return intercepted;
  if (operation === undefined) return server.refuseRoute(exchange);
  if (!server.hasValidKey(exchange)) return server.refuseKey(exchange);
  return operations[operation](exchange);
}

const operations: Record<OperationId, (exchange: Exchange) => Reply | Refusal | Promise<Reply | Refusal>> = {
  listPets,
  createPet,
  getPet,
};

function listPets(exchange: Exchange): Reply | Refusal {
  const { server, store, query } = exchange;
  const limit = server.readLimit(query.getAll('limit'), exchange);
  if (limit instanceof Refusal) return limit;
  const status = server.readStatusFilter(query.getAll('status'), exchange);
  if (status instanceof Refusal) return status;
  const page = server.choosePage(server.inListOrder(store, exchange), { limit, status }, exchange);
  return { status: 200, headers: {}, json: page.map((pet) => server.printPet(pet, exchange)) };
}

async function createPet(exchange: Exchange): Promise<Reply | Refusal> {
  const { server } = exchange;
  const body = server.parseBody(exchange);
  if (body instanceof Refusal) return body;
  const pet = server.readNewPet(body, exchange);
  if (pet instanceof Refusal) return pet;
  const created = await server.createPet(pet, exchange);
  return { status: 201, headers: {}, json: server.printPet(created, exchange) };
}

function getPet(exchange: Exchange): Reply | Refusal {
  const { server } = exchange;
  const id = server.readPetId(readLastSegment(exchange.path), exchange);
  if (id instanceof Refusal) return id;
  const pet = server.findPet(id, exchange);
  if (pet === undefined) return new Refusal(404, 'not_found', 'There is no such pet.');
  return { status: 200, headers: {}, json: server.printPet(pet, exchange) };
}

/** A bad percent escape stays as it is, and is then no identifier. */
function readLastSegment(path: string): string {
  const segment = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The answer that a refusal becomes. */
export function printRefusal(refusal: Refusal, exchange: Exchange): Reply {
  const { status, headers } = refusal;
  return { status, headers, json: exchange.server.printError(refusal, exchange) };
}
