import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, show, type ReceivedPet } from './pets.js';
import type { Expectation } from '../scenarios/scenario.js';
import type { Check, CheckContext, CheckOutcome } from './check.js';
import { within, type Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { findBadListed } from './records.js';
import { NEEDS_WHOLE_LIST, pageSize } from './limit.js';

export const leftBehindCheck: Check = {
  id: 'left-behind',
  title: 'a list has no pet that nobody created',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.nothingNew;
    const read = readListFor('nothingNew', context);
    if (wanted === undefined || 'outcomes' in read) return 'outcomes' in read ? read.outcomes : [];
    const list = read.value;
    const before = asList(wanted.since) ?? [];
    const size = pageSize(context) ?? Number.POSITIVE_INFINITY;
    if (list.length >= size || before.length >= size) return [{ needs: NEEDS_WHOLE_LIST }];
    const { created, answeredIds } = context.memory;
    const known = new Set([...before, ...created].map(({ id }) => keyOfJson(id)));
    return list
      .filter(({ id }) => !known.has(keyOfJson(id)) && !answeredIds.has(keyOfJson(id)))
      .filter(({ id }) => !wasThere(id, before, context))
      .filter((pet) => !isOwn(pet, context))
      .map((pet) => describe(pet, list.indexOf(pet)));
  },
};

/** A list that lost a pet does not show that it is new: one seen before a pet of that list was is older than the list. */
function wasThere(id: unknown, before: readonly ReceivedPet[], { memory: { seenIds } }: CheckContext): boolean {
  const seenAt = seenIds.get(keyOfJson(id)) ?? Number.POSITIVE_INFINITY;
  return before.some((pet) => seenAt <= (seenIds.get(keyOfJson(pet['id'])) ?? Number.NEGATIVE_INFINITY));
}

/** A list may show one of the run's own pets before its create is answered. */
function isOwn({ name }: ReceivedPet, { memory }: CheckContext): boolean {
  return typeof name === 'string' && memory.sentNames.has(name);
}

function describe(pet: ReceivedPet, index: number): CheckOutcome {
  return {
    rule: 'new',
    at: `body/${index}`,
    expected: 'no more pets than before, since every request was refused',
    actual: `the pet ${show(pet['id'])} (${show(pet['name'])})`,
    contractPointer: '/paths/~1pets/post/responses/400',
    // Other clients create pets as well: only repeated occurrences are due to the refused requests.
    settles: true,
  };
}

export const nothingNewKeyword: Keyword = {
  check: leftBehindCheck,
  looksAt: 'list',
  findMistake(value, given) {
    const { since } = value as NonNullable<Expectation['nothingNew']>;
    return within('/since', findBadListed(since, given));
  },
};
