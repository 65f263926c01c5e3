import { expect, test } from 'vitest';
import { readParts, readForm, findUnwritable, writeForm, writeWholeQuery } from '../../../src/contract/forms.js';
import type { Content, Parameter } from '../../../src/contract/model.js';
import { splitQuery } from '../../../src/contract/parameters.js';
import { parseContract } from '../../support/parse-contract.js';
import { yaml } from '../../support/yaml.js';
import {
  chooseAccepted,
  coversMediaType,
  findContent,
  narrowMediaType,
  normalizeMediaType,
} from '../../../src/contract/media-types.js';

const CONTENT = yaml<{ schema: object; encoding: object }>`
schema:
  type: object
  properties: { name: { type: string }, count: { type: integer, format: int64 }, open: { type: boolean },
    tags: { type: array, items: { type: string } }, ids: { type: array, items: { type: integer } },
    extra: { type: object, additionalProperties: { type: [integer, string] } },
    plain: { type: object, properties: { a: { type: integer } } },
    spread: { type: object, properties: { colour: { type: string }, size: { type: integer } } },
    words: { type: array, items: { type: string } },
    lists: { type: array, items: { type: object, properties: { price: { type: integer } } } },
    file: { type: string, format: binary }, either: { type: [string, integer] },
    maybe: { anyOf: [{ type: array, items: { type: integer } }, { type: 'null' }] },
    code: { anyOf: [{ type: integer, maximum: 5 }, { type: string }] } }
encoding: { extra: { style: deepObject, explode: true }, ids: { style: form, explode: false },
  words: { style: form, explode: false }, spread: { style: form, explode: true }, lists: { style: deepObject, explode: true } }
`;

function describe(mediaType: string, content: object = CONTENT): Content {
  const post = { requestBody: { content: { [mediaType]: content } }, responses: { 201: { description: 'ok' } } };
  const [operation] = parseContract({ paths: { '/things': { post } } }).operations;
  return operation?.requestBody?.content[0] as Content;
}

const form = describe('application/x-www-form-urlencoded');
const parts = describe('multipart/form-data', { ...CONTENT, encoding: {} });

const readText = (text: string, content = form): unknown => readForm(splitQuery(text, []), content);

test.each([
  [{ name: 'a b&c=ü', count: 9007199254740991 }, 'name=a+b%26c%3D%C3%BC&count=9007199254740991'],
  [{ open: false }, 'open=false'],
  [{ tags: ['a', 'b,c'] }, 'tags=a&tags=b%2Cc'],
  [{ ids: [1, 2] }, 'ids=1,2'],
  [{ words: ['a,b', 'c d'] }, 'words=a%2Cb,c%20d'],
  [{ extra: { order: 7, 'a b': 'c' } }, 'extra%5Border%5D=7&extra%5Ba+b%5D=c'],
  [{ spread: { colour: 'red', size: 3 } }, 'colour=red&size=3'],
])('%j is the form that its encoding says, and read as it was', (record, text) => {
  expect(findUnwritable(record, form)).toBe(undefined);
  expect(writeForm(record, form).text).toBe(text);
  expect(readText(text)).toEqual(record);
});

test('a query that is a form is written as its encoding says', () => {
  const { shape, encoding = {} } = form;
  const value = { words: ['a,b', 'c'], extra: { k: 1 }, tags: ['x', 'y'], plain: { a: 1 } };
  const parameter = { mediaType: form.mediaType, shape, encoding } as Parameter;
  expect(writeWholeQuery(parameter, value)).toBe('words=a%2Cb,c&extra%5Bk%5D=1&tags=x&tags=y&plain=%7B%22a%22%3A1%7D');
});

test.each([
  [{ name: null }, 'name'],
  [{ plain: { a: 1 } }, 'plain'],
  [{ extra: { a: ['b'] } }, 'extra'],
  [{ lists: [{ price: 1 }] }, 'lists'],
  [{ either: '12' }, 'either'],
  [{ file: 'bytes' }, 'file'],
])('nothing says how a form has %j', (record, name) => expect(findUnwritable(record, form)).toBe(name));

test('what is nested is read as most servers read it', () => {
  const read = { lists: [{ price: 1 }, { price: 2 }], extra: {} };
  expect(readText('lists[0][price]=1&lists[1][price]=2&extra=')).toEqual(read);
  expect(readText('lists[0][price]=1&lists[0][name]=x')).toEqual({ lists: [{ price: 1, name: 'x' }] });
  expect(readText('plain={"a":1}&ids=1&ids=2')).toMatchObject({ plain: { a: 1 } });
  expect(readText('unknown[a]=1&__proto__=x')).toEqual(JSON.parse('{ "unknown[a]": "1", "__proto__": "x" }'));
});

test('a field is read as its alternatives say', () => {
  expect(readText('maybe=1&code=7')).toEqual({ maybe: [1], code: '7' });
  expect(readText('ids=1,2&ids=3')).toEqual({ ids: [1, 2, 3] });
});

test('integers stay exact in forms', () => {
  const { text, read } = writeForm({ count: 9007199254740993n }, form);
  expect([text, String(read['count'])]).toEqual(['count=9007199254740993', '9007199254740993']);
});

