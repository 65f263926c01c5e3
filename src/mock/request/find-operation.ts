import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Match } from '../../contract/operations/match.js';
import type { World } from '../world/world.js';

const ANSWERS_HEAD: Record<string, boolean> = { answered: true, 'refused-405': false };

/** The path as the contract has it. */
export function pathBelowBase(request: ApiRequest, world: World): string {
  return world.contract.bases.below(request.method, request.path);
}

/** What the contract defines for the path and method of a request. */
export function findOperation(request: ApiRequest, world: World): Match {
  const { bases } = world.contract;
  const { match } = bases.find(request.method, request.path, request);
  if (match.kind !== 'wrong-method' || request.method !== 'HEAD') return match;
  return actOn(world.profile, 'head', ANSWERS_HEAD) ? bases.find('GET', request.path, request).match : match;
}

/** The methods of a path, for `Allow`. */
export function listMethods(allowed: string[], world: World): string {
  const head = allowed.includes('GET') && actOn(world.profile, 'head', ANSWERS_HEAD) ? ['HEAD'] : [];
  return [...allowed, ...head, 'OPTIONS'].join(', ');
}
