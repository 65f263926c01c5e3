import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Worlds } from '../../mock/world/worlds.js';
import { guard, refuseMessage, type AdminAccess, type Refused } from '../../server/admin/guard.js';
import { createHandles } from '../../server/handles/create-handles.js';
import { throughGate } from '../../server/handles/through-gate.js';
import { readBodyBytes } from '../../server/http/read-body-bytes.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { createMcpServer } from '../create-server.js';
import { createDesk, type Desk } from '../desk.js';
import { createMcpHandler, isLegacyRequest } from '../sdk.js';
import { createSessions } from './sessions.js';
import { toWebRequest, writeWebResponse } from './web-messages.js';

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
    const refused = refuseMessage(request) ?? guard(request, access);
    if (refused !== undefined) return refuse(response, { ...refused, message: redact(refused.message) });
    readBodyBytes(request, { most: MOST_BYTES, pool: memory.bodies }, ({ body, bodyLongerThan, bodyHadNoRoom }) => {
      if (bodyHadNoRoom === true) return refuse(response, NO_ROOM);
      if (bodyLongerThan !== undefined) return refuse(response, TOO_LONG);
      // Where the mock is reached is known when something has reached it.
      serve ??= createServe(openDesk(worlds, `http://${hostOf(request)}`, options));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const web = toWebRequest(request, { body, signal: gone.signal });
      serve(web)
        .then((answered) => writeWebResponse(answered, response))
        .catch(() => refuse(response, FAILED));
    });
  };
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
        enter: (name) => {
          const entry = worlds.enter(name);
          return 'world' in entry ? entry.world : undefined;
        },
        apiKey,
        close: async () => {},
      },
    },
  );
  for (const secret of [access.token, apiKey])
    if (secret !== undefined && secret !== DEFAULT_API_KEY) desk.keepSecret(secret);
  return desk;
}

/** The address at which this mock can reach itself. */
function hostOf({ socket }: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  const address = localAddress.replace(/^::ffff:/, '');
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
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

function refuse(response: ServerResponse, { status, code, message, headers }: Refused): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify({ code, message, status });
  const described = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers, ...described }).end(text);
}
