import { expect, test } from 'vitest';
import { EMPTY_TEXT, fromDraft, toDraft, type Entry } from '../../src/console/collections/draft.js';
import { listFields } from '../../src/console/collections/fields.js';

const FIELDS = listFields(
  {
    required: ['name'],
    properties: {
      id: { type: ['integer'] },
      name: { type: ['string', 'null'] },
      price: { type: ['number'] },
      state: { enum: ['open', 'done', 7, true] },
      address: { type: ['object'] },
    },
  },
  'id',
);

const change = (before: Entry, changes: Record<string, string>): unknown =>
  fromDraft({ ...toDraft(before, FIELDS), ...changes }, before, FIELDS);

test('a form that nobody touched gives the same record, whatever is in it', () => {
  const exact = (): string => '0.10000000000000000001';
  const before = {
    more: [null],
    name: null,
    id: 9223372036854775807n,
    price: exact,
    state: 'gone',
    address: { a: 1n },
  };
  expect(change(before, {})).toEqual({ entry: before });
  expect(Object.keys((change(before, { name: 'x' }) as { entry: Entry }).entry)).toEqual(Object.keys(before));
});

test.each([
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['12', 12],
  [' 1.5 ', 1.5],
  ['1e2', 100],
  ['007', '007'],
  ['twelve', 'twelve'],
  ['0x10', '0x10'],
])('the number %s is sent as %s', (text, value) => {
  expect(change({ name: 'a' }, { price: text })).toEqual({ entry: { name: 'a', price: value } });
});

test('a text is emptied, or left out, as one says', () => {
  expect(change({ name: 'a' }, { name: EMPTY_TEXT })).toEqual({ entry: { name: '' } });
  expect(change({ name: '' }, {})).toEqual({ entry: { name: '' } });
  expect(change({ name: '' }, { name: '' })).toEqual({ entry: {} });
});

test('a choice is the value of the contract, not its text', () => {
  expect(change({}, { state: '7' })).toEqual({ entry: { state: 7 } });
  expect(change({}, { state: 'true' })).toEqual({ entry: { state: true } });
  expect(toDraft({ state: 'done' }, FIELDS)['state']).toBe('"done"');
});

test('what is emptied is left out, and what the form does not show stays', () => {
  expect(change({ id: 1, name: 'a', price: 3, more: 1 }, { name: '', price: ' ' })).toEqual({
    entry: { id: 1, more: 1 },
  });
});

test('an empty text that was there stays', () =>
  expect(change({ name: '', price: 1 }, { price: '2' })).toEqual({ entry: { name: '', price: 2 } }));

test('what is no JSON is told at its field', () => {
  expect(change({}, { address: '{' })).toEqual({
    problems: { address: expect.stringMatching(/^This is not JSON: ./) },
  });
  expect(change({}, { address: '{"a":[1]}' })).toEqual({ entry: { address: { a: [1] } } });
});
