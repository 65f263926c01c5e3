import type { AskedPage } from '../../../src/conformance/model/page-walk.js';
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

/** For the check on the records of a list. */
export const listExamples: Record<string, CheckExamples> = {
  records: {
    sound: {
      'the record, as it was sent': {
        body: [rex, tom],
        expect: {
          records: { ...PLACE, has: [{ key: 1, like: { name: 'Rex' } }], distinct: true, page: asPage({}, '/data') },
        },
      },
      'a record on an earlier page': {
        body: [tom],
        expect: { records: { ...PLACE, has: [{ key: 1 }], page: asPage({ before: [rex] }) } },
      },
      'a page that others follow': {
        body: [tom],
        expect: { records: { ...PLACE, has: [{ key: 1 }], page: asTurned({}) } },
      },
      'a whole list without a record': { body: [rex], expect: { records: { ...PLACE, lacks: [2], page: asPage({}) } } },
      'as many as it says, and the same as on another page': {
        body: { total: 2, data: [rex, tom] },
        expect: {
          records: {
            ...DATA,
            total: { at: '/total' },
            covers: { of: [{ data: [rex, tom] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' },
            page: asPage({}, '/data'),
          },
        },
      },
      'as many as a header field says': {
        body: [rex],
        headers: { 'x-total-count': '1' },
        expect: { records: { ...PLACE, total: { header: 'X-Total-Count' }, page: asPage({}) } },
      },
      'a page beyond the last that has the last again': {
        body: [rex, tom],
        expect: { records: { ...PLACE, pages: [[rex], [tom], [tom]], page: asPage({}) } },
      },
      'a page as long as its limit': {
        body: many(2),
        expect: { records: { ...PLACE, full: { limit: 2, of: [many(5)], gap: 'short-pages' }, moreThan: 1 } },
      },
      'all that there is, where that is less than the limit': {
        body: many(2),
        expect: { records: { ...PLACE, full: { limit: 3, of: [many(2)], gap: 'short-pages' } } },
      },
      'nothing of what was refused': {
        body: [rex],
        mark: 'cfmar',
        knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createPet'),
        expect: { records: { ...PLACE, noneRefused: 'createPet' } },
      },
      'only what fits': { body: [rex, tom], expect: { records: { ...PLACE, every: { categoryId: 7 }, atMost: 2 } } },
    },
    broken: {
      'no such record': [
        { body: [tom], expect: { records: { ...PLACE, has: [{ key: 1 }], page: asPage({}) } } },
        'present body',
      ],
      'another value': [
        { body: [rex], expect: { records: { ...PLACE, has: [{ key: 1, like: { name: 'Tom' } }], page: asPage({}) } } },
        'name body/*/name',
      ],
      'a list that goes on': [
        { body: [tom], expect: { records: { ...PLACE, has: [{ key: 1 }], page: asTurned({ isLast: true }) } } },
        'needs',
      ],
      'a record that must not be there': [
        { body: [rex], expect: { records: { ...PLACE, lacks: ['1'], page: asPage({}) } } },
        'absent body/0',
      ],
      'a record twice in a page': [
        { body: [rex, rex], expect: { records: { ...PLACE, distinct: true } } },
        'distinct body/1/id',
      ],
      'a large key twice': [
        {
          body: [
            { ...rex, id: 9223372036854775807n },
            { ...tom, id: 9223372036854775807n },
          ],
          expect: { records: { ...PLACE, distinct: true } },
        },
        'distinct body/1/id',
      ],
      'a record on two pages': [
        { body: [rex, tom], expect: { records: { ...PLACE, pages: [[rex], [rex, tom]], page: asPage({}) } } },
        'distinct body/1/id',
      ],
      'pages that lack a record': [
        { body: [rex, tom], expect: { records: { ...PLACE, pages: [[rex]], page: asPage({}) } } },
        'covers body',
      ],
      'other records than before': [
        { body: [rex], expect: { records: { ...PLACE, same: [[rex, tom]], page: asPage({}) } } },
        'same body',
      ],
      'more than the limit': [{ body: [rex, tom], expect: { records: { ...PLACE, atMost: 1 } } }, 'limit body'],
      'no more than there may be': [
        { body: [rex], expect: { records: { ...PLACE, moreThan: 1, page: asPage({}) } } },
        'more body',
      ],
      'a page that is shorter than its limit': [
        { body: many(2), expect: { records: { ...PLACE, full: { limit: 3, of: [many(5)], gap: 'short-pages' } } } },
        'full body (information)',
      ],
      'a page that is shorter than its limit, strictly': [
        {
          body: many(2),
          strict: true,
          expect: { records: { ...PLACE, full: { limit: 3, of: [many(5)], gap: 'short-pages' } } },
        },
        'full body',
      ],
      'what was refused': [
        {
          body: [rex, { ...tom, name: 'cfmarkab' }],
          mark: 'cfmar',
          knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createPet'),
          expect: { records: { ...PLACE, noneRefused: 'createPet' } },
        },
        'refused body/1/name',
      ],
      'what another operation refused': [
        {
          body: [{ ...tom, name: 'cfmarkab' }],
          mark: 'cfmar',
          knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createCat'),
          expect: { records: { ...PLACE, noneRefused: 'createPet' } },
        },
        'needs',
      ],
      'no value of what was filtered by, beside others that have it': [
        { body: [rex, tom], expect: { records: { ...PLACE, every: { status: 'sold' } } } },
        'filter body/1/status',
      ],
      'what was filtered by, in capitals': [
        { body: [{ ...rex, status: 'SOLD' }], expect: { records: { ...PLACE, every: { status: 'sold' } } } },
        'filter body/0/status',
      ],
      'another value than was filtered by': [
        { body: [rex], expect: { records: { ...PLACE, every: { name: 'Tom' } } } },
        'filter body/0/name',
      ],
      'another number than it says': [
        {
          body: { total: 3, data: [rex] },
          expect: { records: { ...DATA, total: { at: '/total' }, page: asPage({}, '/data') } },
        },
        'total body/total',
      ],
      'another number than a header field says': [
        {
          body: [rex],
          headers: { 'x-total-count': '2' },
          expect: { records: { ...PLACE, total: { header: 'X-Total-Count' }, page: asPage({}) } },
        },
        'total header/x-total-count',
      ],
      'no number of all records': [
        { body: { data: [rex] }, expect: { records: { ...DATA, total: { at: '/total' }, page: asPage({}, '/data') } } },
        'needs',
      ],
      'another value than on another page': [
        {
          body: [rex],
          expect: {
            records: {
              ...PLACE,
              covers: { of: [[rex]], in: [[{ ...rex, name: 'Tom' }]], field: 'categoryId', value: 7 },
              page: asPage({}),
            },
          },
        },
        'name body/*/name',
      ],
      'less than the whole list has': [
        {
          body: [rex, tom],
          expect: {
            records: {
              ...PLACE,
              covers: { of: [[rex, tom]], in: [[rex]], field: 'categoryId', value: 7 },
              page: asPage({}),
            },
          },
        },
        'covers body',
      ],
      'a filtered list of several pages that lacks a record, while others write': [
        {
          body: [rex],
          expect: {
            records: {
              ...PLACE,
              covers: { of: [[rex, tom]], in: [[tom], [tom]], field: 'name', value: 'Rex' },
              page: asPage({}),
            },
          },
        },
        'needs',
      ],
      'a filtered list of records that all have the value': [
        {
          body: [rex],
          expect: {
            records: { ...PLACE, covers: { of: [[rex]], in: [[rex]], field: 'name', value: 'Rex' }, page: asPage({}) },
          },
        },
        'needs',
      ],
      'a list whose end is not known': [
        { body: [rex], expect: { records: { ...PLACE, whole: true, page: asTurned({ isLast: true }) } } },
        'needs',
      ],
      'nothing that fits in the whole list': [
        {
          body: [],
          expect: {
            records: { ...PLACE, covers: { of: [[rex]], in: [[]], field: 'name', value: 'Tom' }, page: asPage({}) },
          },
        },
        'needs',
      ],
    },
  },
};
