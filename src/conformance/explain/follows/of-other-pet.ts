import { isOfOperations, isWithinAnswers } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { describeRequests, readAskedId } from '../requests.js';
import { hasOwnName } from '../whose-pet.js';
import { isOfSameAnswer, whole, type Follows } from './follows.js';

/** A service that answers with another pet for every id also does so for an id that no pet has. */
export const ofAnyId = whole((effect, cause) => {
  const known = cause.occurrences.filter(({ exchange }) => exchange.request.asksUnknown !== true);
  const isAny = known.length > 0 && describeRequests(known) === '' && countRight(known) < 2;
  return isAny && effect.sign.topic === 'accepted' && isWithinAnswers(effect, cause);
});

/** How many pets the same scenarios got by their ids; one that is always answered is right by chance for its own. */
function countRight(wrong: readonly Occurrence[]): number {
  const answers = wrong.flatMap(({ scenario }) => scenario.steps.flatMap(({ exchanges }) => exchanges));
  const right = answers.filter(({ response, findings }) => response?.status === 200 && findings.length === 0);
  return new Set(right.flatMap((each) => readAskedId(each) ?? [])).size;
}

/**
 * An answer with another pet differs from the requested one, in the same answers or, if it happens for every id, in
 * all; but no other pet has a changed form of its name.
 */
export const ofOtherPet: Follows = (effect, cause) => {
  if (effect.sign.topic !== 'changed' || (effect.sign.field === 'name' && effect.sign.detail !== undefined)) return [];
  const isEvery = describeRequests(cause.occurrences) === '' && isOfOperations(effect, cause);
  return effect.occurrences.filter((found) => !hasOwnName(found) && (isEvery || isOfSameAnswer(found, cause)));
};

/** The ids that it shows beside the one that was asked for look new, or taken, and are neither. */
export const isAnotherRecord: Follows = ({ sign, occurrences }, cause) => {
  if (sign.topic !== 'id-twice' || !cause.occurrences.some(({ finding }) => finding.check === 'right-pet')) return [];
  return occurrences.filter(({ finding }) => finding.check === 'new-id' && finding.rule !== 'given-twice');
};

/** A pet that is asked for by an id has that one, however many others do. */
export function isComparedId({ finding }: Occurrence): boolean {
  return finding.check !== 'right-pet';
}
