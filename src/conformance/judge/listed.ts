import type { Contract } from '../../contract/contract.js';
import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, comparePets, isPet, readOnePet, SENT_FIELDS, show, type ReceivedPet } from './pets.js';
import type { Expectation } from '../model/scenario.js';
import type { Check, CheckFinding, CheckOutcome } from './check.js';
import { within, type Keyword } from './keyword.js';
import { NEEDS_FULL_PAGES, NEEDS_WHOLE_LIST } from './limit.js';
import { readBodyFor } from './looked-at.js';
import { findOperation, placeOfRecord } from './places.js';
import { findBadListed, findBadLimit } from './records.js';

export const listedCheck: Check = {
  id: 'listed',
  title: 'a pet that can be fetched is in a list that is complete',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.listed;
    const read = readBodyFor('listed', context);
    if (wanted === undefined || 'outcomes' in read) return 'outcomes' in read ? read.outcomes : [];
    // A pet that cannot be fetched, as the scenario expects, is not missing from a list.
    if (context.answer.kind === 'answered' && context.answer.status >= 400) return [];
    const pet = readOnePet(read.value);
    if (!isPet(pet)) return [{ needs: 'a pet in the answer, which `listed` in the scenario judges' }];
    const list = asList(wanted.in) ?? [];
    const limit = Math.min(Number(wanted.limit), context.memory.servedLimit ?? Number.POSITIVE_INFINITY);
    if (hasPet(list, pet)) return [];
    if (list.length >= limit) return [{ needs: NEEDS_WHOLE_LIST, unlisted: pet }];
    const { hasShortPages } = context.memory;
    return judgeUnlisted(pet, list, { hasShortPages, isByStatus: false, contract: context.contract });
  },
};

export function hasPet(list: readonly ReceivedPet[], { id }: ReceivedPet): boolean {
  return list.some((each) => keyOfJson(each['id']) === keyOfJson(id));
}

/** A pet that can be fetched, and is under its id in none of the lists that together should show every pet. */
export function judgeUnlisted(
  pet: ReceivedPet,
  shown: readonly ReceivedPet[],
  { hasShortPages, isByStatus, contract }: { hasShortPages: boolean; isByStatus: boolean; contract: Contract },
): CheckOutcome[] {
  if (hasShortPages) return [{ needs: NEEDS_FULL_PAGES }];
  const other = shown.find((each) => comparePets(each, pet, SENT_FIELDS).length === 0);
  if (other !== undefined) return [describeOtherId(other, pet, contract)];
  return [
    {
      rule: isByStatus ? OF_STATUS : 'present',
      at: 'body/id',
      expected: isByStatus
        ? 'a pet of the list of its status, which is complete'
        : 'a pet of the list, which is complete',
      actual: `${show(pet['id'])}, which ${isByStatus ? 'no list by status has' : 'the list does not have'}`,
      contractPointer: findOperation(contract, 'listPets')?.pointer,
      // Other clients create and remove pets at the same time, and lists may be stale.
      settles: true,
      doubt: { kind: 'surplus', id: pet['id'] },
    },
  ];
}

/** The rule of a pet that the lists by status lack, where the list of all is full, and so tells nothing. */
export const OF_STATUS = 'present-by-status';

/** A pet that is alike in all else is this one, under an id that is wrong in the list or here. */
function describeOtherId(listed: ReceivedPet, pet: ReceivedPet, contract: Contract): CheckFinding {
  return {
    rule: 'id',
    at: 'body/id',
    expected: `${show(listed['id'])}, as in the answer before`,
    actual: show(pet['id']),
    contractPointer: placeOfRecord({ contract, sent: { operation: findOperation(contract, 'getPet') } }),
    settles: true,
    doubt: { kind: 'surplus', id: pet['id'] },
  };
}

export const listedKeyword: Keyword = {
  check: listedCheck,
  looksAt: 'object',
  findMistake(value, given) {
    const { in: list, limit } = value as NonNullable<Expectation['listed']>;
    return findBadLimit(limit, given) ?? within('/in', findBadListed(list, given));
  },
};
