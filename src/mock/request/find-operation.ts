import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Match } from '../../contract/operations/match.js';
import { isWithin } from '../../contract/paths.js';
import type { World } from '../world/world.js';

const ANSWERS_HEAD: Record<string, boolean> = { answered: true, 'refused-405': false };

/** The path as the contract has it. */
export function pathBelowBase(request: ApiRequest, world: World): string {
  return request.path.slice(world.contract.basePath.length);
}

/** What the contract defines for the path and method of a request. */
export function findOperation(request: ApiRequest, world: World): Match {
  if (!isWithin(world.contract.basePath, request.path)) return { kind: 'unknown-path' };
  const path = pathBelowBase(request, world);
  const match = world.contract.match(request.method, path, request);
  if (match.kind !== 'wrong-method' || request.method !== 'HEAD') return match;
  return actOn(world.profile, 'head', ANSWERS_HEAD) ? world.contract.match('GET', path, request) : match;
}

/** The methods of a path, for `Allow`. */
export function listMethods(allowed: string[], world: World): string {
  const head = allowed.includes('GET') && actOn(world.profile, 'head', ANSWERS_HEAD) ? ['HEAD'] : [];
  return [...allowed, ...head, 'OPTIONS'].join(', ');
}
