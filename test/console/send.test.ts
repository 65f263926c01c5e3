import { describe, expect, test } from 'vitest';
import { findLineOf, suggest } from '../../src/console/send/suggest.js';
import {
  beginDraft,
  findJsonProblem,
  listMissing,
  packDraft,
  printHeaders,
  readHeaders,
  takesLines,
  toRequest,
  unpackDraft,
  type BodyField,
  type FormParameter,
  type OperationForm,
} from '../../src/console/send/to-request.js';
import type { Contract } from '../../src/contract/contract.js';
import { readParameters } from '../../src/contract/parameters.js';
import { parseContract } from '../support/parse-contract.js';

const HERE = { mountPath: '', world: undefined };

function toParameter(given: Partial<FormParameter> & Pick<FormParameter, 'name' | 'in'>): FormParameter {
  const style = given.in === 'path' || given.in === 'header' ? 'simple' : 'form';
  const rest = { required: false, deprecated: false, style, explode: style === 'form', types: ['string'] };
  return { ...rest, choices: [], keys: [], ...given };
}

function toForm(given: Partial<OperationForm>): OperationForm {
  const own = { operationId: 'tryIt', method: 'GET', path: '/things', base: '/v1', deprecated: false } as const;
  const rest = { contract: { file: 'a.yaml' }, parameters: [], credentials: { headers: {}, query: [] } };
  return { ...own, ...rest, ...given };
}

const toBody = (mediaType: string, example: string): NonNullable<OperationForm['body']> => ({
  required: true,
  contents: [{ mediaType, example, fields: [], files: [] }],
});

const SCHEMAS = {
  text: { type: 'string' },
  list: { type: 'array', items: { type: 'string' } },
  object: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
} as const;

const TEXTS = { text: 'a b/c&d=é,', list: 'x+y\nz&\n=', object: 'a=1 &\nb=x=y' } as const;
const VALUES = { text: 'a b/c&d=é,', list: ['x+y', 'z&', '='], object: { a: '1 &', b: 'x=y' } } as const;

type Kind = keyof typeof SCHEMAS;

function describeParameter(place: string, style: string, explode: boolean, kind: Kind): Contract {
  const parameter = { name: 'p', in: place, required: place === 'path', style, explode, schema: SCHEMAS[kind] };
  const get = { operationId: 'tryIt', parameters: [parameter], responses: { 200: { description: 'ok' } } };
  return parseContract({ paths: { [place === 'path' ? '/things/{p}' : '/things']: { get } } });
}

const KINDS: Kind[] = ['text', 'list', 'object'];
const STYLES: [place: FormParameter['in'], style: string, explode: boolean, kinds: Kind[]][] = [
  ...['simple', 'label', 'matrix'].flatMap((style) =>
    [true, false].map((explode): (typeof STYLES)[number] => ['path', style, explode, KINDS]),
  ),
  ['query', 'form', true, KINDS],
  ['query', 'form', false, KINDS],
  ['query', 'spaceDelimited', false, ['list']],
  ['query', 'pipeDelimited', false, ['list']],
  ['query', 'deepObject', true, ['object']],
  ['header', 'simple', false, ['object']],
  ['header', 'simple', true, ['object']],
  ['cookie', 'form', true, ['text']],
];

const CASES = STYLES.flatMap(([place, style, explode, kinds]) =>
  kinds.map((kind) => ({ place, style, explode, kind })),
);

test.each(CASES)('what a field states is what the mock reads: $place $style $explode $kind', (given) => {
  const { place, style, explode, kind } = given;
  const [operation] = describeParameter(place, style, explode, kind).operations;
  if (operation === undefined) throw new Error('there is no operation');
  const { types } = operation.parameters[0]?.shape ?? { types: [] };
  const form = toForm({
    path: operation.path,
    parameters: [toParameter({ name: 'p', in: place, style, explode, types })],
  });
  const draft = { ...beginDraft(form), values: { [`${place}/p`]: TEXTS[kind] } };
  const { target, headers } = toRequest(form, draft, HERE);
  const [path = '', query = ''] = target.split('?');
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const pathValues = place === 'path' ? { p: path.slice('/v1/things/'.length) } : {};
  expect(readParameters(operation, { pathValues, query, headers: lower })[place]['p']).toEqual(VALUES[kind]);
});

test('a header field is sent as it is written', () => {
  const form = toForm({ parameters: [toParameter({ name: 'X-A', in: 'header', types: ['array'] })] });
  const draft = { ...beginDraft(form), values: { 'header/X-A': 'a b\nc' } };
  expect(toRequest(form, draft, HERE).headers).toEqual({ 'X-A': 'a b,c' });
});

