import type { AskedPage } from '../../../src/conformance/model/records.js';
import type { Exchanged } from './check-context.js';
import { many, rex, tom, type CheckExamples } from './check-examples.js';
import { DATA, PLACE } from './record-examples.js';

function asPage(page: Partial<AskedPage>, at = ''): AskedPage {
  const walk = { kind: 'offset', parameter: undefined, first: 0, at, length: 5, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
}

/** A list that can be read on. */
function asTurned(page: Partial<AskedPage>): AskedPage {
  const asked = asPage(page);
  return { ...asked, walk: { ...asked.walk, parameter: 'offset' } };
}

/** A list of which rules are asked. */
const listed = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  body,
  ...more,
  expect: { records: { ...PLACE, ...rules } },
});
/** The same below `data`. */
const listedIn = (body: unknown, rules: object): Exchanged => ({ body, expect: { records: { ...DATA, ...rules } } });

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
      'a page that others follow': listed([tom], { has: [{ key: 1 }], page: asTurned({}) }),
      'a whole list without a record': listed([rex], { lacks: [2], page: asPage({}) }),
      'as many as it says, and the same as on another page': listedIn(
        { total: 2, data: [rex, tom] },
        {
          total: { at: '/total' },
          covers: { of: [{ data: [rex, tom] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' },
          page: asPage({}, '/data'),
        },
      ),
      'as many as a header field says': listed(
        [rex],
        { total: { header: 'X-Total-Count' }, page: asPage({}) },
        { headers: { 'x-total-count': '1' } },
      ),
      'a page beyond the last that has the last again': listed([rex, tom], {
        pages: [[rex], [tom], [tom]],
        page: asPage({}),
      }),
      'a page as long as its limit': listed(many(2), {
        full: { limit: 2, of: [many(5)], gap: 'short-pages' },
        moreThan: 1,
      }),
      'all that there is, where that is less than the limit': listed(many(2), {
        full: { limit: 3, of: [many(2)], gap: 'short-pages' },
      }),
      'nothing of what was refused': listed(
        [rex],
        { noneRefused: 'createPet' },
        { mark: 'cfmar', knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createPet') },
      ),
      'only what fits': listed([rex, tom], { every: { categoryId: 7 }, atMost: 2 }),
    },
    broken: {
      'no such record': [listed([tom], { has: [{ key: 1 }], page: asPage({}) }), 'present body'],
      'another value': [
        listed([rex], { has: [{ key: 1, like: { name: 'Tom' } }], page: asPage({}) }),
        'name body/*/name',
      ],
      'a list that goes on': [listed([tom], { has: [{ key: 1 }], page: asTurned({ isLast: true }) }), 'needs'],
      'a record that must not be there': [listed([rex], { lacks: ['1'], page: asPage({}) }), 'absent body/0'],
      'a record twice in a page': [listed([rex, rex], { distinct: true }), 'distinct body/1/id'],
      'a large key twice': [
        listed(
          [
            { ...rex, id: 9223372036854775807n },
            { ...tom, id: 9223372036854775807n },
          ],
          { distinct: true },
        ),
        'distinct body/1/id',
      ],
      'a record on two pages': [
        listed([rex, tom], { pages: [[rex], [rex, tom]], page: asPage({}) }),
        'distinct body/1/id',
      ],
      'pages that lack a record': [listed([rex, tom], { pages: [[rex]], page: asPage({}) }), 'covers body'],
      'other records than before': [listed([rex], { same: [[rex, tom]], page: asPage({}) }), 'same body'],
      'more than the limit': [listed([rex, tom], { atMost: 1 }), 'limit body'],
      'no more than there may be': [listed([rex], { moreThan: 1, page: asPage({}) }), 'more body'],
      'a page that is shorter than its limit': [
        listed(many(2), { full: { limit: 3, of: [many(5)], gap: 'short-pages' } }),
        'full body (information)',
      ],
      'a page that is shorter than its limit, strictly': [
        listed(many(2), { full: { limit: 3, of: [many(5)], gap: 'short-pages' } }, { strict: true }),
        'full body',
      ],
      'what was refused': [
        listed(
          [rex, { ...tom, name: 'cfmarkab' }],
          { noneRefused: 'createPet' },
          { mark: 'cfmar', knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createPet') },
        ),
        'refused body/1/name',
      ],
      'what another operation refused': [
        listed(
          [{ ...tom, name: 'cfmarkab' }],
          { noneRefused: 'createPet' },
          { mark: 'cfmar', knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createCat') },
        ),
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
      'another number than it says': [
        listedIn({ total: 3, data: [rex] }, { total: { at: '/total' }, page: asPage({}, '/data') }),
        'total body/total',
      ],
      'another number than a header field says': [
        listed([rex], { total: { header: 'X-Total-Count' }, page: asPage({}) }, { headers: { 'x-total-count': '2' } }),
        'total header/x-total-count',
      ],
      'no number of all records': [
        listedIn({ data: [rex] }, { total: { at: '/total' }, page: asPage({}, '/data') }),
        'needs',
      ],
      'another value than on another page': [
        listed([rex], {
          covers: { of: [[rex]], in: [[{ ...rex, name: 'Tom' }]], field: 'categoryId', value: 7 },
          page: asPage({}),
        }),
        'name body/*/name',
      ],
      'less than the whole list has': [
        listed([rex, tom], {
          covers: { of: [[rex, tom]], in: [[rex]], field: 'categoryId', value: 7 },
          page: asPage({}),
        }),
        'covers body',
      ],
      'a filtered list of several pages that lacks a record, while others write': [
        listed([rex], {
          covers: { of: [[rex, tom]], in: [[tom], [tom]], field: 'name', value: 'Rex' },
          page: asPage({}),
        }),
        'needs',
      ],
      'a filtered list of records that all have the value': [
        listed([rex], { covers: { of: [[rex]], in: [[rex]], field: 'name', value: 'Rex' }, page: asPage({}) }),
        'needs',
      ],
      'a list whose end is not known': [listed([rex], { whole: true, page: asTurned({ isLast: true }) }), 'needs'],
      'nothing that fits in the whole list': [
        listed([], { covers: { of: [[rex]], in: [[]], field: 'name', value: 'Tom' }, page: asPage({}) }),
        'needs',
      ],
    },
  },
};
