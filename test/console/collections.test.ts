import { describe, expect, test } from 'vitest';
import {
  EMPTY_TEXT,
  fromDraft,
  makePatch,
  placeProblems,
  toDraft,
  type Entry,
} from '../../src/console/collections/draft.js';
import {
  EVERYTHING,
  listColumns,
  listFields,
  nextSort,
  NOT_SET,
  selectRecords,
  type Selection,
} from '../../src/console/collections/fields.js';
import { readFile, writeCsv, type Imported } from '../../src/console/collections/import.js';
import type { KeptRecord } from '../../src/console/types.js';
import { words } from '../support/words.js';

const SCHEMA = {
  required: ['title', 'state'],
  properties: {
    note: { type: ['string', 'null'], description: 'For the owner.' },
    title: { type: ['string'] },
    id: { type: ['integer'] },
    state: { type: ['string'], enum: ['open', 'done', null] },
    due: { type: ['string'], format: 'date', description: 'When it ends.' },
    tags: { type: ['array'] },
    either: { type: ['string', 'integer'] },
    size: { type: ['number', 'null'], readOnly: true },
    isOld: { type: ['boolean'] },
    any: {},
  },
};

test('the key comes first, then what each record has, then the rest, each in the order of the contract', () => {
  expect(listFields(SCHEMA, 'id').map(({ name }) => name)).toEqual(words`
    id title state note due tags either size isOld any
  `);
});

test('a property is written as its types ask for, and as JSON where they leave it open', () => {
  const fields = listFields(SCHEMA, 'id');
  expect(fields.map(({ name, kind }) => `${name}:${kind}`)).toEqual(words`
    id:number title:text state:choice note:text due:text tags:json either:json size:number isOld:choice any:json
  `);
  const of = (wanted: string): unknown => fields.find(({ name }) => name === wanted);

  expect(of('state')).toMatchObject({ choices: ['open', 'done'], required: true });
  expect(of('isOld')).toMatchObject({ choices: [true, false], required: false });
  expect(of('size')).toMatchObject({ readOnly: true });
  expect(of('due')).toMatchObject({ hint: 'When it ends.', form: 'A date, such as 2030-12-05.' });
});

test('of a long description the beginning is shown, on one line', () => {
  const a = { description: `One\n  two ${'x'.repeat(300)}` };
  const [field] = listFields({ required: [], properties: { a } }, 'id');
  expect(field?.hint).toMatch(/^One two x+…$/);
  expect(field?.hint.length).toBeLessThan(210);
});

test('the columns do not depend on the record that is on top; what the contract does not name comes last', () => {
  const fields = listFields(SCHEMA, 'id');
  const last = { apple: 1, id: 3 };
  expect(listColumns(fields, [{ zebra: 1, any: 2 }, last])).toEqual([
    ...fields.map(({ name }) => name),
    'apple',
    'zebra',
  ]);
  expect(listColumns(fields, [])).toEqual(fields.map(({ name }) => name));
});

test('what the mock rejects stands at its field, and the rest above', () => {
  const violations = [
    { pointer: '/name', message: 'body/name must be a string, but is 1' },
    { pointer: '/name', message: 'body/name is too long' },
    { pointer: '/a~1b/0/c', message: 'body/a~1b/0/c is required' },
    { pointer: '', message: 'body must have fewer properties' },
    { pointer: '/other', message: 'body/other is not known' },
  ];
  const rejection = { message: 'this pet breaks the contract', violations };
  expect(placeProblems(rejection, [{ name: 'name' }, { name: 'a/b' }])).toEqual({
    byField: { name: 'Must be a string, but is 1; Is too long', 'a/b': 'a~1b/0/c is required' },
    general: 'must have fewer properties; other is not known',
  });
  expect(placeProblems({ message: 'it is full', violations: [] }, [])).toEqual({ byField: {}, general: 'it is full' });
});