describe('a form', () => {
  const form = toForm({
    method: 'POST',
    path: '/things/{id}',
    parameters: [
      toParameter({ name: 'id', in: 'path', required: true, types: ['integer'], example: 7n }),
      toParameter({ name: 'limit', in: 'query', example: 20 }),
      toParameter({ name: 'kind', in: 'query', required: true, choices: ['a', 'b'] }),
    ],
    body: toBody('application/json', '{"n":9007199254740993}'),
    credentials: { headers: { Authorization: 'Bearer k' }, query: [{ name: 'key', value: 'k&' }] },
  });

  test('begins with what must be sent', () => {
    const { target, headers, body } = toRequest(form, beginDraft(form), HERE);
    expect(target).toBe('/v1/things/7?kind=a&key=k%26');
    expect(headers).toEqual({ Authorization: 'Bearer k', 'Content-Type': 'application/json' });
    expect(body).toContain('"n": ');
  });

  test('is sent without credentials, and to another world', () => {
    const draft = { ...beginDraft(form), withCredentials: false };
    const { target, headers } = toRequest(form, draft, { mountPath: '/api', world: 'w1' });
    expect(target).toBe('/api/v1/things/7?kind=a');
    expect(headers).toEqual({ 'X-Petstore-World': 'w1', 'Content-Type': 'application/json' });
  });

  test('knows what is missing, and sends it all the same', () => {
    const draft = { ...beginDraft(form), values: {}, body: '' };
    expect(listMissing(form, draft)).toEqual(['path/id', 'query/kind', 'body']);
    expect(toRequest(form, draft, HERE)).toMatchObject({ target: '/v1/things/?key=k%26', body: undefined });
  });

  test('sends a cookie beside credentials in a cookie', () => {
    const own = toForm({
      parameters: [toParameter({ name: 'theme', in: 'cookie', required: true, example: 'dark' })],
      credentials: { headers: { Cookie: 'sid=k' }, query: [] },
    });
    expect(toRequest(own, beginDraft(own), HERE).headers).toEqual({ Cookie: 'theme=dark; sid=k' });
  });

  test('ends the lines of parts as they must end', () => {
    const own = toForm({ body: toBody('multipart/form-data; boundary=x', '--x\n') });
    expect(toRequest(own, beginDraft(own), HERE).body).toBe('--x\r\n');
  });
});

test('a list and an object are written in lines, a parameter that is JSON is not', () => {
  expect(takesLines({ types: ['array'], style: 'form' })).toBe(true);
  expect(takesLines({ types: ['object'], style: 'json' })).toBe(false);
});

test('a parameter that is JSON begins with JSON, a list with its first choice', () => {
  const json = { required: true, style: 'json', types: ['object'], example: { x: 9007199254740993n } };
  const list = { required: true, types: ['array'], choices: ['new', 'old'] };
  const parameters = [
    { name: 'where', ...json },
    { name: 'tags', ...list },
  ].map((each) => toParameter({ in: 'query', ...each }));
  const form = toForm({ parameters });
  expect(beginDraft(form).values).toEqual({ 'query/where': '{"x":9007199254740993}', 'query/tags': 'new' });
  expect(toRequest(form, beginDraft(form), HERE).target).toContain('where=%7B%22x%22%3A9007199254740993%7D&tags=new');
});

test('header fields are written as lines, and read again', () => {
  const headers = { Accept: 'a/b', 'X-Time': '10:30' };
  expect(readHeaders(printHeaders(headers))).toEqual({ headers, wrong: undefined });
  expect(readHeaders('A: 1\nA: 2').headers).toEqual({ A: '1, 2' });
  expect(readHeaders('A: 1\nno field').wrong).toBe('no field');
});

test('what is no JSON is told', () => {
  expect(findJsonProblem('{"a":1}')).toBeUndefined();
  expect(findJsonProblem('{"a":')).toMatch(/^This is not JSON: /);
});

const FIELDS: BodyField[] = [
  { pointer: '/name', required: true, types: ['string'], choices: [], description: 'What it is called.' },
  { pointer: '/status', required: false, types: ['string'], choices: ['available', 'sold'] },
  { pointer: '/isNew', required: false, types: ['boolean', 'null'], choices: [] },
  { pointer: '/tags', required: false, types: ['array'], choices: [] },
  { pointer: '/tags/*', required: false, types: ['object'], choices: [] },
  { pointer: '/tags/*/id', required: true, types: ['integer'], choices: [] },
];

/** What is suggested at the `|` in a text, and what the first one makes of it. */
function suggestAt(marked: string): { labels: string[]; made: string | undefined } {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const words = suggest(text, at, FIELDS);
  const [first] = words;
  const made = first === undefined ? undefined : `${text.slice(0, first.from)}${first.insert}${text.slice(first.to)}`;
  return { labels: words.map(({ label }) => label), made };
}

