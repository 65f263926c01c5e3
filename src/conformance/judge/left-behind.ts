import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, isPet, readOnePet, show, type ReceivedPet } from './pets.js';
import type { Expectation } from '../model/scenario.js';
import { kindOfBody } from './body-kind.js';
import { successBody, type Check, type CheckContext, type CheckOutcome } from './check.js';
import { within, type Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { findOperation, placeOfResponse } from './places.js';
import { findBadListed } from './records.js';
import { NEEDS_WHOLE_LIST, pageSize } from './limit.js';
import { isTaken } from './own-name.js';
import { isError } from './target-memory.js';

export const leftBehindCheck: Check = {
  id: 'left-behind',
  title: 'there is no pet that nobody created',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.nothingNew;
    if (wanted === undefined) return [];
    const before = asList(wanted.since) ?? [];
    if (isOfOne(context)) return findLeftPet(before, context);
    const read = readListFor('nothingNew', context);
    if ('outcomes' in read) return read.outcomes;
    const list = read.value;
    const size = pageSize(context) ?? Number.POSITIVE_INFINITY;
    if (list.length >= size || before.length >= size) return [{ needs: NEEDS_WHOLE_LIST }];
    return findNew(list, before, context)
      .filter(({ id }) => !wasThere(id, before, context))
      .filter((pet) => !isOwn(pet, context))
      .map((pet) => describe(pet, `body/${list.indexOf(pet)}`, context));
  },
};

/** Of an answer about one record, which may be that there is none: it shows all that there is under its id. */
function isOfOne({ contract, sent: { operation } }: CheckContext): boolean {
  return operation !== undefined && kindOfBody(contract, operation, ['2XX']) === 'object';
}

function findLeftPet(before: readonly ReceivedPet[], context: CheckContext): CheckOutcome[] {
  const body = successBody(context);
  if (body === undefined || isError(body)) return [];
  const shown = readOnePet(body);
  if (!isPet(shown)) return [{ needs: 'a pet in the answer, which `nothingNew` in the scenario judges' }];
  // What is answered for an id is there under it, also where the answer does not repeat it.
  const pet: ReceivedPet = { ...shown, id: shown['id'] ?? Object.values(context.sent.path)[0] };
  if (isTaken(pet['name'], context.memory)) return [];
  return findNew([pet], before, context).map((each) => describe(each, 'body', context));
}

function findNew(shown: readonly ReceivedPet[], before: readonly ReceivedPet[], context: CheckContext): ReceivedPet[] {
  const { created, answeredIds } = context.memory;
  const known = new Set([...before, ...created].map(({ id }) => keyOfJson(id)));
  return shown.filter(({ id }) => !known.has(keyOfJson(id)) && !answeredIds.has(keyOfJson(id)));
}

/** A list that lost a pet does not show that it is new: one seen before a pet of that list was is older than the list. */
function wasThere(id: unknown, before: readonly ReceivedPet[], { memory: { seenIds } }: CheckContext): boolean {
  const seenAt = seenIds.get(keyOfJson(id)) ?? Number.POSITIVE_INFINITY;
  return before.some((pet) => seenAt <= (seenIds.get(keyOfJson(pet['id'])) ?? Number.NEGATIVE_INFINITY));
}

/** A list may show one of the run's own pets before its create is answered. */
function isOwn({ name }: ReceivedPet, { memory }: CheckContext): boolean {
  return typeof name === 'string' && memory.sentNames.has(name);
}

function describe(pet: ReceivedPet, where: string, { contract }: CheckContext): CheckOutcome {
  return {
    rule: 'new',
    at: where,
    expected: 'no more pets than before, since every request was refused',
    actual: `the pet ${show(pet['id'])} (${show(pet['name'])})`,
    contractPointer: placeOfResponse(findOperation(contract, 'createPet'), 400),
    // Other clients create pets as well: only repeated occurrences are due to the refused requests.
    settles: true,
  };
}

export const nothingNewKeyword: Keyword = {
  check: leftBehindCheck,
  looksAt: 'body',
  findMistake(value, given) {
    const { since } = value as NonNullable<Expectation['nothingNew']>;
    return within('/since', findBadListed(since, given));
  },
};