const IN_FORM = listFields(
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
  fromDraft({ ...toDraft(before, IN_FORM), ...changes }, before, IN_FORM);

test('a form that nobody touched gives the same record, whatever is in it', () => {
  const price = (): string => '0.10000000000000000001';
  const before = { more: [null], name: null, id: 9223372036854775807n, price, state: 'gone', address: { a: 1n } };

  expect(change(before, {})).toEqual({ entry: before });
  expect(Object.keys((change(before, { name: 'x' }) as { entry: Entry }).entry)).toEqual(Object.keys(before));
});

test.each([
  ['-9223372036854775808', -9223372036854775808n],
  ['12', 12],
  ['1e2', 100],
  ['007', '007'],
  ['0x10', '0x10'],
])('the number %s is sent as %s', (text, value) => {
  expect(change({ name: 'a' }, { price: text })).toEqual({ entry: { name: 'a', price: value } });
});

test('a text is emptied or left out as one says, and what the form does not show stays', () => {
  expect(change({ name: 'a' }, { name: EMPTY_TEXT })).toEqual({ entry: { name: '' } });
  expect(change({ name: '', price: 1 }, { price: '2' })).toEqual({ entry: { name: '', price: 2 } });
  expect(change({ name: '' }, { name: '' })).toEqual({ entry: {} });
  const record = { id: 1, name: 'a', price: 3, more: 1 };
  expect(change(record, { name: '', price: ' ' })).toEqual({ entry: { id: 1, more: 1 } });
});

test('a choice is the value of the contract, not its text', () => {
  expect(change({}, { state: '7' })).toEqual({ entry: { state: 7 } });
  expect(change({}, { state: 'true' })).toEqual({ entry: { state: true } });
  expect(toDraft({ state: 'done' }, IN_FORM)['state']).toBe('"done"');
});

test('what is no JSON is told at its field', () => {
  expect(change({}, { address: '{' })).toEqual({
    problems: { address: expect.stringMatching(/^This is not JSON: ./) },
  });
  expect(change({}, { address: '{"a":[1]}' })).toEqual({ entry: { address: { a: [1] } } });
});

test('a patch has what changed, and null for what was taken out', () => {
  const before = { id: 1, name: 'Rex', status: 'sold', address: { street: 'A', city: 'B' }, tags: [1, 2] };
  const after = { id: 1, name: 'Max', address: { city: 'B', zip: '1' }, tags: [1], large: 9007199254740993n };
  const address = { street: null, zip: '1' };
  expect(makePatch(before, after)).toEqual({ name: 'Max', status: null, address, tags: [1], large: 9007199254740993n });
  expect(makePatch(before, { ...before })).toEqual({});
});

const exact = (): string => '1e400';

const ALL: KeptRecord[] = [
  { id: 1, name: 'Rex', size: 10, state: 'open', address: { city: 'Ulm' } },
  { id: 2, name: 'ada', size: 9, state: 'done' },
  { id: 3, name: 'Item 10', size: 9007199254740993n, state: 'open' },
  { id: 4, name: 'Item 9', size: 9007199254740992n },
  { id: 5, name: 'Zoe', size: exact, state: null },
  { id: 6, size: 'large', state: 7 },
].map((record) => ({ record, origin: 'fixture' }));

const idsOf = (selection: Partial<Selection>): unknown[] =>
  selectRecords(ALL, { ...EVERYTHING, ...selection }).map(({ record }) => record['id']);

test('a search looks into all values, in nested ones too, without regard to case', () => {
  expect(idsOf({ search: 'REX' })).toEqual([1]);
  expect(idsOf({ search: ' ulm ' })).toEqual([1]);
  expect(idsOf({ search: '740993' })).toEqual([3]);
  expect(idsOf({ search: 'city' })).toEqual([]);
  expect(idsOf({ search: ' ' })).toHaveLength(6);
});

test('a filter tells a number from its text, and finds what is not set', () => {
  expect(idsOf({ filters: { state: '"open"' } })).toEqual([1, 3]);
  expect(idsOf({ filters: { state: '7' } })).toEqual([6]);
  expect(idsOf({ filters: { state: NOT_SET } })).toEqual([4, 5]);
  expect(idsOf({ filters: { state: '' } })).toHaveLength(6);
  expect(idsOf({ filters: { state: '"open"' }, search: 'item' })).toEqual([3]);
});

test('numbers are sorted by their value, however large, before texts', () => {
  expect(idsOf({ sort: { name: 'size', down: false } })).toEqual([2, 1, 4, 3, 5, 6]);
  expect(idsOf({ sort: { name: 'size', down: true } })).toEqual([6, 5, 3, 4, 1, 2]);
});

test('texts are sorted as a person would, and what is not set comes last in both directions', () => {
  expect(idsOf({ sort: { name: 'name', down: false } })).toEqual([2, 4, 3, 1, 5, 6]);
  expect(idsOf({ sort: { name: 'name', down: true } })).toEqual([5, 1, 3, 4, 2, 6]);
});

test('without an order it is that of the API, to which the third press on a header goes back', () => {
  expect(idsOf({})).toEqual([1, 2, 3, 4, 5, 6]);
  const first = nextSort(undefined, 'name');
  const second = nextSort(first, 'name');
  expect([first?.down, second?.down, nextSort(second, 'name')]).toEqual([false, true, undefined]);
  expect(second).toEqual({ name: 'name', down: true });
  expect(nextSort(second, 'id')).toEqual({ name: 'id', down: false });
});

const FIELDS = listFields(
  {
    required: ['id'],
    properties: {
      id: { type: ['integer'] },
      name: { type: ['string'] },
      price: { type: ['number'] },
      status: { type: ['string'], enum: ['new', 'sold'] },
      sold: { type: ['boolean'] },
      tags: { type: ['array'] },
    },
  },
  'id',
);

function readRecords(name: string, text: string): Imported & { kind: 'records' } {
  const read = readFile(name, text, FIELDS);
  if (read.kind !== 'records') throw new Error('it is a data set');
  return read;
}

describe('records from CSV', () => {
  test('have the types of the contract; an empty cell is left out, an empty text in quotes is not', () => {
    const text = 'id,name,price,status,sold,tags,extra\r\n1,007,3.50,sold,true,"[""a"",""b""]",5\n2,"",,,,,\n';
    expect(readRecords('a.csv', text).records).toEqual([
      { id: 1, name: '007', price: 3.5, status: 'sold', sold: true, tags: ['a', 'b'], extra: 5 },
      { id: 2, name: '' },
    ]);
  });

  test('may have commas, quotes and line breaks in quotes, another separator, and a byte order mark', () => {
    expect(readRecords('a.csv', '\uFEFFid;name\n1;"a;""b""\nc"\n').records).toEqual([{ id: 1, name: 'a;"b"\nc' }]);
  });

  test('keep their places: the line and the column of the cell that a pointer means', () => {
    const { placeOf } = readRecords('a.csv', 'id,name\n1,"two\nlines"\nx,Ada\n');
    expect([placeOf(1, '/id'), placeOf(1, '/name'), placeOf(1, '')]).toEqual(['a.csv:4:1', 'a.csv:4:3', 'a.csv:4:1']);
  });

  test('that cannot be read are rejected with the place', () => {
    expect(() => readRecords('a.csv', 'id,name\n1,"open\n')).toThrow('a.csv:2:3: this quote is not closed.');
    expect(() => readRecords('a.csv', 'id\n1,2\n')).toThrow('a.csv:2:3: the first line has no name for this value.');
    expect(() => readRecords('a.csv', '')).toThrow('a.csv:1:1: the first line must have the names of the fields.');
  });

  test('are what was written', () => {
    const records = [
      { id: 9007199254740993n, name: 'a "b", c', tags: ['x'], sold: false },
      { id: 2, name: '', price: 1 },
    ];
    const text = writeCsv(records, FIELDS);
    expect(text).toContain('id,name,price,status,sold,tags\r\n9007199254740993,"a ""b"", c"');
    expect(readRecords('a.csv', text).records).toEqual(records);
  });
});

describe('a file of JSON', () => {
  test('that is a list has records, with line and column', () => {
    const { records, placeOf } = readRecords('a.json', '[\n  {"id": 1},\n  {"id": "x"}\n]');
    expect(records).toEqual([{ id: 1 }, { id: 'x' }]);
    expect([placeOf(1, '/id'), placeOf(1, '/name')]).toEqual(['a.json:3:10', 'a.json:3:3']);
  });

  test('that lists something else is rejected with its place', () => {
    expect(() => readRecords('a.json', '[{},\n 5]')).toThrow('a.json:2:2: a record is a JSON object.');
  });

  test.each([['{"records":{}}'], ['[1,'], ['records: {}']])('%s is a data set, which the mock reads', (text) => {
    expect(readFile('a.json', text, FIELDS)).toEqual({ kind: 'pack', text });
  });
});
