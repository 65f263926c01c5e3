import { describe, expect, test } from 'vitest';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { build, inferred, listOf, NUMBER, object, pair, PET, TEXT, type Described } from './support/build.js';
import { words } from '../../support/words.js';

/** The key that is inferred of records with these texts, beside a number of that name. */
function keyOf(parameter: string, properties: string[], collection = '/pets', number = 'size'): string {
  const texts = Object.fromEntries(properties.map((name) => [name, TEXT]));
  const [line = 'nothing'] = inferred(
    pair(collection, `${collection}/{${parameter}}`, object({ [number]: NUMBER, ...texts })),
  );
  return /key (\w+)/.exec(line)?.[1] ?? line;
}

/** The pets, with other operations beside them. */
const withPets = (operations: Record<string, Described>): string[] =>
  inferred({ 'GET /pets': { answers: listOf(PET) }, 'GET /pets/{petId}': { answers: PET }, ...operations });

describe('paths', () => {
  const split = (rows: string[]): [string, string][] => rows.map((row) => row.split('+') as [string, string]);

  test.each(
    split(words`/pets/+/pets/{id}/ /pets.json+/pets/{id}.json /api/v2/pets+/api/v2/pets/{id} /Pets+/Pets('{id}')
    /Pets+/Pets({id}) /pets+/pet/{id}`),
  )('%s and %s are a collection and its item', (collection, item) => {
    const [line] = inferred(pair(collection, item, PET));
    expect(line?.toLowerCase()).toMatch(/^pets? \(a pet\) at /);
    expect(line).toContain(`at ${collection} and ${item}`);
  });

  const NOT = words`/pets+/dog/{id} /pets+/shop/pet/{id} /pets+/pets/findByName/{name} /pets+/pets/by-name/{name} /+/{id}
    /a/{x}+/a/{x}/{id}`;

  test.each(split(NOT))('%s and %s are not', (collection, item) =>
    expect(inferred(pair(collection, item, PET))).toEqual([]),
  );

  test('one operation is no resource, nor are two that only write', () => {
    expect(inferred({ 'GET /pets/{id}': { answers: PET } })).toEqual([]);
    expect(inferred({ 'PUT /pets/{id}': { takes: PET }, 'DELETE /pets/{id}': {} })).toEqual([]);
  });

  test('resources of one name are called by all fixed segments', () => {
    const at = (path: string): Record<string, Described> => pair(path, `${path}/{id}`, PET);
    const contract = build({ ...at('/shop/pets'), ...at('/farm/pets'), ...at('/farm/barns/{b}/cows') });
    const { resources } = inferResources(contract);
    expect(resources.map(({ name }) => name)).toEqual(['shop.pets', 'farm.pets', 'cows']);
  });

  test('a parameter that says how, such as the format, keeps no records apart', () => {
    const at = (scope: string) =>
      inferResources(build(pair(`/{${scope}}/pets`, `/{${scope}}/pets/{id}`, PET))).resources[0]?.scope;
    expect([at('format'), at('shop')]).toEqual([[], ['shop']]);
  });
});

describe('keys', () => {
  // The parameter, what the record has, and which of it is the key.
  const KEYS = words`petId:petId,id:petId petId:pet_id:pet_id petId:id:id pet_uuid:uuid,id:uuid petSlug:id,slug:slug Sid:sid:sid
    id:_id:_id id:petId,ownerId:petId pet:id:id idOrName:name,id:id petName:id,name:name code:code,id:code
    task_gid:name,gid:gid asset_uid:name,uid:uid book_pk:name,pk:pk
    city:id:nothing date:id,day:nothing petId:ownerId:nothing name:id:nothing`;

  test.each(KEYS.map((row) => row.split(':')))(
    '{%s} of a record with %s is its %s',
    (parameter = '', properties = '', key) => expect(keyOf(parameter, properties.split(','))).toBe(key),
  );

  test('a parameter that is the key of another collection is not the key of a record that belongs to it', () => {
    const order = object({ id: NUMBER, userId: NUMBER });
    const user = object({ id: NUMBER });
    const users = pair('/users', '/users/{userId}', user);
    const operations = { ...users, ...pair('/orders', '/orders/{userId}', order), 'DELETE /orders/{userId}': {} };
    expect(inferred(operations).join()).not.toContain('orders (');
    const unclear = 'it is not clear which property in the response of GET /orders/{userId} is the key of orders.';
    expect(inferred(operations)).toContain(`! /orders is stateless: ${unclear}`);
  });

  test('a key that is an object, or that not every alternative has, is none', () => {
    const cases = [object({ id: object({ a: TEXT }) }), { oneOf: [object({ id: TEXT }), object({ size: TEXT })] }];
    for (const record of cases) expect(inferred(pair('/pets', '/pets/{id}', record))).toEqual([]);
    const both = { oneOf: [object({ id: TEXT }), object({ id: TEXT, size: TEXT })] };
    expect(inferred(pair('/pets', '/pets/{id}', both))).toHaveLength(3);
  });

  test.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: 'number' }, 'integer'],
    [{ type: 'string', format: 'uuid' }, 'uuid'],
    [{ type: 'string' }, 'text'],
    [{ type: ['string', 'null'] }, 'text'],
  ])('a key of %j is %s', (schema, kind) => {
    const record = object({ id: schema, name: TEXT });
    const { resources } = inferResources(build(pair('/a', '/a/{id}', record)));
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

test.each([
  ['org', ['login', 'name'], '/orgs', 'login'],
  ['username', ['login', 'name'], '/users', 'login'],
  ['team', ['name', 'slug'], '/teams', 'slug'],
  ['pet', ['name'], '/pets', 'id'],
  ['petId', ['name', 'slug'], '/pets', 'id'],
])('a text in a path names by a text, not by the number `id`: {%s} of %j at %s by %s', (parameter, texts, at, key) =>
  expect(keyOf(parameter, texts, at, 'id')).toBe(key),
);
