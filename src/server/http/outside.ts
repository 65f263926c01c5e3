import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Contract } from '../../contract/contract.js';
import type { ApiRequest, ApiResponse } from '../../contract/model.js';
import { createViolation } from '../../contract/schemas/violation.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { recordExchange } from '../../mock/response/outgoing.js';
import type { WorldRejection, Worlds } from '../../mock/world/worlds.js';
import { WORLDS_PATH, worldPath } from '../world-names.js';
import cors from 'cors';

const UNBIDDEN = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/.*)?$/;

/** Rejects a request outside the API and records it: the base path is often left out, and a test must see that. */
export function answerOutside(request: ApiRequest, worlds: Worlds): ApiResponse {
  const [, prefix, inPath] = request.path.split('/');
  const name = request.headers['x-petstore-world'] ?? (`/${prefix}` === WORLDS_PATH ? inPath : undefined);
  const world = name !== undefined && worlds.has(name) ? worlds.make(name) : worlds.default;
  const started = world.clock.elapsed();
  const { contract } = world;
  const show = (basePath: string): string => `${request.mountPath}${worldPath(world.name, basePath)}`;
  const base = show(contract.basePath);
  const asked = `${request.mountPath}${request.path}`;
  const bases = contract.bases.all.map((each) => show(each) || '/');
  const listed = bases.slice(0, MOST_BASES);
  const rest = bases.length > listed.length ? `${bases.length - listed.length} more` : (listed.pop() ?? '/');
  const all = listed.length === 0 ? rest : `${listed.join(', ')} and ${rest}`;
  const message = `${asked} is outside the API; the API is at ${all}`;
  const response = createErrorResponse(404, world.redact(message));
  if (UNBIDDEN.test(request.path)) return response;
  const violation = createViolation(contract.document, {
    part: 'path',
    pointer: '',
    rule: 'servers',
    expected: suggestPath(request, contract, show) ?? `a path below ${base}`,
    actual: asked,
    message,
    contractPointer: '/servers/0/url',
  });
  const told = { response, atFault: 'client', reason: message, violations: [violation] } as const;
  recordExchange(request, told, world, started);
  return response;
}

const MOST_BASES = 10;

export function respondRejected(request: ApiRequest, { status, message }: WorldRejection, worlds: Worlds): ApiResponse {
  const world = worlds.default;
  const response = createErrorResponse(status, message);
  // Too many worlds are not the mistake of the latest client.
  const told = status === 400 ? ({ response, atFault: 'client', reason: message } as const) : { response };
  recordExchange(request, told, world, world.clock.elapsed());
  return response;
}

export function describeOutside(request: IncomingMessage & { originalUrl?: string; baseUrl?: string }): ApiRequest {
  const { method = 'GET', headers, baseUrl = '' } = request;
  const whole = request.originalUrl ?? request.url ?? '/';
  const [path = '', ...query] = whole.slice(baseUrl.length).split('?');
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const sent = headers as ApiRequest['headers'];
  const more = hasBody ? { bodyLongerThan: 0 } : {};
  return { method, path, mountPath: baseUrl, query: query.join('?'), headers: sent, body: undefined, ...more };
}

function suggestPath(
  { method, path }: ApiRequest,
  { basePath, match }: Contract,
  showBase: (basePath: string) => string,
): string | undefined {
  const below = path.startsWith(`${WORLDS_PATH}/`) ? path.replace(/^\/[^/]+\/[^/]*/, '') : path;
  const at = below.indexOf(`${basePath}/`);
  for (const end of [below, ...(at < 0 ? [] : [below.slice(at + basePath.length)])]) {
    const found = match(method, end);
    if (found.kind === 'unknown-path') continue;
    const own = found.kind === 'operation' ? found.operation.server?.basePath : undefined;
    return `${showBase(own ?? basePath)}${end}`;
  }
  return undefined;
}

/**
 * The header fields that may be read are stated by name, since `*` has no effect for a request with credentials (Fetch
 * standard, section 3.3.3). Every method is allowed, even those that the contract does not have: a page
 * that sends one can then read the 405 instead of an unexplained error.
 */
const setHeaders = cors({
  origin: true,
  credentials: true,
  exposedHeaders: 'Location,Sunset,Link,WWW-Authenticate,Retry-After,Preference-Applied,Allow',
  // In seconds.
  maxAge: 600,
  preflightContinue: true,
});

/** Lets pages of any origin use the mock, and answers their preflights, which carry no key. */
export function allowOrigins(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  setHeaders(request, response, () => {
    const { method, headers } = request;
    // A preflight is an OPTIONS request that announces a method (Fetch standard, section 3.3.2).
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return next();
    // A page on the public web needs permission to call this machine (Private Network Access).
    if (headers['access-control-request-private-network'] === 'true')
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
    response.writeHead(204).end();
  });
}
