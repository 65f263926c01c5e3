import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/contract/model.js';
import type { World } from '../../../src/mock/world/world.js';
import { changeContract } from '../../support/shipped.js';
import { ask, createTestWorld, outcome, type TestWorldOptions } from '../../support/test-world.js';
import { content, fill, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';

const create = (body: string, world: World = createTestWorld()): ApiResponse => ask(world, 'POST /v1/pets', { body });

test('the address of a record has one slash before its key, also where the path of the list ends with one', () => {
  const world = createTestWorld({ contract: changeContract(['  /pets:\n', '  /pets/:\n']), pets: [] });
  const { headers } = ask(world, 'POST /v1/pets/', { body: '{"name":"Max","categoryId":2}' });
  expect(headers['Location']).toBe('/v1/pets/1');
  expect(ask(world, `GET ${headers['Location']}`).status).toBe(200);
});

test.each([
  ['9.223372036854775807e18', '9223372036854775807'],
  ['-0', '0'],
])('the categoryId %s comes back as %s when created, listed and fetched', (sent, shown) => {
  const world = createTestWorld({ pets: [] });
  const text = `{"id":1,"name":"Max","categoryId":${shown}}`;
  expect(create(`{"name":"Max","categoryId":${sent}}`, world).body?.text).toBe(text);
  expect(ask(world, 'GET /v1/pets').body?.text).toBe(`[${text}]`);
  expect(ask(world, 'GET /v1/pets/1').body?.text).toBe(text);
});

const INT64 = 'must be an int64, -9223372036854775808 to 9223372036854775807, but is';

test.each([
  ['"categoryId":9223372036854775808', `body/categoryId ${INT64} 9223372036854775808`],
  // What is whole and too large is not called a fraction.
  ['"categoryId":1e400', `body/categoryId ${INT64} 1e400`],
  ['"categoryId":"1"', 'body/categoryId must be an integer, but is "1"'],
  // Fields of __proto__ are not fields of the pet.
  ['"__proto__":{"categoryId":1}', 'body/categoryId is required'],
])('a pet with %s is refused: %s', (fields, told) => {
  expect(outcome(create(`{"name":"Max",${fields}}`))).toContain(`400 ${told}`);
  expect(({} as Record<string, unknown>)['categoryId']).toBeUndefined();
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a field %s is one like any other', (name) => {
  const body = `{"name":"Max","categoryId":1e0,"${name}":{"a":1}}`;
  expect(create(body).body?.text).toBe('{"id":4,"name":"Max","categoryId":1}');
  const keeper = createTestWorld({ choices: { 'extra-fields': 'kept' } });
  expect(create(body, keeper).body?.text).toBe(`{"id":4,"name":"Max","categoryId":1,"${name}":{"a":1}}`);
});

test("a client's id is never taken, not even where extra fields are kept", () => {
  const world = createTestWorld({ choices: { 'extra-fields': 'kept' } });
  expect(create('{"id":77,"name":"Max","categoryId":1}', world).body?.text).toContain('"id":4');
});

test('a full store answers 507 and says how much it holds', () => {
  const world = createTestWorld({ maxPets: 3 });
  expect(outcome(create('{"name":"Max","categoryId":1}', world))).toBe('507 the store is full: it holds 3 pets');
});

test('a pet with a name in any script is stored as it is', () => {
  const name = '🐶 كلب \u0000 \u2028 "quoted" \\';
  expect(JSON.parse(create(JSON.stringify({ name, categoryId: 1 })).body?.text ?? '')).toMatchObject({ name });
});

const named = (name: string, options: TestWorldOptions): string =>
  outcome(create(JSON.stringify({ name, categoryId: 1 }), createTestWorld(options)));

test('without a profile, a name is any text', () => expect(named(`${'x'.repeat(100_000)}<🐈>\n `, {})).toBe('201'));

test('a name up to the limit of the profile is taken, a longer one is refused; one of two UTF-16 units is one', () => {
  const values = { 'name-length-limit': 5 };
  expect([named('Rexxy', { values }), named('🐈🐈🐈🐈🐈', { values })]).toEqual(['201', '201']);
  expect(named('Rexxyz', { values })).toBe('400 body/name must have at most 5 characters');
});

test.each([
  ['astral', '🐈', 'Žofinka'],
  ['non-ascii', 'Žofinka', 'Rex\t'],
  ['control', 'a\tb', 'Žofinka'],
  ['markup', 'a<b', 'a&b'],
  ['outer-spaces', ' Rex', 'a b'],
])('a profile that has seen %s refused refuses %j, and not %j', (kind, refused, taken) => {
  const seen = { 'name-characters': [kind] };
  expect(named(refused, { seen })).toBe(`400 body/name has characters that are not allowed: ${kind}`);
  expect(named(taken, { seen })).toBe('201');
});

test('errors have the codes that a profile has seen for their operation and status', () => {
  const seen = { 'error-codes': ['getPet 404 NO_PET', 'getPet 404 OTHER', 'listPets 400 BAD'] };
  const world = createTestWorld({ seen });
  const code = (target: string): unknown => (ask(world, target).value as { code: string }).code;
  expect(code('GET /v1/pets/99')).toBe('NO_PET');
  expect(code('GET /v1/pets?limit=0')).toBe('BAD');
  expect(code('GET /v1/pets?limit=0')).toBe('BAD');
  expect(code('PUT /v1/pets')).toBe('method_not_allowed');
});

const secret = { type: 'string', writeOnly: true };
const creator = { $ref: '#/components/schemas/Creator' };

/** A record in which everything called `password` is for requests only. */
const NOTE = {
  id: NUMBER,
  text: TEXT,
  password: secret,
  creator: { allOf: [creator] },
  readers: listOf({ oneOf: [creator, TEXT] }),
  byName: { type: 'object', additionalProperties: creator },
  parent: { $ref: '#/components/schemas/Note' },
};
/** What clients send, and a record does not describe. */
const sent = object({ ...NOTE, login: object({ user: TEXT, password: secret }) });

const SENT = {
  text: 'a',
  password: 'p1',
  creator: { name: 'A', password: 'p2' },
  readers: [{ name: 'B', password: 'p3' }, 'text'],
  byName: { c: { name: 'C', password: 'p4' } },
  parent: { text: 'b', password: 'p5', parent: { creator: { password: 'p6' } } },
};
const SHOWN = {
  text: 'a',
  creator: { name: 'A' },
  readers: [{ name: 'B' }, 'text'],
  byName: { c: { name: 'C' } },
  parent: { text: 'b', parent: { creator: {} } },
};

function open(shown: Schema = { $ref: '#/components/schemas/Note' }): World {
  const paths = keep('/notes/{id}', shown, 'list create get replace', { sent, list: object({ items: listOf(shown) }) });
  const requestBody = content({ type: 'array' }, 'application/json-patch+json');
  const patch = { requestBody, responses: { 200: content(shown) } };
  const components = { schemas: { Note: object(NOTE), Creator: object({ name: TEXT, password: secret }) } };
  return openPaths({ ...paths, '/notes/{id}': { ...paths['/notes/{id}'], patch } }, { components });
}

test('what only requests have is in no answer, wherever in a record it is', () => {
  const world = open();
  const body = JSON.stringify(SENT);
  expect(ask(world, 'POST /notes', { body }).value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'PUT /notes/1', { body }).value).toEqual({ id: 1, ...SHOWN });
  const add = (path: string): object => ({ op: 'add', path, value: 'p7' });
  const patch = JSON.stringify([add('/creator/password'), add('/password')]);
  const headers = { 'content-type': 'application/json-patch+json' };
  expect(ask(world, 'PATCH /notes/1', { body: patch, headers }).value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'GET /notes/1').value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'GET /notes').value).toEqual({ items: [{ id: 1, ...SHOWN }] });
});

test('nor is it there when a test or a fixture has put it there', () => {
  const world = open();
  fill(world, 'notes', [{ id: 7, ...SENT }]);
  expect(ask(world, 'GET /notes/7').value).toEqual({ id: 7, ...SHOWN });
});

test.each([
  ['does not describe is not shown either', {}, { user: 'A' }],
  ['describes without the mark is shown', { password: TEXT }, { user: 'A', password: 'p' }],
])('what a request marks and the answer %s', (_, described, login) => {
  const world = open(object({ id: NUMBER, text: TEXT, login: object({ user: TEXT, ...described }) }));
  const body = JSON.stringify({ text: 'a', login: { user: 'A', password: 'p' } });
  expect(ask(world, 'POST /notes', { body }).value).toEqual({ id: 1, text: 'a', login });
});
