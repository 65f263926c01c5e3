import { actOn } from '../contract/gaps.js';
import type { ApiRequest, ResponseHeaders } from '../contract/message.js';
import type { Operation } from '../contract/operations.js';
import type { World } from './world.js';

const DAY_MS = 86_400_000;

/** Milliseconds from the start of the removal day to the removal. */
const REMOVAL_HOUR: Record<string, number> = { 'start-of-day': 0, 'end-of-day': DAY_MS };

/** The answer's status once the operation is removed; `undefined` while it is still served. */
const AFTER_REMOVAL: Record<string, number | undefined> = {
  'gone-410': 410,
  'not-found-404': 404,
  'still-served': undefined,
};

type Announce = (operation: Operation, request: ApiRequest, world: World) => ResponseHeaders;

const ANNOUNCEMENT: Record<string, Announce> = { 'sunset-and-link': announceSunset, none: () => ({}) };

/** The header fields by which a deprecated operation says when it goes and what replaces it. */
export function deprecationHeaders(operation: Operation, request: ApiRequest, world: World): ResponseHeaders {
  if (!operation.deprecated) return {};
  return actOn(world.profile, 'deprecation-headers', ANNOUNCEMENT)(operation, request, world);
}

/** The status that a removed operation answers with; `undefined` for one that is served. */
export function removalStatus(operation: Operation, world: World): number | undefined {
  const removedAt = findRemovalTime(operation, world);
  if (removedAt === undefined || world.clock.now() < removedAt) return undefined;
  return actOn(world.profile, 'after-removal', AFTER_REMOVAL);
}

/** `Sunset` (RFC 8594 section 3) and `Link` with `successor-version` (RFC 5829 section 3.3). */
function announceSunset(operation: Operation, request: ApiRequest, world: World): ResponseHeaders {
  const headers: ResponseHeaders = {};
  const removedAt = findRemovalTime(operation, world);
  if (removedAt !== undefined) headers['Sunset'] = new Date(removedAt).toUTCString();
  const successor = world.contract.operations.find(({ id }) => id === operation.successor);
  if (successor !== undefined) {
    headers['Link'] = `<${request.mountPath}${world.contract.basePath}${successor.path}>; rel="successor-version"`;
  }
  return headers;
}

function findRemovalTime(operation: Operation, world: World): number | undefined {
  if (operation.sunset === undefined) return undefined;
  return Date.parse(`${operation.sunset}T00:00:00Z`) + actOn(world.profile, 'removal-hour', REMOVAL_HOUR);
}
