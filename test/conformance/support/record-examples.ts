import { parseJson } from '../../../src/contract/document/json.js';
import type { RecordPlace } from '../../../src/conformance/model/record-rules.js';
import { rex, type CheckExamples } from './check-examples.js';

export const PLACE: RecordPlace = { at: '', keyProperty: 'id', fields: ['name', 'categoryId', 'status'] };
export const DATA: RecordPlace = { ...PLACE, at: '/data' };

/** With numbers as a body has them. */
function parse(text: string): unknown {
  const result = parseJson(text);
  return result.ok ? result.value : undefined;
}

/** For the check on one record. */
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
      'a number that is written otherwise': {
        operation: 'getPet',
        text: '{"id":1,"name":"Rex","categoryId":1e+300}',
        expect: { record: { ...PLACE, like: parse('{"categoryId":1e300}') } },
      },
      'a refusal, which is told elsewhere': {
        operation: 'getPet',
        status: 404,
        body: { code: 'x', message: 'y', status: 404 },
        expect: { status: 200, record: { ...PLACE, like: rex } },
      },
    },
    broken: {
      'another value': [
        { operation: 'getPet', body: rex, expect: { record: { ...PLACE, like: { name: 'Tom' } } } },
        'name body/name',
      ],
      'a rounded number': [
        {
          operation: 'getPet',
          body: { ...rex, categoryId: 9007199254740992 },
          expect: { record: { ...PLACE, like: { categoryId: 9007199254740993n } } },
        },
        'categoryId body/categoryId',
      ],
      'a rounded key': [
        {
          operation: 'getPet',
          body: { ...rex, id: 9007199254740992 },
          expect: { record: { ...PLACE, key: 9007199254740993n } },
        },
        'key body/id',
      ],
      'a value in capitals': [
        { operation: 'getPet', body: { ...rex, name: 'REX' }, expect: { record: { ...PLACE, like: rex } } },
        'name body/name',
      ],
      'a field that is gone': [
        { operation: 'getPet', body: { id: 1, name: 'Rex' }, expect: { record: { ...PLACE, like: rex } } },
        'categoryId body/categoryId',
        'status body/status',
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
};
