import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { kindOfRequest } from '../requests.js';

/** A record at which a change failed, or that keeps what should have been refused, cannot be fetched right after it. */
export function isOfSpoiled(found: Occurrence, { occurrences }: Group): boolean {
  const { exchange, scenario } = found;
  if (exchange.request.method !== 'GET' || kindOfRequest(found) !== 'valid') return false;
  const all = scenario.steps.flatMap(({ exchanges }) => exchanges);
  return occurrences.some(
    (cause) =>
      cause.scenario === scenario &&
      cause.exchange.request.method !== 'GET' &&
      cause.exchange.request.path === exchange.request.path &&
      all.indexOf(cause.exchange) < all.indexOf(exchange),
  );
}
