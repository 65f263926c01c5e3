import { describe, expect, test } from 'vitest';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { build, inferred, listOf, NUMBER, object, PET, TEXT, type Described } from './support/build.js';

/** The first line of what is inferred of two paths that get a record. */
function keyOf(parameter: string, properties: string[], { collection = '/pets' } = {}): string {
  const record = object(Object.fromEntries([...properties, 'size'].map((name) => [name, TEXT])));
  const [line = 'nothing'] = inferred({
    [`GET ${collection}`]: { answers: listOf(record) },
    [`GET ${collection}/{${parameter}}`]: { answers: record },
  });
  return /key (\S+)/.exec(line)?.[1] ?? line;
}

/** The pets, with other operations beside them. */
const withPets = (operations: Record<string, Described>): string[] =>
  inferred({ 'GET /pets': { answers: listOf(PET) }, 'GET /pets/{petId}': { answers: PET }, ...operations });

describe('paths', () => {
  test.each([
    ['/pets/', '/pets/{id}/'],
    ['/pets.json', '/pets/{id}.json'],
    ['/api/v2/pets', '/api/v2/pets/{id}'],
    ['/Pets', "/Pets('{id}')"],
    ['/Pets', '/Pets({id})'],
    ['/pets', '/pet/{id}'],
  ])('%s and %s are a collection and its item', (collection, item) => {
    const [line] = inferred({ [`GET ${collection}`]: { answers: listOf(PET) }, [`GET ${item}`]: { answers: PET } });
    expect(line?.toLowerCase()).toMatch(/^pets? \(a pet\) at /);
    expect(line).toContain(`at ${collection} and ${item}`);
  });

  test.each([
    ['/pets', '/dog/{id}'],
    ['/pets', '/shop/pet/{id}'],
    ['/pets', '/pets/findByName/{name}'],
    ['/pets', '/pets/by-name/{name}'],
    ['/', '/{id}'],
    ['/a/{x}', '/a/{x}/{id}'],
  ])('%s and %s are not', (collection, item) => {
    expect(inferred({ [`GET ${collection}`]: { answers: listOf(PET) }, [`GET ${item}`]: { answers: PET } })).toEqual(
      [],
    );
  });

  test('one operation is no resource, nor are two that only write', () => {
    expect(inferred({ 'GET /pets/{id}': { answers: PET } })).toEqual([]);
    expect(inferred({ 'PUT /pets/{id}': { takes: PET }, 'DELETE /pets/{id}': {} })).toEqual([]);
  });

  test('resources of one name are called by all fixed segments', () => {
    const at = (path: string): Record<string, Described> => ({
      [`GET ${path}`]: { answers: listOf(PET) },
      [`GET ${path}/{id}`]: { answers: PET },
    });
    const { resources } = inferResources(
      build({ ...at('/shop/pets'), ...at('/farm/pets'), ...at('/farm/barns/{b}/cows') }),
    );
    expect(resources.map(({ name }) => name)).toEqual(['shop.pets', 'farm.pets', 'cows']);
  });

  test('a parameter that says how, such as the format, keeps no records apart', () => {
    const at = (scope: string) =>
      inferResources(
        build({ [`GET /{${scope}}/pets`]: { answers: listOf(PET) }, [`GET /{${scope}}/pets/{id}`]: { answers: PET } }),
      ).resources[0]?.scope;
    expect([at('format'), at('shop')]).toEqual([[], ['shop']]);
  });
});

