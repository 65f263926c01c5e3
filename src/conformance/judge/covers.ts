import { asList, show, type ReceivedPet } from './pets.js';
import type { Expectation } from '../model/scenario.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import type { Doubt } from '../model/doubt.js';
import { within, type Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { placeOfParameter } from './places.js';
import { findBadListed, findBadStatus } from './records.js';
import { NEEDS_FULL_PAGES, NEEDS_WHOLE_LIST, pageSize } from './limit.js';
import { withoutMoved } from './moved.js';
import { keyOfJson, sameJson } from '../../contract/document/same-json.js';

export const coversCheck: Check = {
  id: 'covers',
  title: 'a filtered list has exactly those pets of the whole list that have the status',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.covers;
    const read = readListFor('covers', context);
    if (wanted === undefined || 'outcomes' in read) return 'outcomes' in read ? read.outcomes : [];
    const list = read.value;
    const all = asList(wanted.all) ?? [];
    if (context.memory.hasShortPages) return [{ needs: NEEDS_FULL_PAGES }];
    const size = pageSize(context) ?? Number.POSITIVE_INFINITY;
    const belonging = list.length < size ? all.filter((pet) => sameJson(pet['status'], wanted.status)) : [];
    const missing = findMissing(belonging, list);
    const isWhole = all.length < size;
    if (!isWhole && belonging.length === 0) return [{ needs: NEEDS_WHOLE_LIST }];
    const surplus = isWhole ? findMissing(list, all) : [];
    const found = [
      ...missing.map(({ id }) => describe({ kind: 'absent', id, status: wanted.status }, context)),
      ...surplus.map(({ id }) => describe({ kind: 'surplus', id }, context)),
    ];
    return withoutMoved(found, context.memory);
  },
};

export const coversKeyword: Keyword = {
  check: coversCheck,
  looksAt: 'list',
  findMistake(value, given) {
    const { all, status } = value as NonNullable<Expectation['covers']>;
    return within('/all', findBadListed(all, given)) ?? findBadStatus(status, given);
  },
};

function findMissing(pets: ReceivedPet[], list: ReceivedPet[]): ReceivedPet[] {
  const ids = new Set(list.map(({ id }) => keyOfJson(id)));
  return pets.filter(({ id }) => !ids.has(keyOfJson(id)));
}

function describe(doubt: Extract<Doubt, { kind: 'absent' | 'surplus' }>, context: CheckContext): CheckFinding {
  const isMissing = doubt.kind === 'absent';
  const expected = isMissing
    ? 'in the list, since the whole list shows it with this status'
    : 'absent, since the whole list does not show it';
  return {
    rule: isMissing ? 'missing' : 'surplus',
    at: 'body',
    expected: `the pet ${show(doubt.id)} ${expected}`,
    actual: isMissing ? 'absent' : 'in the list',
    contractPointer: placeOfParameter(context, 'status'),
    // Other clients write at the same time, and lists may be stale.
    settles: true,
    doubt,
  };
}
