import type { IncomingMessage } from 'node:http';
import type { Contract } from '../../contract/contract.js';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import { createViolation } from '../../contract/schemas/violation.js';
import { createRefusal } from '../../mock/answer/refusals.js';
import { recordExchange } from '../../mock/world/record-exchange.js';
import type { World } from '../../mock/world/world.js';
import type { WorldRefusal, Worlds } from '../../mock/world/worlds.js';
import { WORLDS_PATH, worldPath } from '../world-names.js';

/** What browsers ask for unbidden says nothing about whoever wrote the page. */
const UNBIDDEN = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/.*)?$/;

/**
 * Answers a request that misses the API, and has the world that it names remember it: to leave out the base path is the
 * commonest slip of all, and a test whose client makes it must not pass.
 */
export function answerOutside(request: ApiRequest, worlds: Worlds): ApiResponse {
  const world = findNamed(request, worlds);
  const started = world.clock.elapsed();
  const { contract } = world;
  const base = `${request.mountPath}${worldPath(world.name, contract.basePath)}`;
  const asked = `${request.mountPath}${request.path}`;
  const message = `${asked} is outside the API; the API is at ${base}`;
  const response = createRefusal(404, world.redact(message));
  if (UNBIDDEN.test(request.path)) return response;
  const violation = createViolation(contract.document, {
    part: 'path',
    pointer: '',
    rule: 'servers',
    expected: suggestPath(request, base, contract) ?? `a path below ${base}`,
    actual: asked,
    message,
    contractPointer: '/servers/0/url',
  });
  const told = { response, atFault: 'client', reason: message, violations: [violation] } as const;
  recordExchange(request, told, world, started);
  return response;
}

/** Answers a request for a world that cannot be had, and has the default one remember it. */
export function answerRefused(request: ApiRequest, { status, message }: WorldRefusal, worlds: Worlds): ApiResponse {
  const world = worlds.default;
  const response = createRefusal(status, message);
  // That there are too many of them is no slip of whoever comes last.
  const told = status === 400 ? ({ response, atFault: 'client', reason: message } as const) : { response };
  recordExchange(request, told, world, world.clock.elapsed());
  return response;
}

/** {@link ApiRequest} of what Node has parsed. The body is not read, whatever it is. */
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

/** The world that the header or the path names, where there is one; a slip makes no world. */
function findNamed({ path, headers }: ApiRequest, worlds: Worlds): World {
  const [, prefix, inPath] = path.split('/');
  const name = headers['x-petstore-world'] ?? (`/${prefix}` === WORLDS_PATH ? inPath : undefined);
  if (name === undefined || !worlds.has(name)) return worlds.default;
  const entry = worlds.enter(name);
  return 'world' in entry ? entry.world : worlds.default;
}

/** The path that was meant: one of the contract's when the base path is put before it, or when what stands before the base path is taken off. */
function suggestPath({ method, path }: ApiRequest, base: string, { basePath, match }: Contract): string | undefined {
  const below = path.startsWith(`${WORLDS_PATH}/`) ? path.replace(/^\/[^/]+\/[^/]*/, '') : path;
  const ends = [
    below,
    ...(below.includes(`${basePath}/`) ? [below.slice(below.indexOf(`${basePath}/`) + basePath.length)] : []),
  ];
  const meant = ends.find((end) => match(method, end).kind !== 'unknown-path');
  return meant === undefined ? undefined : `${base}${meant}`;
}
