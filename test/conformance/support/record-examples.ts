import type { AskedPage, RecordPlace } from '../../../src/conformance/scenarios/scenario.js';
import { rex, tom, type CheckExamples } from './check-examples.js';

const PLACE: RecordPlace = { at: '', keyProperty: 'id', fields: ['name', 'categoryId', 'status'] };
const DATA: RecordPlace = { ...PLACE, at: '/data' };

function asPage(page: Partial<AskedPage>, length = 5): AskedPage {
  const walk = { kind: 'offset', parameter: 'offset', first: 0, at: '', length, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
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
        expect: { records: { ...PLACE, has: [{ key: 1, like: { name: 'Rex' } }], distinct: true, page: asPage({}) } },
      },
      'a record on an earlier page': {
        body: [tom],
        expect: { records: { ...PLACE, has: [{ key: 1 }], page: asPage({ before: [rex] }) } },
      },
      'a page that others follow': {
        body: [tom],
        expect: { records: { ...PLACE, has: [{ key: 1 }], page: asPage({}, 1) } },
      },
      'a whole list without a record': { body: [rex], expect: { records: { ...PLACE, lacks: [2], page: asPage({}) } } },
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
        { body: [tom], expect: { records: { ...PLACE, has: [{ key: 1 }], page: asPage({ isLast: true }, 1) } } },
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
        { body: [rex], expect: { records: { ...PLACE, distinct: 'overall', page: asPage({ before: [rex] }) } } },
        'distinct body/0/id',
      ],
      'more than the limit': [{ body: [rex, tom], expect: { records: { ...PLACE, atMost: 1 } } }, 'limit body'],
      'another value than was filtered by': [
        { body: [rex], expect: { records: { ...PLACE, every: { name: 'Tom' } } } },
        'filter body/0/name',
      ],
      'less than the whole list has': [
        { body: [rex], expect: { records: { ...PLACE, covers: { of: [[rex, tom]] }, page: asPage({}) } } },
        'covers body',
      ],
      'nothing that fits in the whole list': [
        {
          body: [],
          expect: { records: { ...PLACE, covers: { of: [[rex]], field: 'name', value: 'Tom' }, page: asPage({}) } },
        },
        'needs',
      ],
    },
  },
};