test('a record is written in parts, and read as it was', () => {
  const record = { name: 'a\r\nb "c"', count: 2, tags: ['x', 'y'], plain: { a: 1 } };
  const { text, mediaType, unclear } = writeForm(record, parts);
  expect(unclear).toBe(undefined);
  const reading = readParts(Buffer.from(text), mediaType, parts);
  expect(reading.ok && readForm(reading.parts, parts)).toEqual(record);
  const plain = 'form-data; name="plain"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n';
  expect(text).toContain(`Content-Disposition: ${plain}`);
});

const part = (head: string, body = 'x'): string => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;

test.each([
  ['no end', part('name="f"'), 'b', 'the body does not end with the delimiter --b--'],
  ['no name', '--b\r\n\r\nx\r\n--b--', 'b', 'part 1 has no header fields, or malformed ones'],
  ['a name that is elsewhere', `${part('filename="f"')}--b--`, 'b', 'part 1 has no name'],
  ['no boundary', '--b--', '', 'the Content-Type multipart/form-data; boundary= has no boundary'],
])('a body with %s is rejected with the reason', (_, body, boundary, problem) => {
  const type = `multipart/form-data; boundary=${boundary}`;
  expect(readParts(Buffer.from(body), type, parts)).toEqual({ ok: false, problem });
});

test('a file is read by its octets, whatever its name', () => {
  const head = `${part('name="name"', 'ü')}--b\r\nContent-Disposition: form-data; name="file"; filename="名; a.png"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xc3, 0xbc]), Buffer.from('\r\n--b--\r\n')]);
  const reading = readParts(body, 'multipart/form-data; charset=utf-8; Boundary="b"', parts);
  expect(reading.ok && readForm(reading.parts, parts)).toEqual({ name: 'ü', file: '\u00ff\u00c3\u00bc' });
});

test.each<[range: string, includes: string[], not: string[]]>([
  ['application/json', ['application/json', 'Application/JSON; Version=1'], ['application/vnd.a+json']],
  ['application/*+json', ['application/vnd.a+json'], ['application/json', 'text/a+json']],
  ['*/json', [], ['application/json']],
  ['a/b; version=1', ['A/b; VERSION="1"'], ['a/b; version=2', 'a/b']],
  ['application/json; charset=utf-8', ['application/json'], []],
  ['text/csv; charset=iso-8859-1', ['text/csv; charset=ISO-8859-1'], ['text/csv; charset=utf-8']],
])('%s includes %j, and not %j', (range, includes, not) => {
  expect(includes.filter((mediaType) => !coversMediaType(range, mediaType))).toEqual([]);
  expect(not.filter((mediaType) => coversMediaType(range, mediaType))).toEqual([]);
});

const entries = (keys: readonly string[]): { mediaType: string }[] => keys.map((mediaType) => ({ mediaType }));

const KEYS = ['*/*', 'application/*', 'application/*+json', 'a/b', 'a/b; x=1', 'a/b; x=1; y="2 3"', 'application/json'];

test.each([
  ['application/hal+json', 'application/*+json'],
  ['application/xml', 'application/*'],
  [undefined, '*/*'],
  ['a/b; y="2 3"; x=1', 'a/b; x=1; y="2 3"'],
])('for %s the most specific key applies, in any order', (mediaType, key) => {
  expect(findContent(entries(KEYS), mediaType)?.mediaType).toBe(key);
  expect(findContent(entries(KEYS.toReversed()), mediaType)?.mediaType).toBe(key);
});

const BOTH = ['application/xml', 'application/json'];

test.each([
  [['application/json', 'text/csv'], 'text/csv;q=0.5, application/*;q=0.1', 'text/csv'],
  [BOTH, undefined, 'application/json'],
  [BOTH, '', 'application/json'],
  [BOTH, 'application/xml, */*', 'application/xml'],
  [BOTH, 'application/json;q=0, */*', 'application/xml'],
  [['application/json'], 'application/json;q=0', undefined],
  [['application/json'], 'text/html', undefined],
  [['application/json'], 'text/html, *; q=.2', 'application/json'],
  [['a/b; v=1', 'a/b; v=2', 'a/b'], 'a/b;v="2"', 'a/b; v=2'],
  [['a/b; v=1', 'a/b; v=2'], 'a/b;v=1;q=0, a/b', 'a/b; v=2'],
  [['a/b; p="x, y"'], 'c/d, a/b; p="x, y"', 'a/b; p="x, y"'],
  [['text/*'], 'text/csv', 'text/csv'],
  [['*/*'], 'text/html, */*;q=0.1', '*/*'],
  [['*/*'], 'text/html', 'text/html'],
])('of %j, %s is given %s', (keys, accept, mediaType) => {
  expect(chooseAccepted(entries(keys), accept)?.mediaType).toBe(mediaType);
});

test.each([
  [' Application/JSON;Version="1" ;charset=UTF-8', 'application/json; version=1'],
  ['a/b;p="x \\"y\\""', 'a/b; p="x \\"y\\""'],
])('%s is written as %s', (key, written) => expect(normalizeMediaType(key)).toBe(written));

test.each([
  ['application/*', 'text', 'application/octet-stream'],
  ['application/*+json', {}, 'application/vnd.example+json'],
  ['image/*', '', 'image/png'],
  ['text/*', '', 'text/plain'],
])('%s is sent as a type that it includes', (range, value, mediaType) => {
  expect(narrowMediaType(range, value)).toBe(mediaType);
  expect(coversMediaType(range, mediaType)).toBe(true);
});