describe('keys', () => {
  test.each([
    ['petId', ['petId', 'id'], 'petId'],
    ['petId', ['pet_id'], 'pet_id'],
    ['petId', ['id'], 'id'],
    ['pet_uuid', ['uuid', 'id'], 'uuid'],
    ['petSlug', ['id', 'slug'], 'slug'],
    ['Sid', ['sid'], 'sid'],
    ['id', ['_id'], '_id'],
    ['id', ['petId', 'ownerId'], 'petId'],
    ['pet', ['id'], 'id'],
    ['idOrName', ['name', 'id'], 'id'],
    ['petName', ['id', 'name'], 'name'],
    ['code', ['code', 'id'], 'code'],
  ])('{%s} of a record with %j is its %s', (parameter, properties, key) => {
    expect(keyOf(parameter, properties)).toBe(key);
  });

  test.each([
    ['city', ['id']],
    ['date', ['id', 'day']],
    ['petId', ['ownerId']],
    ['name', ['id']],
  ])('what {%s} is of a record with %j is not sure', (parameter, properties) => {
    expect(keyOf(parameter, properties)).toBe('nothing');
  });

  test('a parameter that is the key of another collection is not the key of a record that belongs to it', () => {
    const order = object({ id: NUMBER, userId: NUMBER });
    const user = object({ id: NUMBER });
    const operations = {
      'GET /users': { answers: listOf(user) },
      'GET /users/{userId}': { answers: user },
      'GET /orders': { answers: listOf(order) },
      'GET /orders/{userId}': { answers: order },
      'DELETE /orders/{userId}': {},
    };
    expect(inferred(operations).join()).not.toContain('orders (');
    expect(inferred(operations)).toContain(
      '! /orders is stateless: it is not clear which property in the response of GET /orders/{userId} is the key of orders.',
    );
  });

  test('a key that is an object, or that not every alternative has, is none', () => {
    const cases = [object({ id: object({ a: TEXT }) }), { oneOf: [object({ id: TEXT }), object({ size: TEXT })] }];
    for (const record of cases) {
      expect(inferred({ 'GET /pets': { answers: listOf(record) }, 'GET /pets/{id}': { answers: record } })).toEqual([]);
    }
    const both = { oneOf: [object({ id: TEXT }), object({ id: TEXT, size: TEXT })] };
    expect(inferred({ 'GET /pets': { answers: listOf(both) }, 'GET /pets/{id}': { answers: both } })).toHaveLength(3);
  });

  test.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: 'number' }, 'integer'],
    [{ type: 'string', format: 'uuid' }, 'uuid'],
    [{ type: 'string' }, 'text'],
    [{ type: ['string', 'null'] }, 'text'],
  ])('a key of %j is %s', (schema, kind) => {
    const record = object({ id: schema, name: TEXT });
    const { resources } = inferResources(
      build({ 'GET /a': { answers: listOf(record) }, 'GET /a/{id}': { answers: record } }),
    );
    expect(resources[0]?.key.kind).toBe(kind);
  });

  test.each([
    ['service', { name: TEXT }, []],
    ['either', { id: NUMBER, name: TEXT }, []],
    ['client', { id: NUMBER, name: TEXT }, ['id']],
    ['service', { id: { type: 'integer', readOnly: true }, name: TEXT }, ['id']],
  ])('the key is given by the %s where a create takes %j and requires %j', (givenBy, properties, required) => {
    const [line] = withPets({ 'POST /pets': { takes: object(properties, required), answers: PET } });
    expect(line).toContain(`given by ${givenBy}`);
  });
});

/** The key of records whose `id` is a number, where the parameter of the path is a text. */
function keyBesideNumber(parameter: string, properties: string[], collection: string): string {
  const texts = Object.fromEntries(properties.map((name) => [name, TEXT]));
  const record = object({ id: NUMBER, ...texts });
  const [line = 'nothing'] = inferred({
    [`GET ${collection}`]: { answers: listOf(record) },
    [`GET ${collection}/{${parameter}}`]: { answers: record },
  });
  return /key (\S+)/.exec(line)?.[1]?.replace(/,$/, '') ?? line;
}

test.each([
  ['org', ['login', 'name'], '/orgs', 'login'],
  ['username', ['login', 'name'], '/users', 'login'],
  ['team', ['name', 'slug'], '/teams', 'slug'],
  ['pet', ['name'], '/pets', 'id'],
  ['petId', ['name', 'slug'], '/pets', 'id'],
])(
  'a text in the path of {%s} beside %j is no number where the record has a text that names it',
  (parameter, properties, collection, key) => {
    expect(keyBesideNumber(parameter, properties, collection)).toBe(key);
  },
);

test.each([
  ['task_gid', 'gid'],
  ['asset_uid', 'uid'],
  ['book_pk', 'pk'],
])('{%s} is the %s of a record', (parameter, key) => expect(keyOf(parameter, ['name', key])).toContain(key));
