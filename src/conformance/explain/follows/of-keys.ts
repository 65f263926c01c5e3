import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { each } from './follows.js';

/**
 * A request with an accepted key meets what every request meets: no such pet, an invalid body. Services read keys in
 * one place, so a key that passes for one operation passes for all; whether a key is required at all may differ by
 * operation.
 */
export const pastKey = each(['key-status'], ({ exchange: { request, operationId } }, { occurrences }) => {
  // With the right key it would be served, whatever is refused otherwise.
  if (request.breaks === undefined && request.asksUnknown !== true) return false;
  const forms = new Set(occurrences.map(({ exchange }) => exchange.request.auth));
  if (forms.has(request.auth) && !PLAIN_FORMS.has(request.auth)) return true;
  const served = new Set(occurrences.map(({ exchange }) => exchange.operationId));
  // What several operations serve without a key is no check of it at all.
  if (forms.has('missing') && served.size > 1) return true;
  const isServed = served.has(operationId);
  return isServed && (forms.has(request.auth) || (forms.has('wrong') && request.auth !== 'missing'));
});

/** Where any key is accepted, or an operation asks for none, nobody looks at scopes. */
export function isOfAnyKey({ exchange: { operationId } }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some(
    ({ exchange: { request, ...other } }) =>
      request.auth === 'wrong' || (request.auth === 'missing' && other.operationId === operationId),
  );
}

const PLAIN_FORMS: ReadonlySet<string> = new Set(['missing', 'wrong']);
