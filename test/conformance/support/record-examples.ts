import type { AskedPage } from '../../../src/conformance/model/page-walk.js';
import type { RecordPlace } from '../../../src/conformance/model/record-rules.js';
import { rex, tom, type CheckExamples } from './check-examples.js';

const PLACE: RecordPlace = { at: '', keyProperty: 'id', fields: ['name', 'categoryId', 'status'] };
const DATA: RecordPlace = { ...PLACE, at: '/data' };

function asPage(page: Partial<AskedPage>, at = ''): AskedPage {
  const walk = { kind: 'offset', parameter: undefined, first: 0, at, length: 5, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
}

/** A list that can be read on. */
function asTurned(page: Partial<AskedPage>): AskedPage {
  const asked = asPage(page);
  return { ...asked, walk: { ...asked.walk, parameter: 'offset' } };
}

/** The checks that know no resource by name. */
export const recordExamples: Record<string, CheckExamples> = {
  record: {
    sound: {
      'as it was sent': {
        operation: 'getPet',
        body: rex,
        expect: { record: { ...PLACE, like: { name: 'Rex' }, key: 1 } },
      },
      'in an envelope': {
        operation: 'getPet',
        body: { data: rex },
        expect: { record: { ...DATA, like: { name: 'Rex' } } },
      },
      'another value in a field that is not compared': {
        operation: 'getPet',
        body: rex,
        expect: { record: { ...PLACE, like: { name: 'Tom' }, except: ['name'] } },
      },
      'a field that was dropped and is back at something else': {
        operation: 'getPet',
        body: { ...rex, status: 'sold' },
        expect: { record: { ...PLACE, without: { status: 'available' }, dropped: ['status'] } },
      },
      'a value of its own in what is read only, and the default': {
        operation: 'getPet',
        body: { ...rex, status: 'available' },
        expect: { record: { ...PLACE, unlike: { id: 48 }, states: { status: 'available' } } },
      },
      'a field that is left out, since it has its default': {
        operation: 'getPet',
        body: { id: 1, name: 'Rex', categoryId: 7 },
        expect: { record: { ...PLACE, like: { status: 'available' }, defaults: { status: 'available' } } },
      },
      'a refusal, which is told elsewhere': {
        operation: 'getPet',
        status: 404,
        body: { code: 'x', message: 'y', status: 404 },
        expect: { record: { ...PLACE, like: rex } },
      },
    },
    broken: {
      'another value': [
        { operation: 'getPet', body: rex, expect: { record: { ...PLACE, like: { name: 'Tom' } } } },
        'name body/name',
      ],
      'another record': [{ operation: 'getPet', body: rex, expect: { record: { ...PLACE, key: 7 } } }, 'key body/id'],
      'a key that another has': [
        { operation: 'createPet', status: 201, body: rex, expect: { record: { ...PLACE, notKey: 1 } } },
        'new-key body/id',
      ],
      'a value from before the replacement': [
        {
          operation: 'getPet',
          body: { ...rex, status: 'available' },
          expect: { record: { ...PLACE, without: { status: 'available' }, dropped: ['status'] } },
        },
        'status dropped body/status',
      ],
      'what a client made of a field that is read only': [
        { operation: 'getPet', body: rex, expect: { record: { ...PLACE, unlike: { name: 'Rex' } } } },
        'name read only body/name',
      ],
      'another value than the default': [
        {
          operation: 'getPet',
          body: { ...rex, status: 'sold' },
          expect: { record: { ...PLACE, states: { status: 'available' } } },
        },
        'status default body/status',
      ],
      'none of the fields that have a default': [
        { operation: 'getPet', body: { id: 1 }, expect: { record: { ...PLACE, states: { status: 'available' } } } },
        'needs',
      ],
      'none of what was sent': [
        { operation: 'getPet', body: rex, expect: { record: { ...PLACE, fields: ['status'], like: { name: 'Tom' } } } },
        'needs',
      ],
      'no record': [{ operation: 'getPet', body: { data: null }, expect: { record: { ...DATA, like: rex } } }, 'needs'],
    },
  },
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
            covers: { of: [{ data: [rex] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' },
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
      'what was sent once, twice': [
        {
          body: [
            { ...rex, name: 'CfMarkaa' },
            { ...tom, name: 'CfMarkaa' },
          ],
          expect: {
            records: { ...PLACE, own: ['name'], has: [{ key: 1, like: { name: 'CfMarkaa' } }], page: asPage({}) },
          },
        },
        'once body/1/name',
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
