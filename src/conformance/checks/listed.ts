import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, isPet, show } from './pets.js';
import type { Expectation } from '../scenarios/scenario.js';
import type { Check } from './check.js';
import { within, type Keyword } from './keyword.js';
import { NEEDS_WHOLE_LIST } from './limit.js';
import { readBodyFor } from './looked-at.js';
import { findBadPets, findBadLimit } from './records.js';

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
    const pet = read.value;
    const list = asList(wanted.in) ?? [];
    if (!isPet(pet)) return [{ needs: 'an answer with one pet, for `listed` to look at' }];
    if (list.some(({ id }) => keyOfJson(id) === keyOfJson(pet['id']))) return [];
    const limit = Math.min(Number(wanted.limit), context.memory.servedLimit ?? Number.POSITIVE_INFINITY);
    if (list.length >= limit) return [{ needs: NEEDS_WHOLE_LIST }];
    if (context.memory.hasShortPages) return [{ needs: 'full pages wherever there are more pets' }];
    return [
      {
        rule: 'present',
        at: 'body/id',
        expected: 'a pet of the list, which is complete',
        actual: `${show(pet['id'])}, which the list does not have`,
        contractPointer: '/paths/~1pets/get',
        // Other clients create and remove pets at the same time, and lists may be stale.
        settles: true,
        doubt: { kind: 'surplus', id: pet['id'] },
      },
    ];
  },
};

export const listedKeyword: Keyword = {
  check: listedCheck,
  looksAt: 'object',
  findMistake(value, given) {
    const { in: list, limit } = value as NonNullable<Expectation['listed']>;
    return findBadLimit(limit, given) ?? within('/in', findBadPets(list, given));
  },
};
