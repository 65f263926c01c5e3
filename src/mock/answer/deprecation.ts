import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiRequest, ResponseHeaders } from '../../contract/message.js';
import { encodePath } from '../../contract/operations/match.js';
import type { Operation } from '../../contract/model.js';
import type { World } from '../world/world.js';

const DAY_MS = 86_400_000;

/** Milliseconds from the start of the removal day to the removal. */
const REMOVAL_HOUR: Record<string, number> = { 'start-of-day': 0, 'end-of-day': DAY_MS };

/** The answer's status once the operation is removed; `undefined` while it is still served. */
const AFTER_REMOVAL: Record<string, number | undefined> = {
  'gone-410': 410,
  'not-found-404': 404,
  'still-served': undefined,
};

const SENDS: Record<string, boolean> = { sent: true, absent: false };

/** The header fields that announce when a deprecated operation is removed and what replaces it. */
export function deprecationHeaders(operation: Operation, request: ApiRequest, world: World): ResponseHeaders {
  if (!operation.deprecated) return {};
  const headers: ResponseHeaders = {};
  const { profile } = world;
  const removedAt = findRemovalTime(operation, world);
  if (removedAt !== undefined && actOn(profile, 'sunset-header', SENDS)) {
    headers['Sunset'] = printDate(removedAt); // RFC 8594 section 3
  }
  const successor = world.contract.operations.find(({ id }) => id === operation.successor);
  if (successor !== undefined && actOn(profile, 'successor-link', SENDS)) {
    const path = `${request.mountPath}${successor.server?.basePath ?? world.contract.basePath}${encodePath(successor.path)}`;
    headers['Link'] = `<${path}>; rel="successor-version"`; // RFC 5829 section 3.3
  }
  const since = profile.values?.['deprecation-header'];
  if (since !== undefined) headers['Deprecation'] = String(since); // RFC 9745
  return headers;
}

/** The status of a removed operation; `undefined` while it is served. */
export function removalStatus(operation: Operation, world: World): number | undefined {
  const removedAt = findRemovalTime(operation, world);
  if (removedAt === undefined || world.clock.now() < removedAt) return undefined;
  return actOn(world.profile, 'after-removal', AFTER_REMOVAL);
}

function findRemovalTime(operation: Operation, world: World): number | undefined {
  if (operation.sunset === undefined) return undefined;
  return startOfDay(operation.sunset) + actOn(world.profile, 'removal-hour', REMOVAL_HOUR);
}

// Parsing and printing a date takes longer than an answer does, and a contract has few dates.
const daysByText = new Map<string, number>();
const textsByTime = new Map<number, string>();

function startOfDay(day: string): number {
  const time = daysByText.get(day) ?? Date.parse(`${day}T00:00:00Z`);
  daysByText.set(day, time);
  return time;
}

function printDate(time: number): string {
  const text = textsByTime.get(time) ?? new Date(time).toUTCString();
  textsByTime.set(time, text);
  return text;
}
