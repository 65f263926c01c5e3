import { describe, expect, test } from 'vitest';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { build, inferred, listOf, NUMBER, object, pair, PET, TEXT, type Described, withPets } from './support/build.js';
import { words } from '../../support/words.js';
import type { Operation } from '../../../src/contract/model.js';
import { YES, type Schema } from '../../support/schemas.js';

/** The key that is inferred of records with these texts, beside a number of that name. */
function keyOf(parameter: string, properties: string[], collection = '/pets', number = 'size'): string {
  const texts = Object.fromEntries(properties.map((name) => [name, TEXT]));
  const [line = 'nothing'] = inferred(
    pair(collection, `${collection}/{${parameter}}`, object({ [number]: NUMBER, ...texts })),
  );
  return /key (\w+)/.exec(line)?.[1] ?? line;
}

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
    task_gid:name,gid:gid asset_uid:name,uid:uid book_pk:name,pk:pk petNo:no,number:no petRank:name,rank:rank
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
  ['team', ['name', 'slug'], '/teams', 'slug'],
])('a text in a path names by a text, not by the number `id`: {%s} of %j at %s by %s', (parameter, texts, at, key) =>
  expect(keyOf(parameter, texts, at, 'id')).toBe(key),
);

describe('what belongs to another', () => {
  const user = object({ id: NUMBER, name: TEXT });
  const order = object({ id: NUMBER, userId: NUMBER, total: NUMBER });
  const users = pair('/users', '/users/{userId}', user);
  const orders = (path: string, record: Schema = order): Record<string, Described> =>
    pair(path, `${path}/{orderId}`, record);
  const ref = { $ref: '#/paths/~1orders~1{orderId}/get/responses/200/content/application~1json/schema' };

  test('a nested collection has its parent, and the property that repeats its key', () => {
    expect(inferred({ ...users, ...orders('/users/{userId}/orders') })).toContain(
      'orders (a order) at /users/{userId}/orders and /users/{userId}/orders/{orderId}, schema; key id from {orderId}, integer, given by service; apart by userId; in users by {userId}, repeated in userId',
    );
  });

  test('without a resource above it, its records are only kept apart', () =>
    expect(inferred(orders('/shops/{shop}/orders'))[0]).toMatch(/apart by shop$/));

  test('the same records at a shorter path are one collection', () => {
    const nested = { ...users, ...orders('/orders'), 'GET /users/{userId}/orders': { answers: listOf(ref) } };
    expect(inferred(nested)).toContain('  list GET /users/{userId}/orders: 200 list; {userId} is userId of users');
    const items = inferred({ ...users, ...orders('/orders'), ...orders('/users/{userId}/orders', ref) });
    expect(items).toContain('  get GET /users/{userId}/orders/{orderId}: 200 record; {userId} is userId of users');
    expect(items.filter((line) => line.includes('(a order)'))).toHaveLength(1);
  });

  test('where no property says to whom they belong, that is noted', () => {
    const bare = object({ id: NUMBER, total: NUMBER });
    const nested = inferred({ ...users, ...orders('/orders', bare), ...orders('/users/{userId}/orders', ref) });
    const noted = 'it lists records of /orders, but no property says which of them.';
    expect(nested).toContain(`! /users/{userId}/orders is stateless: ${noted}`);
    const below = { 'GET /users/{userId}/orders': { answers: listOf(ref) } };
    const list = inferred({ ...users, ...orders('/orders', bare), ...below });
    expect(list).toContain('  ! GET /users/{userId}/orders is stateless: no property of orders refers to its users.');
  });
});

describe('actions', () => {
  const door = object({ id: NUMBER, status: { enum: ['open', 'closed', 'cancelled'] }, locked: YES, isArchived: YES });
  const act = (place: string) =>
    inferred({ ...pair('/doors', '/doors/{id}', door), [place]: { answers: door } }).slice(3);

  test.each([
    ['POST /doors/{id}/cancel', 'sets status to "cancelled"'],
    ['PUT /doors/{id}/close', 'sets status to "closed"'],
    ['POST /doors/{id}/reopen', 'sets status to "open"'],
    ['POST /doors/{id}/lock', 'sets locked to true'],
  ])('%s %s', (place, sets) => expect(act(place)).toEqual([`  action ${place}: 200 record; ${sets}`]));

  test.each(['POST paint', 'GET cancel', 'DELETE cancel', 'POST knob/lock'])('%s changes nothing plainly', (action) =>
    expect(act(action.replace(' ', ' /doors/{id}/'))).toEqual([]),
  );

  test('an action that two properties could speak of is none', () => {
    const twice = object({ id: NUMBER, status: { enum: ['locked'] }, locked: YES });
    expect(inferred({ ...pair('/a', '/a/{id}', twice), 'POST /a/{id}/lock': {} }).join()).not.toContain('action');
  });
});

test('an action that is named as another resource is, is one thing alone', () => {
  const charge = object({ id: NUMBER, refunded: YES });
  const refund = object({ id: NUMBER, charge: NUMBER, refunded: YES });
  const action = { 'POST /charges/{charge}/refund': { takes: object({ refunded: YES }), answers: refund } };
  const others = pair('/refunds', '/refunds/{refund}', refund);
  const lines = inferred({ ...pair('/charges', '/charges/{charge}', charge), ...others, ...action });
  expect(lines.filter((line) => line.includes('POST /charges/{charge}/refund'))).toHaveLength(1);
});

describe('what there is one of', () => {
  const settings = object({ theme: TEXT, size: NUMBER });

  test.each([
    ['/settings', settings, settings],
    ['/me', object({ data: settings }), object({ theme: TEXT })],
  ])('%s', (path, answers, takes) => {
    const [line] = inferred({ [`GET ${path}`]: { answers }, [`PATCH ${path}`]: { takes } });
    expect(line).toContain(`at ${path}`);
  });

  const SINCE = object({ mark: object({ since: TEXT }) });
  const IMAGE = object({ mark: object({ image: TEXT }) });
  const ITEMS = object({ items: listOf(PET) });

  test.each([
    ['nothing writes it', { 'GET /settings': { answers: settings } }],
    ['it is a list', { 'GET /pets': { answers: ITEMS }, 'PUT /pets': { takes: ITEMS } }],
    ['what is written is another thing', { 'GET /mark': { answers: SINCE }, 'PUT /mark': { takes: IMAGE } }],
    ['its path ends in a parameter', { 'GET /by/{id}': { answers: settings }, 'PUT /by/{id}': { takes: settings } }],
  ])('none where %s', (_, operations) => {
    expect(inferred(operations).filter((line) => line.startsWith('one '))).toEqual([]);
  });
});

/** How often something of an operation is looked at while resources are inferred from three times so many operations. */
function countReads(count: number): number {
  const record = { $ref: '#/paths/~1c0~1{id}/get/responses/200/content/application~1json/schema' };
  const operations: Record<string, Described> = {};
  for (let index = 0; index < count; index++) {
    operations[`GET /c${index}`] = { answers: listOf(record) };
    operations[`GET /c${index}/{id}`] = { answers: index === 0 ? PET : record };
    operations[`PUT /c${index}/{id}`] = { takes: record };
  }
  const contract = build(operations);
  let reads = 0;
  const counting: ProxyHandler<Operation> = { get: (from, name) => (reads++, Reflect.get(from, name) as unknown) };
  const counted = { ...contract, operations: contract.operations.map((each) => new Proxy(each, counting)) };
  expect(inferResources(counted).resources).toHaveLength(count);
  return reads;
}

test('ten times as many operations take ten times the work', () =>
  expect(countReads(200) / countReads(20)).toBeLessThan(20));
