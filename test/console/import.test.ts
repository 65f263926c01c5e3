import { describe, expect, test } from 'vitest';
import { readFile, writeCsv, type Imported } from '../../src/console/collections/import.js';
import { listFields } from '../../src/console/collections/fields.js';

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

  test('that cannot be read are refused with the place', () => {
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

  test('that lists something else is refused with its place', () => {
    expect(() => readRecords('a.json', '[{},\n 5]')).toThrow('a.json:2:2: a record is a JSON object.');
  });

  test.each([['{"records":{}}'], ['[1,'], ['records: {}']])('%s is a data set, which the mock reads', (text) => {
    expect(readFile('a.json', text, FIELDS)).toEqual({ kind: 'pack', text });
  });
});