test.each([
  ['{|', ['name', 'status', 'isNew', 'tags'], '{"name": '],
  ['{ "n|', ['name'], '{ "name": '],
  ['{ "n|": 1 }', ['name'], '{ "name": 1 }'],
  ['{ |, "name": "a" }', ['status', 'isNew', 'tags'], '{ "status": , "name": "a" }'],
  ['{ "name": "a", "s|\n}', ['status'], '{ "name": "a", "status": \n}'],
  ['{ "status": | }', ['available', 'sold'], '{ "status": "available" }'],
  ['{ "status": "so|ld" }', ['sold'], '{ "status": "sold" }'],
  ['{ "isNew": t|', ['true'], '{ "isNew": true'],
  ['{ "tags": [{ "id": 1 }, { | }] }', ['id'], '{ "tags": [{ "id": 1 }, { "id":  }] }'],
  ['{ "name": "|" }', [], undefined],
  ['{ "name": "a" } |', [], undefined],
])('at the mark in %s the contract suggests %j', (marked, labels, made) => {
  expect(suggestAt(marked)).toEqual({ labels, made });
});

test('a violation is found at its line, or at the nearest one around it', () => {
  const text = '{\n  "tags": [\n    { "id": 1 },\n    { "a/b": 2 }\n  ]\n}';
  expect(['/tags/1/a~1b', '/tags/1', '/tags/1/id', '/name', ''].map((at) => findLineOf(text, at))).toEqual([
    4, 4, 4, 1, 1,
  ]);
  expect(findLineOf('{ "a": [1,', '/a/0')).toBe(1);
});

describe('a draft in an address', () => {
  const form = toForm({
    method: 'POST',
    path: '/things',
    parameters: [toParameter({ name: 'limit', in: 'query', example: 20 })],
    body: {
      required: true,
      contents: [
        { mediaType: 'application/json', example: '{}', fields: [], files: [] },
        { mediaType: 'text/plain', example: 'x', fields: [], files: [] },
      ],
    },
    credentials: { headers: { Authorization: 'Bearer secret' }, query: [] },
  });

  test('is what differs from the start, without credentials, and comes back', () => {
    const begun = beginDraft(form);
    expect(packDraft(form, begun)).toBeUndefined();
    const draft = { ...begun, values: { 'query/limit': '5' }, content: 1, body: 'y', more: 'X-A: 1' };
    const changed = { ...draft, credentials: { Authorization: 'Bearer other' } };
    const packed = packDraft(form, changed) ?? '';
    expect(packed).not.toContain('Bearer');
    expect(unpackDraft(form, packed)).toEqual(draft);
  });

  test.each(['', '5', 'null', '[]', '{"values":7}', '{"content":9,"body":5}'])(
    'that is none begins anew: %s',
    (text) => {
      expect(unpackDraft(form, text)).toEqual(beginDraft(form));
    },
  );

  test('has header fields and cookies beyond the contract, which win', () => {
    const more = 'X-A: 1\nCookie: a=b\nauthorization: none';
    const { headers } = toRequest(form, { ...beginDraft(form), more }, HERE);
    expect(headers).toEqual({ Authorization: 'none', 'X-A': '1', Cookie: 'a=b', 'Content-Type': 'application/json' });
  });
});

describe('files', () => {
  const FILE = { name: 'a "b".png', type: 'image/png', base64: btoa('\u0089PNG\r\n--B') };
  const toFileForm = (mediaType: string, example: string): OperationForm =>
    toForm({ method: 'POST', body: toBody(mediaType, example) });

  test('are the body itself, in the type of the file where the contract has a range', () => {
    const form = toFileForm('image/*', '');
    const { headers, body, base64 } = toRequest(form, { ...beginDraft(form), files: { '': FILE } }, HERE);
    expect([headers['Content-Type'], body, base64]).toEqual(['image/png', undefined, FILE.base64]);
  });

  test('take the place of a part of a form, byte by byte, beside its other parts', () => {
    const part = (name: string, text: string): string =>
      `--B0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    const parts = `${part('name', 'Zoë')}${part('photo', 'x')}--B0--\r\n`;
    const form = toFileForm('multipart/form-data; boundary=B0', parts);
    const { base64 = '' } = toRequest(form, { ...beginDraft(form), files: { photo: FILE } }, HERE);
    const sent = Buffer.from(base64, 'base64');
    expect(sent.toString('latin1')).toContain(
      'name="photo"; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\n\u0089PNG\r\n--B\r\n--B0--',
    );
    expect(sent.toString('utf8')).toContain('name="name"\r\n\r\nZoë\r\n');
  });
});
