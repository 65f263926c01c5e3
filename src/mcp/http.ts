import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Worlds } from '../mock/world/worlds.js';
import { guard, rejectMessage, type AdminAccess, type Rejected } from '../server/admin/guard.js';
import { createHandles, throughGate } from '../server/handles/create-handles.js';
import { readBodyBytes } from '../server/http/middleware.js';
import { DEFAULT_API_KEY } from '../server/options.js';
import { createMcpServer } from './create-server.js';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport, type Server } from './sdk.js';
import { createDesk, type Desk, enterOf } from './session.js';
import { randomUUID } from 'node:crypto';

/** The mock whose tools are served, and who may use them. */
export interface HttpToolsOptions {
  access: AdminAccess;
  /** The file of the contract; `undefined` for the shipped one. */
  spec: string | undefined;
  /** A key that the mock accepts. */
  apiKey: string | undefined;
}

const MOST_BYTES = 1024 * 1024;

/**
 * Serves the tools of a running mock over HTTP (specification 2026-07-28, Transports, Streamable HTTP; with sessions for the
 * revisions before it). Whoever may use the admin API may use them.
 */
export function createHttpTools(
  worlds: Worlds,
  options: HttpToolsOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { access } = options;
  const { redact, memory } = worlds.default;
  let serve: ((request: Request) => Promise<Response>) | undefined;
  return (request, response) => {
    const rejected = rejectMessage(request) ?? guard(request, access);
    if (rejected !== undefined) return refuse(response, { ...rejected, message: redact(rejected.message) });
    readBodyBytes(request, { most: MOST_BYTES, pool: memory.bodies }, ({ body, bodyLongerThan, bodyHadNoRoom }) => {
      if (bodyHadNoRoom === true) return refuse(response, NO_ROOM);
      if (bodyLongerThan !== undefined) return refuse(response, TOO_LONG);
      // Where the mock is reached is known when something has reached it.
      serve ??= createServe(openDesk(worlds, originOf(request), options));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const web = toWebRequest(request, { body, signal: gone.signal });
      serve(web)
        .then((answered) => writeWebResponse(answered, response))
        .catch(() => refuse(response, FAILED));
    });
  };
}

/** The address at which this mock can reach itself. */
function originOf({ socket }: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  const address = localAddress.replace(/^::ffff:/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

const NO_ROOM = { status: 503, code: 'overloaded', message: 'too many long bodies are being sent at once; try again' };
const TOO_LONG = { status: 413, code: 'body_too_large', message: `a message has at most ${MOST_BYTES} bytes` };
const FAILED = {
  status: 500,
  code: 'internal_error',
  message: 'the tools failed to respond; this is a bug of the mock',
};

function openDesk(worlds: Worlds, origin: string, { access, spec, apiKey }: HttpToolsOptions): Desk {
  const desk = createDesk(
    {
      targets: [],
      // Only who is on this machine anyway may have the mock ask other services there.
      testsThisMachine: access.loopback,
      createsElsewhere: false,
      variables: [],
      readVariable: () => undefined,
      folder: undefined,
    },
    {
      own: {
        handles: throughGate(createHandles(worlds, origin), worlds.gate),
        contract: worlds.default.contract,
        spec,
        enter: enterOf(worlds),
        apiKey,
        close: async () => {},
      },
    },
  );
  for (const secret of [access.token, apiKey])
    if (secret !== undefined && secret !== DEFAULT_API_KEY) desk.keepSecret(secret);
  return desk;
}

/** Revisions since 2026-07-28 have no sessions; earlier ones need one, so that a call can be cancelled by another request. */
function createServe(desk: Desk): (request: Request) => Promise<Response> {
  const modern = createMcpHandler(() => createMcpServer(desk), { legacy: 'reject' });
  const sessions = createSessions(() => createMcpServer(desk));
  return async (request) => {
    const isOlder = request.method !== 'POST' || (await isLegacyRequest(request));
    return isOlder ? sessions.serve(request) : modern.fetch(request);
  };
}

function refuse(response: ServerResponse, { status, code, message, headers }: Rejected): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify({ code, message, status });
  const described = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers, ...described }).end(text);
}

/** So many sessions are kept; the one that has been quiet longest ends for another. */
const MOST = 64;

const HEADER = 'mcp-session-id';

/** Sessions of clients of revisions before 2026-07-28 (specification 2025-11-25, Transports, Session Management). */
export function createSessions(createServer: () => Server): { serve: (request: Request) => Promise<Response> } {
  /** The one that was used last comes last. */
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => keep(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createServer().connect(transport);
    return transport;
  };
  const keep = (id: string, transport: WebStandardStreamableHTTPServerTransport): void => {
    sessions.delete(id);
    sessions.set(id, transport);
    const [oldest, quiet] = [...sessions][0] ?? [];
    if (sessions.size <= MOST || oldest === undefined) return;
    sessions.delete(oldest);
    void quiet?.close();
  };
  return {
    async serve(request) {
      const id = request.headers.get(HEADER);
      if (id === null) return (await open()).handleRequest(request);
      const transport = sessions.get(id);
      if (transport === undefined)
        return Response.json({ jsonrpc: '2.0', id: null, error: NO_SESSION }, { status: 404 });
      keep(id, transport);
      return transport.handleRequest(request);
    },
  };
}

/** A client that reads this begins another session. */
const NO_SESSION = {
  code: -32_001,
  message: 'there is no such session, or it has ended; begin another with initialize',
};

/** A request of Node's as the web has it. */
export function toWebRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  { body, signal }: { body: Uint8Array | undefined; signal: AbortSignal },
): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
  const sent = method === 'GET' || method === 'HEAD' || body === undefined ? {} : { body: Buffer.from(body) };
  return new Request(new URL(url, 'http://localhost'), { method, headers: fields, signal, ...sent });
}

/** Writes an answer of the web's piece by piece, as it comes, until its reader is gone. */
export async function writeWebResponse(answered: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) return answered.body?.cancel();
  response.writeHead(answered.status, { 'Cache-Control': 'no-store', ...Object.fromEntries(answered.headers) });
  if (answered.body === null) return void response.end();
  // A reader that waits for the first event sees that it has been heard.
  response.flushHeaders();
  const reader = answered.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => {}));
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(piece.value)) await whenWritable(response);
  }
  response.end();
}

/** When there is room again, or nobody reads any more. */
function whenWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
