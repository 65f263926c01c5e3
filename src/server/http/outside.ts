import type { IncomingMessage } from 'node:http';
import type { Contract } from '../../contract/contract.js';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import { createViolation } from '../../contract/schemas/violation.js';
import { createRefusal } from '../../mock/answer/refusals.js';
import { recordExchange } from '../../mock/world/record-exchange.js';
import type { World } from '../../mock/world/world.js';
import type { WorldRefusal, Worlds } from '../../mock/world/worlds.js';
import { WORLDS_PATH, worldPath } from '../world-names.js';

/** Browsers request these files by themselves, so they are no mistake of the page. */
const UNBIDDEN = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/.*)?$/;

/**
 * Answers a request outside the API, and records it in its world: leaving out the base path is the
 * most common mistake of all, and a test whose client makes it must not pass.
 */
export function answerOutside(request: ApiRequest, worlds: Worlds): ApiResponse {
  const world = findNamed(request, worlds);
  const started = world.clock.elapsed();
  const { contract } = world;
  const show = (basePath: string): string => `${request.mountPath}${worldPath(world.name, basePath)}`;
  const base = show(contract.basePath);
  const asked = `${request.mountPath}${request.path}`;
  const message = `${asked} is outside the API; the API is at ${listBases(contract.bases.all.map(show))}`;
  const response = createRefusal(404, world.redact(message));
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

/** More do not help. */
const MOST_BASES = 10;

function listBases(bases: readonly string[]): string {
  const told = bases.slice(0, MOST_BASES).map((base) => base || '/');
  const rest = bases.length > told.length ? `${bases.length - told.length} more` : (told.pop() ?? '/');
  return told.length === 0 ? rest : `${told.join(', ')} and ${rest}`;
}

/** Answers a request for an unavailable world, and records it in the default one. */
export function answerRefused(request: ApiRequest, { status, message }: WorldRefusal, worlds: Worlds): ApiResponse {
  const world = worlds.default;
  const response = createRefusal(status, message);
  // Too many worlds are not the mistake of the latest client.
  const told = status === 400 ? ({ response, atFault: 'client', reason: message } as const) : { response };
  recordExchange(request, told, world, world.clock.elapsed());
  return response;
}

/** The {@link ApiRequest} of a parsed request, without its body. */
export function describeOutside(request: IncomingMessage & { originalUrl?: string; baseUrl?: string }): ApiRequest {
  const { method = 'GET', headers, baseUrl = '' } = request;
  const whole = request.originalUrl ?? request.url ?? '/';
  const [path = '', ...query] = whole.slice(baseUrl.length).split('?');
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method,
    path,
    mountPath: baseUrl,
    query: query.join('?'),
    headers: headers as ApiRequest['headers'],
    body: undefined,
    ...(hasBody ? { bodyLongerThan: 0 } : {}),
  };
}

/** The existing world that the header or the path names; a mistake does not create one. */
function findNamed({ path, headers }: ApiRequest, worlds: Worlds): World {
  const [, prefix, inPath] = path.split('/');
  const name = headers['x-petstore-world'] ?? (`/${prefix}` === WORLDS_PATH ? inPath : undefined);
  if (name === undefined || !worlds.has(name)) return worlds.default;
  const entry = worlds.enter(name);
  return 'world' in entry ? entry.world : worlds.default;
}

/** The intended path: one of the contract's after adding the base path, or after removing what precedes it. */
function suggestPath(
  { method, path }: ApiRequest,
  { basePath, match }: Contract,
  showBase: (basePath: string) => string,
): string | undefined {
  const below = path.startsWith(`${WORLDS_PATH}/`) ? path.replace(/^\/[^/]+\/[^/]*/, '') : path;
  const ends = [
    below,
    ...(below.includes(`${basePath}/`) ? [below.slice(below.indexOf(`${basePath}/`) + basePath.length)] : []),
  ];
  const meant = ends.find((end) => match(method, end).kind !== 'unknown-path');
  if (meant === undefined) return undefined;
  const found = match(method, meant);
  const own = found.kind === 'operation' ? found.operation.server?.basePath : undefined;
  return `${showBase(own ?? basePath)}${meant}`;
}
