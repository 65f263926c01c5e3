import { expect, test } from 'vitest';
import { readLocationKey, repairJson } from '../../../src/conformance/http/read-response.js';

test.each([
  ['/v1/pets/7', '7'],
  ['/v1/pets/7/', '7'],
  ['7', '7'],
  ['https://example.com/v1/pets/a%20b?c=d#e', 'a b'],
  ['//example.com/7', '7'],
  ['/v1/pets/%zz', '%zz'],
  ['https://example.com/', undefined],
  ['https://example.com:8080?a=/b', undefined],
  ['/', undefined],
  [undefined, undefined],
])('%s names the record %s', (location, key) => expect(readLocationKey(location)).toBe(key));

const repair = (text: string, encoding: BufferEncoding = 'utf8'): unknown => repairJson(Buffer.from(text, encoding));
const O_MALLEY = String.raw`{'a': 'O\'Malley the "cat"', 'b': 'it's'}`;
const PYTHON = "{'a': None, 'b': [True, False], 'None': 'True'}";
const INFINITE = '[NaN,-Infinity,{"a":Infinity,"b":-1}]';

test.each([
  ['a prefix', `)]}',\n[{"a":"x"}]`, [{ a: 'x' }]],
  ['a warning', '<br />\n<b>Warning</b>: no index in <b>pets.php</b><br />\n{"a":1}', { a: 1 }],
  ['a callback', 'show([1,2]);', [1, 2]],
  ['something after it', '{"a":1}0', { a: 1 }],
  ['commas too many', '{"a":[1,2,],"b, ]":",}" , }', { a: [1, 2], 'b, ]': ',}' }],
  ['single quotation marks', O_MALLEY, { a: 'O\'Malley the "cat"', b: "it's" }],
  ['quotation marks that are not escaped', '{"a":"the "old" cat","b":"x"}', { a: 'the "old" cat', b: 'x' }],
  ['line breaks that are not escaped', '{"a":"one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
  ['numbers that JSON does not have', INFINITE, ['NaN', '-Infinity', { a: 'Infinity', b: -1 }]],
  ['words of Python', PYTHON, { a: null, b: [true, false], None: 'True' }],
  ['a value in each line', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['an integer past 2^53', "{'id':9223372036854775807}", { id: 9223372036854775807n }],
])('what is no JSON is read as what it was plainly meant to be: %s', (_, text, value) => {
  expect(repair(text)).toEqual(value);
});

test('bytes that are no UTF-8 are read as Latin-1', () =>
  expect(repair('{"a":"café"}', 'latin1')).toEqual({ a: 'café' }));

const PAGE = '<!DOCTYPE html><script>x = {"a":1}</script>';

test.each(['', 'nothing', 'true', '{"a":NaNs}', '{"a":"x', '[{"a":1},{"a":', PAGE, '<?xml version="1.0"?><a>[1]</a>'])(
  'nothing is made up for what JSON cannot say or has not come, nor read out of a page: %s',
  (text) => expect(repair(text)).toBeUndefined(),
);

test.each(["'".repeat(1e6), `["${'" '.repeat(5e5)}`, `[${','.repeat(1e6)}`, '{'.repeat(1e6), `[${'\n1'.repeat(5e5)}`])(
  'no text takes longer the more often it could end',
  (text) => expect(repair(text)).toBeUndefined(),
);
