import type { AskedPage } from '../../../src/conformance/model/records.js';
import type { Exchanged } from './check-context.js';
import { many, rex, tom, type CheckExamples } from './check-examples.js';
import { DATA, PLACE } from './record-examples.js';

function asPage(page: Partial<AskedPage> = {}, at = ''): AskedPage {
  const walk = { kind: 'offset', parameter: undefined, first: 0, at, length: 5, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
}

/** A list that can be read on. */
function asTurned(page: Partial<AskedPage> = {}): AskedPage {
  const asked = asPage(page);
  return { ...asked, walk: { ...asked.walk, parameter: 'offset' } };
}

/** A list of which rules are asked. */
const listed = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  body,
  ...more,
  expect: { records: { ...PLACE, ...rules } },
});
/** One that cannot be read on. */
const whole = (body: unknown, rules: object, more: Exchanged = {}): Exchanged =>
  listed(body, { page: asPage(), ...rules }, more);
/** The same below `data`. */
const wholeIn = (body: unknown, rules: object): Exchanged =>
  whole(body, { ...DATA, page: asPage({}, '/data'), ...rules });
/** What two records of five that are asked for three at a time are. */
const isFull = { full: { limit: 3, of: [many(5)], gap: 'short-pages' } };
/** A text that an operation has rejected. */
const rejected = (operation: string): Exchanged => ({
  mark: 'cfmar',
  knows: ({ texts }) => texts.rejected.set('cfmarkab', operation),
});
const marked = { ...tom, name: 'cfmarkab' };
const id = 9223372036854775807n;
const total = { at: '/total' };
const header = { header: 'X-Total-Count' };
const counted = (count: string): Exchanged => ({ headers: { 'x-total-count': count } });
const renamed = { ...rex, name: 'Tom' };

/** For the check on the records of a list. */
export const listExamples: Record<string, CheckExamples> = {
  records: {
    sound: {
      'the record, as it was sent': listed([rex, tom], {
        has: [{ key: 1, like: { name: 'Rex' } }],
        distinct: true,
        page: asPage({}, '/data'),
      }),
      'a record on an earlier page': listed([tom], { has: [{ key: 1 }], page: asPage({ before: [rex] }) }),
      'a page that others follow': listed([tom], { has: [{ key: 1 }], page: asTurned() }),
      'a whole list without a record': whole([rex], { lacks: [2] }),
      'as many as it says, and the same as on another page': wholeIn(
        { total: 2, data: [rex, tom] },
        { total, covers: { of: [{ data: [rex, tom] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' } },
      ),
      'as many as a header field says': whole([rex], { total: header }, counted('1')),
      'a page beyond the last that has the last again': whole([rex, tom], { pages: [[rex], [tom], [tom]] }),
      'a page as long as its limit': listed(many(2), { full: { ...isFull.full, limit: 2 }, moreThan: 1 }),
      'all that there is, where that is less than the limit': listed(many(2), {
        full: { ...isFull.full, of: [many(2)] },
      }),
      'nothing of what was refused': listed([rex], { noneRefused: 'createPet' }, rejected('createPet')),
      'only what fits': listed([rex, tom], { every: { categoryId: 7 }, atMost: 2 }),
    },
    broken: {
      'no such record': [whole([tom], { has: [{ key: 1 }] }), 'present body'],
      'another value': [whole([rex], { has: [{ key: 1, like: { name: 'Tom' } }] }), 'name body/*/name'],
      'a list that goes on': [listed([tom], { has: [{ key: 1 }], page: asTurned({ isLast: true }) }), 'needs'],
      'a record that must not be there': [whole([rex], { lacks: ['1'] }), 'absent body/0'],
      'a record twice in a page': [listed([rex, rex], { distinct: true }), 'distinct body/1/id'],
      'a large key twice': [
        listed(
          [
            { ...rex, id },
            { ...tom, id },
          ],
          { distinct: true },
        ),
        'distinct body/1/id',
      ],
      'a record on two pages': [whole([rex, tom], { pages: [[rex], [rex, tom]] }), 'distinct body/1/id'],
      'pages that lack a record': [whole([rex, tom], { pages: [[rex]] }), 'covers body'],
      'other records than before': [whole([rex], { same: [[rex, tom]] }), 'same body'],
      'more than the limit': [listed([rex, tom], { atMost: 1 }), 'limit body'],
      'no more than there may be': [whole([rex], { moreThan: 1 }), 'more body'],
      'a page that is shorter than its limit': [listed(many(2), isFull), 'full body (information)'],
      'a page that is shorter than its limit, strictly': [listed(many(2), isFull, { strict: true }), 'full body'],
      'what was refused': [
        listed([rex, marked], { noneRefused: 'createPet' }, rejected('createPet')),
        'refused body/1/name',
      ],
      'what another operation refused': [
        listed([marked], { noneRefused: 'createPet' }, rejected('createCat')),
        'needs',
      ],
      'no value of what was filtered by, beside others that have it': [
        listed([rex, tom], { every: { status: 'sold' } }),
        'filter body/1/status',
      ],
      'what was filtered by, in capitals': [
        listed([{ ...rex, status: 'SOLD' }], { every: { status: 'sold' } }),
        'filter body/0/status',
      ],
      'another value than was filtered by': [listed([rex], { every: { name: 'Tom' } }), 'filter body/0/name'],
      'another number than it says': [wholeIn({ total: 3, data: [rex] }, { total }), 'total body/total'],
      'another number than a header field says': [
        whole([rex], { total: header }, counted('2')),
        'total header/x-total-count',
      ],
      'no number of all records': [wholeIn({ data: [rex] }, { total }), 'needs'],
      'another value than on another page': [
        whole([rex], { covers: { of: [[rex]], in: [[renamed]], field: 'categoryId', value: 7 } }),
        'name body/*/name',
      ],
      'less than the whole list has': [
        whole([rex, tom], { covers: { of: [[rex, tom]], in: [[rex]], field: 'categoryId', value: 7 } }),
        'covers body',
      ],
      'a filtered list of several pages that lacks a record, while others write': [
        whole([rex], { covers: { of: [[rex, tom]], in: [[tom], [tom]], field: 'name', value: 'Rex' } }),
        'needs',
      ],
      'a filtered list of records that all have the value': [
        whole([rex], { covers: { of: [[rex]], in: [[rex]], field: 'name', value: 'Rex' } }),
        'needs',
      ],
      'a list whose end is not known': [listed([rex], { whole: true, page: asTurned({ isLast: true }) }), 'needs'],
      'nothing that fits in the whole list': [
        whole([], { covers: { of: [[rex]], in: [[]], field: 'name', value: 'Tom' } }),
        'needs',
      ],
    },
  },
};
