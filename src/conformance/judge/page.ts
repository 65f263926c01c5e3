import { keyOfJson } from '../../contract/document/same-json.js';
import type { Expectation } from '../model/scenario.js';
import { asItems, isPet, show, type ReceivedPet } from './pets.js';
import type { Doubt } from '../model/doubt.js';
import { successBody, type Check, type CheckContext, type Need } from './check.js';
import { within, type Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { placeOfParameter } from './places.js';
import { findBadPets, findBadLimit } from './records.js';

export const pageCheck: Check = {
  id: 'page',
  title: 'a list is as long as its limit if there are that many pets',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.page;
    const read = readListFor('page', context);
    if (wanted === undefined || 'outcomes' in read) return 'outcomes' in read ? read.outcomes : [];
    // An item that is no pet is one all the same: what is wrong with it, other checks tell.
    const list = asItems(successBody(context)) ?? read.value;
    const all = readAll(wanted.of);
    if (all.length === 0) return [{ needs: 'a pet in the collection', lacks: 'pets' }];
    const limit = Number(wanted.limit);
    const length = Math.min(limit, all.length);
    if (list.length >= length) {
      const wasTried = wanted.whole === true || all.length > limit || list.length > limit;
      return wasTried ? [] : [describeLack(context, { limit, there: all.length })];
    }
    return [
      {
        rule: 'full',
        at: 'body',
        expected: `${length} pets, since a longer list has ${all.length}`,
        actual: `${list.length} pets`,
        contractPointer: placeOfParameter(context, 'limit'),
        settles: true,
        // The limit is a maximum: strictly read, a page may be shorter, even empty.
        gap: { id: 'short-pages', choice: 'shorter' },
        doubt: doubtShortness(context, list, all),
        severity: context.strict ? 'deviation' : 'information',
      },
    ];
  },
};

/** What the page lacks may have got another status, or been removed, since the longer list was read. */
function doubtShortness({ sent }: CheckContext, list: readonly unknown[], all: readonly unknown[]): Doubt {
  const listed = new Set(list.map((item) => keyOfJson(idOf(item))));
  const absent = all.map(idOf).filter((id) => id !== undefined && !listed.has(keyOfJson(id)));
  return { kind: 'short', id: absent[0], absent, status: sent.query['status'] };
}

/** Without more pets than the limit, a page cannot exceed it. */
function describeLack({ sent }: CheckContext, { limit, there }: { limit: number; there: number }): Need {
  const status = sent.query['status'];
  const which = status === undefined ? '' : ` with status ${show(status)}`;
  return {
    needs: `${limit + 1} pets${which}, and the collection has ${there}`,
    lacks: { status, count: limit + 1, there },
  };
}

export const pageKeyword: Keyword = {
  check: pageCheck,
  looksAt: 'list',
  findMistake(value, given) {
    const { limit, of } = value as NonNullable<Expectation['page']>;
    if (given.stage === 'file' && Array.isArray(of) && of.length === 0) {
      return { at: '/of', message: 'it has no pets, so every list is long enough.' };
    }
    // A list that could not be read counts nothing; those beside it do.
    const isPart = given.stage !== 'file' && Array.isArray(of) && of.some(Array.isArray);
    const lists = isPart ? of.filter(Array.isArray) : of;
    return findBadLimit(limit, given) ?? within('/of', findBadPets(lists, given, true));
  },
};

/** The items of a list, or of several lists, each pet once; of items without an id, as many as one list has. */
function readAll(of: unknown): unknown[] {
  const parts = Array.isArray(of) && of.some(Array.isArray) ? of : [of];
  const lists = parts.map((list) => asItems(list) ?? []);
  const known = lists.flat().filter((item): item is ReceivedPet => idOf(item) !== undefined);
  const nameless = lists.map((list) => list.filter((item) => idOf(item) === undefined));
  const most = nameless.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
  return [...new Map(known.map((pet) => [keyOfJson(pet['id']), pet])).values(), ...most];
}

function idOf(item: unknown): unknown {
  return isPet(item) ? item['id'] : undefined;
}
