import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { isOfOwnPet } from '../whose-pet.js';
import { petFieldOf, star } from '../sign.js';
import { any, each, has, whole } from './follows.js';
import { countFound } from './of-pages.js';

/** If a refused pet is stored, its fields are wrong for the reason for which it was refused. */
const ofItsFields = whole(
  ({ sign, occurrences }) => sign.topic === 'changed' && occurrences.every(({ finding }) => finding.check === 'body'),
);

/** What follows if a pet that was refused is stored. */
export const ofRefused = any(
  each(['missing-fields', 'field-value', 'body-type'], mayBeOfRefused),
  has('surplus'),
  each(['stored-twice'], isOfRefusedName),
  ofItsFields,
);

/**
 * A defect of the run's own pets, or one that showed before any pet was refused, does not follow from a refused pet.
 */
function mayBeOfRefused(found: Occurrence): boolean {
  // No request has an id, so none is refused for it, and none brings a wrong one along.
  return found.isAfterRefusal && !isOfOwnPet(found) && petFieldOf(found.finding.at) !== 'id';
}

/** Whether a pet that is listed more often than it was created has the name of a refused one. */
function isOfRefusedName({ finding }: Occurrence, { occurrences }: Group): boolean {
  const [name] = /^"[^"]*"/.exec(finding.expected) ?? [];
  return name !== undefined && occurrences.some((refused) => refused.finding.actual.includes(name));
}

/** What was taken is there, though no answer said under which id: a list shows so many more than before, in the same scenario. */
export const leftBehind = whole(({ sign, occurrences }, cause) => {
  const isLeft = sign.topic === 'refused-kept' && occurrences.every(({ finding }) => finding.check === 'left-behind');
  const taken = cause.occurrences.filter(
    ({ scenario, exchange: { request, response } }) =>
      request.method !== 'GET' &&
      !NAMES_ID.test(response?.body ?? '') &&
      occurrences.some((left) => left.scenario.id === scenario.id),
  );
  return isLeft && Math.max(...occurrences.map(({ exchange }) => countFound(exchange, 'left-behind'))) <= taken.length;
});

const NAMES_ID = /"id"\s*:/;

/** What was refused for its values shows them where it is stored all the same. */
export function isKeptValue({ finding }: Occurrence, { sign, occurrences }: Group): boolean {
  if (sign.detail?.endsWith(' refused') !== true) return false;
  const shown = occurrences.flatMap(({ exchange }) => exchange.findings);
  return shown.some(
    ({ at, rule, actual }) => star(at) === star(finding.at) && rule === finding.rule && actual === finding.actual,
  );
}
