import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../support/network/listen.js';
import type { PetStore } from './pets.js';
import type { Behaviour, Change, Exchange } from './behaviour.js';
import { makeDefaultBehaviour } from './default-behaviour.js';
import { mutants, type MutantId } from '../mutants/index.js';
import { findOperation, handleExchange } from './handle-exchange.js';
import { variants, type VariantId } from '../variants/index.js';

export interface MutationServerOptions {
  /** Mutants to plant, all at once, on top of the variant. Default: none. */
  mutants?: readonly MutantId[];
  /** The legal server they are planted in. Default: the strict one of `default-behaviour.ts`. */
  variant?: VariantId;
  /** Default: `Mutation-Key-7f3Qz`. */
  apiKey?: string;
  /** Where the pets are. Default: `/pets` below `/v1`. */
  at?: MountPoint;
}

/** Where a petstore by other names has what the interface has at `/v1/pets`. */
export interface MountPoint {
  readonly base: string;
  readonly list: string;
}

export interface MutationServer {
  /** The base URL; ends in `/v1`, or in the base path that was given. */
  readonly url: string;
  readonly apiKey: string;
  /** How many requests arrived so far. */
  readonly requests: number;
  /** Each of them by method and target, as it came. */
  readonly arrived: readonly string[];
  /** What the mutation server's own code threw; anything in here is a bug of the mutation server. */
  readonly crashes: readonly unknown[];
  close(): Promise<void>;
}

const USUAL: MountPoint = { base: '/v1', list: '/pets' };

/**
 * Starts a petstore server on a free port of the loopback interface. It is
 * legal unless mutants are planted.
 *
 * @example
 * const server = await startMutationServer({ mutants: ['limit-one-more'], variant: 'newest-first' });
 */
export async function startMutationServer(options: MutationServerOptions = {}): Promise<MutationServer> {
  const planted = (options.mutants ?? []).map((id) => mutants[id]);
  const changes = [
    ...(options.variant === undefined ? [] : [variants[options.variant].change]),
    // Everything a mutant needs in order to be seen is legal, and comes before what breaks.
    ...planted.flatMap((mutant) => (mutant.needs === undefined ? [] : [mutant.needs])),
    ...planted.map((mutant) => mutant.change),
  ];
  return startWith(changes, options.apiKey, options.at);
}

/** {@link startMutationServer} with changes that are in no registry. */
export async function startWith(
  changes: readonly Change[],
  apiKey = 'Mutation-Key-7f3Qz',
  at = USUAL,
): Promise<MutationServer> {
  let behaviour: Behaviour = makeDefaultBehaviour(apiKey);
  for (const change of changes) behaviour = extend(behaviour, change);
  const store: PetStore = { pets: behaviour.seed() };
  const crashes: unknown[] = [];
  const arrived: string[] = [];

  const server = createServer(async (request, response) => {
    arrived.push(`${request.method ?? 'GET'} ${request.url ?? ''}`);
    try {
      const exchange = await readExchange(request, at, { number: arrived.length, store, server: behaviour });
      await behaviour.send(await handleExchange(exchange), exchange, response);
    } catch (error) {
      fail(error, request, response, crashes);
    }
  });
  behaviour.tuneServer(server);
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}${at.base}`,
    apiKey,
    get requests() {
      return arrived.length;
    },
    arrived,
    crashes,
    close,
  };
}

function extend(base: Behaviour, change: Change): Behaviour {
  return { ...base, ...change(base) };
}

async function readExchange(
  request: IncomingMessage,
  at: MountPoint,
  context: Pick<Exchange, 'number' | 'store' | 'server'>,
): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? 'GET';
  // The target may be a whole URL (RFC 9112 section 3.2.2).
  const origin = /^https?:\/\/[^/?]*/i.exec(request.url ?? '')?.[0] ?? '';
  const [target = '', query = ''] = (request.url ?? '').slice(origin.length).split(/\?(.*)/s);
  // Outside the base path there is no operation, whatever follows.
  const path = target.startsWith(`${at.base}/`) ? readUsual(target.slice(at.base.length), at) : '';
  return {
    ...context,
    method,
    path,
    query: new URLSearchParams(query),
    rawQuery: query,
    target: request.url ?? '',
    headers: request.headers,
    fieldNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
    body: Buffer.concat(chunks),
    pieces: chunks,
    operation: findOperation(method, path),
    connection: request.socket,
  };
}

/** The path that the interface has for one of this place. */
function readUsual(path: string, { list }: MountPoint): string {
  if (path === list || path.startsWith(`${list}/`)) return `${USUAL.list}${path.slice(list.length)}`;
  return path.startsWith(USUAL.list) ? '' : path;
}

function fail(error: unknown, request: IncomingMessage, response: ServerResponse, crashes: unknown[]): void {
  // A client that hung up while it was sending is no bug of ours.
  if (request.destroyed && !request.complete) return;
  crashes.push(error);
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"code":"internal","message":"The mutation server crashed.","status":500}');
}
