import { describe, expect, test } from 'vitest';
import {
  listUnique,
  saidRelation,
  saysDependent,
  saysLeft,
  saysTidied,
  saysTolerated,
} from '../../../src/contract/operations/said-in-words.js';

describe('a PUT', () => {
  test.each(['Attributes that are left out stay as they are', 'Merges the body into the record.', 'Partial.'])(
    'that leaves what it does not name: %s',
    (description) => {
      expect(saysLeft({ description })).toBe(true);
    },
  );

  test.each([
    undefined,
    'Replaces a recipe',
    'Replaces it whole. `id` and `createdAt` stay.',
    'What is left out is reset to its default',
  ])('that may remove it: %s', (description) => expect(saysLeft({ description })).toBe(false));
});

describe('a text', () => {
  test.each([
    'Kept in lower case and without duplicates.',
    'trimmed',
    'Stored upper-cased',
    'White space is collapsed',
    'Normalized (NFC)',
  ])('that is kept in another form: %s', (description) => expect(saysTidied({ description })).toBe(true));

  test.each([undefined, 'What it is called', 'In case of fire'])('that is kept as it is: %s', (description) => {
    expect(saysTidied({ description })).toBe(false);
  });
});

describe('a parameter', () => {
  test.each([
    'Values that are no positive numbers are ignored.',
    'At most 50, more is cut to that.',
    'Anything that cannot be used counts as 10.',
    '`true` gives the archived ones only. Anything else than `true` gives the others.',
    'Clamped to 1..100',
    'The page. Unknown values are treated as the first.',
  ])('of which no value is refused: %s', (description) => expect(saysTolerated({ description })).toBe(true));

  test.each([
    undefined,
    'How many items to return at one time (max 100)',
    'Ignored when `q` is given',
    'Only those that belong to the owner; gives an empty list for one without any',
    'A limit of more than 100 is refused',
  ])('of which a wrong value may be refused: %s', (description) => expect(saysTolerated({ description })).toBe(false));
});

test.each([
  ['Only articles whose day is this day or later.', 'from'],
  ['At least this price', 'from'],
  ['Not before this day', 'from'],
  ['Only articles whose day is this day or earlier.', 'to'],
  ['Not after this day', 'to'],
  ['The price, at most', 'to'],
  ['Only those after this time', 'after'],
  ['On or after this day', 'from'],
  ['Only those before this time', 'before'],
  ['Names that contain this text', 'like'],
  ['part of the name', 'like'],
  ['At least this, up to that', undefined],
  ['Only those with this status', undefined],
  ['The owner, available since version 2', undefined],
  ['Up to three values', undefined],
  ['One or more owners', undefined],
  ['Read before the search', undefined],
  [undefined, undefined],
] as const)('"%s" compares by %s', (description, relation) => {
  expect(saidRelation({ description })).toBe(relation);
});

test('a field depends on what its description names of other fields', () => {
  const others = new Set(['kind', 'receipt', 'startDate']);
  expect(saysDependent({ description: 'More than 0 for `receipt`' }, others)).toBe(true);
  expect(saysDependent({ description: 'Not before "startDate".' }, others)).toBe(true);
  expect(saysDependent({ description: 'More than 0 on receipt of `goods`' }, others)).toBe(false);
  expect(saysDependent({}, others)).toBe(false);
});

test.each([
  ['Another customer has this e-mail address.', ['email']],
  ['The user name is already taken', ['userName']],
  ['It exists already.', []],
  ['The email of the last request is in use.', []],
  [undefined, []],
])('of what "%s" says one record alone has a value', (description, fields) => {
  expect(listUnique({ description }, ['id', 'email', 'userName'])).toEqual(fields);
});
