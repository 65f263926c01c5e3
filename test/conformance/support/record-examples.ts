import type { RecordPlace } from '../../../src/conformance/model/records.js';
import type { Exchanged } from './check-context.js';
import { rex, type CheckExamples } from './check-examples.js';

export const PLACE: RecordPlace = { at: '', keyProperty: 'id', fields: ['name', 'categoryId', 'status'] };
export const DATA: RecordPlace = { ...PLACE, at: '/data' };

/** A record that is fetched, of which rules are asked. */
const got = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  operation: 'getPet',
  body,
  expect: { record: { ...PLACE, ...rules } },
  ...more,
});
const DROPPED = { without: { status: 'available' }, dropped: ['status'] };
const STATES = { states: { status: 'available' } };

/** For the check on one record. */
export const recordExamples: Record<string, CheckExamples> = {
  record: {
    sound: {
      'as it was sent': got(rex, { like: { name: 'Rex' }, key: 1 }),
      'another value in a field that is not compared': got(rex, { like: { name: 'Tom' }, except: ['name'] }),
      'a value of its own in what is read only, and the default': got(
        { ...rex, status: 'available' },
        { unlike: { id: 48 }, ...STATES },
      ),
      'a field that is left out, since it has its default': got(
        { id: 1, name: 'Rex', categoryId: 7 },
        { like: { status: 'available' }, defaults: { status: 'available' } },
      ),
    },
    broken: {
      'another value': [got(rex, { like: { name: 'Tom' } }), 'name body/name'],
      'a rounded number': [
        got({ ...rex, categoryId: 9007199254740992 }, { like: { categoryId: 9007199254740993n } }),
        'categoryId body/categoryId',
      ],
      'a field that is gone': [
        got({ id: 1, name: 'Rex' }, { like: rex }),
        'categoryId body/categoryId',
        'status body/status',
      ],
      'another record': [got(rex, { key: 7 }), 'key body/id'],
      'a key that another has': [got(rex, { notKey: 1 }, { operation: 'createPet', status: 201 }), 'new-key body/id'],
      'a value from before the replacement': [
        got({ ...rex, status: 'available' }, DROPPED),
        'status dropped body/status',
      ],
      'what a client made of a field that is read only': [
        got(rex, { unlike: { name: 'Rex' } }),
        'name read only body/name',
      ],
      'none of the fields that have a default': [got({ id: 1 }, STATES), 'needs'],
    },
  },
};
