import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { isOfOwnPet } from '../whose-pet.js';
import { petFieldOf } from '../sign.js';
import { any, each, has, whole } from './follows.js';

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
