import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/model.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { build, inferred, listOf, NUMBER, object, pair, PET, TEXT, type Described } from './support/build.js';

const YES = { type: 'boolean' };

describe('what belongs to another', () => {
  const user = object({ id: NUMBER, name: TEXT });
  const order = object({ id: NUMBER, userId: NUMBER, total: NUMBER });
  const users = { 'GET /users': { answers: listOf(user) }, 'GET /users/{userId}': { answers: user } };
  const orders = (path: string, record = order): Record<string, Described> => ({
    [`GET ${path}`]: { answers: listOf(record) },
    [`GET ${path}/{orderId}`]: { answers: record },
  });

  test('a nested collection has its parent, and the property that repeats its key', () => {
    expect(inferred({ ...users, ...orders('/users/{userId}/orders') })).toContain(
      'orders (a order) at /users/{userId}/orders and /users/{userId}/orders/{orderId}, schema; key id from {orderId}, integer, given by service; apart by userId; in users by {userId}, repeated in userId',
    );
  });

  test('without a resource above it, its records are only kept apart', () =>
    expect(inferred(orders('/shops/{shop}/orders'))[0]).toMatch(/apart by shop$/));

  test('the same records at a shorter path are one collection', () => {
    const ref = { $ref: '#/paths/~1orders~1{orderId}/get/responses/200/content/application~1json/schema' };
    const nested = { ...users, ...orders('/orders'), 'GET /users/{userId}/orders': { answers: listOf(ref) } };
    expect(inferred(nested)).toContain('  list GET /users/{userId}/orders: 200 list; {userId} is userId of users');
    const items = inferred({ ...users, ...orders('/orders'), ...orders('/users/{userId}/orders', ref) });
    expect(items).toContain('  get GET /users/{userId}/orders/{orderId}: 200 record; {userId} is userId of users');
    expect(items.filter((line) => line.includes('(a order)'))).toHaveLength(1);
  });

  test('where no property says to whom they belong, that is noted', () => {
    const bare = object({ id: NUMBER, total: NUMBER });
    const ref = { $ref: '#/paths/~1orders~1{orderId}/get/responses/200/content/application~1json/schema' };
    const nested = inferred({ ...users, ...orders('/orders', bare), ...orders('/users/{userId}/orders', ref) });
    expect(nested).toContain(
      '! /users/{userId}/orders is stateless: it lists records of /orders, but no property says which of them.',
    );
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
    ['DELETE /doors/{id}/lock', 'sets locked to false'],
    ['POST /doors/{id}/archive', 'sets isArchived to true'],
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
    ['/users/{id}/profile', settings, settings],
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
