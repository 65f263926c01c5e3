import { beforeEach, describe, expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { adminOperations, callAdmin, called, type AdminAnswer, type AdminCallOptions } from '../../support/admin.js';
import { KEY, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock()));

const admin = (call: string, options?: AdminCallOptions): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, call, options);

const valueOf = async (call: string, options?: AdminCallOptions): Promise<unknown> =>
  (await admin(call, options)).value;

/** A call is rejected with this status, code and part of the message. */
async function expectRejected(call: string, code: string, message: string, options?: AdminCallOptions): Promise<void> {
  const [, status, name] = /^(\d+) (.*)$/.exec(code) ?? [];
  const value = { code: name, message: expect.stringContaining(message), status: Number(status) };
  expect(await admin(call, options)).toMatchObject({ status: Number(status), value });
}

const statusOf = async (call: string, options?: AdminCallOptions): Promise<number> =>
  (await admin(call, options)).status;

const ask = (path: string): Promise<Response> => fetch(`${mock.url}${path}`, { headers: KEY });

const BAD_PACK = 'pets:\n  - { name: 1, categoryId: 1 }\n';

describe('pets', () => {
  test('are listed, added, fetched, replaced, counted and cleared', async () => {
    const added = await admin('POST /pets', { body: { name: 'Rex', categoryId: 2n ** 62n } });
    expect(added).toMatchObject({ status: 201, value: { id: 2, name: 'Rex', categoryId: 4611686018427387904n } });
    expect(await valueOf('GET /pets/2')).toEqual(added.value);
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
    expect(await valueOf('GET /pets?status=sold')).toEqual([]);
    const body = [{ name: 'A', categoryId: 1 }];
    expect(await valueOf('PUT /pets', { body })).toEqual([{ id: 3, name: 'A', categoryId: 1 }]);
    expect(await statusOf('DELETE /pets')).toBe(204);
    expect(await mock.pets.count()).toBe(0);
    await expectRejected('POST /pets', '400 bad-pet', 'categoryId is required', { body: { name: 1 } });
    await expectRejected('GET /pets/9', '404 not_found', 'no pet has the id 9');
  });

  test('are kept under a name, and as a fixture pack', async () => {
    await admin('PUT /snapshots/before');
    const { pack } = (await valueOf('GET /fixtures')) as { pack: string };
    await admin('DELETE /pets');
    await admin('POST /snapshots/before/restore');
    expect(await mock.pets.count()).toBe(1);
    await admin('DELETE /pets');
    await admin('PUT /fixtures', { body: { pack } });
    expect(await mock.pets.count()).toBe(1);
    expect(await valueOf('GET /snapshots')).toEqual({ snapshots: ['before'] });
    const statuses = [await statusOf('DELETE /snapshots/before'), await statusOf('DELETE /snapshots/before')];
    expect([...statuses, await statusOf('POST /snapshots/before/restore')]).toEqual([204, 404, 404]);
    await expectRejected('PUT /fixtures', '400 unusable-fixtures', 'pack:2', { body: { pack: BAD_PACK } });
  });

  test('are those of another pack that ships, which a reset goes back to', async () => {
    await admin('POST /fixtures/use', { body: { fixtures: 'default', count: 7, seed: 3 } });
    await admin('DELETE /pets');
    await admin('POST /reset');
    expect(await valueOf('GET /pets/count')).toEqual({ count: 7 });
    const body = { fixtures: 'package.json' };
    const message = 'no shipped fixture pack package.json';
    await expectRejected('POST /fixtures/use', '400 unusable-fixtures', message, { body });
  });

  test('are those of a pack of one’s own, to which a reset goes back if it became the start', async () => {
    const body = { pack: 'pets:\n  - { name: Ada, categoryId: 1 }\n  - { name: Bo, categoryId: 2 }\n' };
    await admin('PUT /fixtures', { body });
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
    await admin('POST /reset');
    expect(await valueOf('GET /pets/count')).toEqual({ count: 1 });
    await admin('PUT /fixtures', { body: { ...body, name: 'mine.yaml', start: true } });
    await admin('DELETE /pets');
    await admin('POST /reset');
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
    const wrong = { pack: BAD_PACK, name: 'mine.yaml', start: true };
    await expectRejected('PUT /fixtures', '400 unusable-fixtures', 'mine.yaml:2:7: ', { body: wrong });
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
  });
});

test('faults are planted, listed and removed, and those that can never strike rejected', async () => {
  const planted = await admin('POST /faults', { body: { operationId: 'listPets', effect: { status: 503 } } });
  expect(planted).toMatchObject({ status: 201, value: { id: 'fault-1', at: 'before', hits: 0 } });
  expect((await ask('/pets')).status).toBe(503);
  expect(await valueOf('GET /faults')).toMatchObject([{ id: 'fault-1', hits: 1 }]);
  expect([await statusOf('DELETE /faults/fault-1'), await statusOf('DELETE /faults/fault-1')]).toEqual([204, 404]);
  await admin('POST /faults', { body: { effect: { delay: { from: 1, to: 2 } } } });
  await admin('DELETE /faults');
  expect(await mock.faults.list()).toEqual([]);
  const body = { operationId: 'lsitPets', effect: { status: 500 } };
  await expectRejected('POST /faults', '400 bad-fault', 'did you mean listPets?', { body });
});

describe('requests', () => {
  test('are listed, counted, written as an HTTP Archive and cleared, by what they were', async () => {
    await ask('/pets?limit=1');
    await ask('/pets?limit=0');
    expect(await valueOf('GET /requests?verdict=client')).toMatchObject([{ url: '/v1/pets?limit=0', status: 400 }]);
    expect(await valueOf('GET /requests/count?operationId=listPets&status=200&deprecated=false')).toEqual({ count: 1 });
    expect(await valueOf('GET /requests/count?path=/v1/pets&method=GET&fault=fault-1')).toEqual({ count: 0 });
    const har = await valueOf('GET /requests/har?verdict=client');
    expect(har).toMatchObject({ log: { version: '1.2', entries: [{ response: { status: 400 } }] } });
    await admin('DELETE /requests');
    expect(await valueOf('GET /requests/count')).toEqual({ count: 0 });
  });

  test('are waited for, and deprecated ones told by who sent them', async () => {
    const waiting = valueOf('GET /requests/wait?operationId=getPet&timeout=5000');
    await ask('/pets/1');
    expect(await waiting).toMatchObject([{ operationId: 'getPet', deprecated: true }]);
    await expectRejected('GET /requests/wait?count=2&timeout=1', '408 wait-timeout', 'waited 1 ms');
    const callers = [{ operationId: 'getPet', count: 1, userAgent: 'node' }];
    expect(await valueOf('GET /deprecated-callers')).toMatchObject(callers);
  });

  test('that broke the contract are told, and fail an assertion unless they are meant', async () => {
    expect((await admin('POST /violations/assert')).status).toBe(204);
    await ask('/pets?limit=0');
    expect(await valueOf('GET /violations')).toMatchObject({ total: 1, exchanges: [{ status: 400 }] });
    await expectRejected('POST /violations/assert', '409 violations', 'spec/petstore.openapi.yaml:41');
    expect(await statusOf('POST /violations/assert', { body: { allow: [{ status: 400 }] } })).toBe(204);
  });

  test('exercise parts of the contract', async () => {
    await ask('/pets?limit=100');
    const coverage = (await valueOf('GET /coverage')) as { covered: number; missing: { id: string }[] };
    expect(coverage.covered).toBe(4);
    expect(coverage.missing.map(({ id }) => id)).toContain('listPets answers 401');
    expect(await statusOf('GET /coverage?allWorlds=true&threshold=5')).toBe(200);
    await expectRejected('GET /coverage?threshold=99.5', '409 low-coverage', '');
  });
});

test('the delay is set and reset', async () => {
  expect(await valueOf('PUT /delay', { body: { from: 1, to: 2 } })).toEqual({ from: 1, to: 2 });
  expect(await valueOf('GET /delay')).toEqual({ from: 1, to: 2 });
  expect(await valueOf('DELETE /delay')).toEqual({ from: 0, to: 0 });
  expect(await statusOf('PUT /delay', { body: { from: 2, to: 1 } })).toBe(400);
});

test('the clock is set, moved, stopped and reset', async () => {
  await admin('POST /clock/set', { body: { date: '2030-12-04' } });
  await admin('POST /clock/advance', { body: { ms: 86_400_000 } });
  expect((await ask('/pets/1')).status).toBe(410);
  const frozen = await valueOf('POST /clock/freeze', { body: { date: '2031-01-01' } });
  expect(frozen).toEqual({ now: '2031-01-01T00:00:00.000Z', frozen: true });
  expect(await valueOf('GET /clock')).toMatchObject({ frozen: true });
  expect(await valueOf('DELETE /clock')).toMatchObject({ frozen: false });
  await expectRejected('POST /clock/set', '400 bad-date', '', { body: { date: '30 February' } });
});

test('the profile is read, changed and reset', async () => {
  const choices = { 'after-removal': 'not-found-404' };
  expect(await valueOf('PATCH /profile', { body: { choices } })).toMatchObject({ choices });
  expect(await valueOf('GET /profile')).toMatchObject({ name: 'default', choices });
  expect(await valueOf('DELETE /profile')).toMatchObject({ choices: { 'after-removal': 'gone-410' } });
  const body = { choices: { 'after-removal': 'gone' } };
  await expectRejected('PATCH /profile', '400 unusable-profile', 'gone-410', { body });
});

describe('worlds', () => {
  test('are made, listed, looked at and dropped', async () => {
    const path = '/worlds/w1/v1';
    expect(await valueOf('PUT /worlds/w1')).toEqual({ name: 'w1', path });
    expect(await valueOf('GET /worlds')).toEqual({ worlds: ['default', 'w1'] });
    const calls = ['GET', 'DELETE', 'DELETE', 'GET'].map((method) => `${method} /worlds/w1`);
    const statuses: number[] = [];
    for (const call of calls) statuses.push(await statusOf(call));
    expect(statuses).toEqual([200, 204, 404, 404]);
    await expectRejected('DELETE /worlds/default', '400 bad-world', '');
  });

  test('are meant by the header or the parameter, and not by two names', async () => {
    const w1 = { 'X-Petstore-World': 'w1' };
    await admin('POST /pets', { body: { name: 'A', categoryId: 1 }, headers: w1 });
    expect(await valueOf('GET /pets/count?world=w1')).toEqual({ count: 2 });
    expect(await valueOf('GET /pets/count')).toEqual({ count: 1 });
    expect((await admin('GET /pets?world=w2', { headers: w1 })).status).toBe(400);
  });

  test('are reset one by one, or all', async () => {
    for (const query of ['', '?world=w1']) await admin(`DELETE /pets${query}`);
    await admin('POST /reset');
    expect(await valueOf('GET /pets/count')).toEqual({ count: 1 });
    expect(await valueOf('GET /pets/count?world=w1')).toEqual({ count: 0 });
    await admin('POST /reset', { body: { allWorlds: true } });
    expect(await valueOf('GET /pets/count?world=w1')).toEqual({ count: 1 });
  });
});

describe('bad input', () => {
  test.each([
    ['GET /nothing', 404, 'the admin API has no /nothing; it has /health'],
    ['PATCH /reset', 405, '/reset has no PATCH; it has POST'],
    ['GET /requests?satus=200', 400, 'query/satus is not a parameter of this call'],
    ['GET /requests/wait?timeout=-1', 400, 'query/timeout must be at least 0'],
    ['PUT /worlds/a%20b', 400, 'path/name'],
    ['DELETE /faults/%FF', 400, 'path/faultId has a percent escape that is not UTF-8: %FF'],
  ])('%s is %i', async (call, status, message) => {
    const value = { status, message: expect.stringContaining(message) };
    expect(await admin(call, { broken: true })).toMatchObject({ status, value });
  });

  test('that is no JSON is said to be none', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${mock.adminUrl}/reset`, { method: 'POST', headers, body: '{' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('the JSON is malformed')]);
  });
});

test('health and readiness answer GET and HEAD, and calls are neither recorded nor struck nor held back', async () => {
  await mock.faults.add({ effect: { status: 500 } });
  for (const call of ['GET /health', 'GET /ready']) expect(await valueOf(call)).toEqual({ status: 'ok' });
  expect(await statusOf('HEAD /health', { broken: true })).toBe(200);
  expect(await mock.requests.count()).toBe(0);
});

describe('collections', () => {
  test('tell what the contract says of a record, in one piece', async () => {
    const described = { description: expect.any(String) };
    const int64 = { type: ['integer'], format: 'int64', ...described };
    const status = { type: ['string'], enum: ['available', 'pending', 'sold'], ...described };
    expect(await valueOf('GET /collections/pets/schema')).toEqual({
      type: 'object',
      required: ['name', 'categoryId', 'id'],
      properties: { name: { type: ['string'], ...described }, categoryId: int64, status, id: int64 },
    });
    expect(await statusOf('GET /collections/pots/schema')).toBe(400);
  });

  test('refuse a record with all that it breaks, each at its place', async () => {
    for (const call of ['POST /collections/pets', 'PATCH /collections/pets/records/1']) {
      const refused = await admin(call, { body: { name: 1, categoryId: null, status: 'gone' } });
      expect(refused).toMatchObject({ status: 400, value: { code: 'bad-record' } });
      const { violations } = refused.value as { violations: { pointer: string; rule: string }[] };
      const told = violations.map(({ pointer, rule }) => `${pointer} ${rule}`);
      expect(told).toEqual(expect.arrayContaining(['/name type', '/status enum']));
    }
  });

  test('are told, and their records listed, added, changed, replaced, counted, removed and cleared', async () => {
    const [pets] = ((await valueOf('GET /collections')) as { collections: object[] }).collections;
    expect(pets).toEqual({ name: 'pets', key: 'id', within: [], count: 1 });
    const added = await admin('POST /collections/pets', { body: { name: 'Rex', categoryId: 2n ** 62n } });
    expect(added).toMatchObject({ status: 201, value: { id: 2, categoryId: 4611686018427387904n } });
    expect(await valueOf('GET /collections/pets/records/2')).toEqual(added.value);
    const changed = await valueOf('PATCH /collections/pets/records/2', { body: { name: 'Max' } });
    expect(changed).toMatchObject({ name: 'Max' });
    expect(await valueOf('GET /collections/pets/count')).toEqual({ count: 2 });
    expect((await admin('DELETE /collections/pets/records/2')).status).toBe(204);
    expect(await valueOf('PUT /collections/pets', { body: [{ name: 'A', categoryId: 1 }] })).toHaveLength(1);
    expect(await valueOf('GET /collections/pets')).toEqual([{ id: 3, name: 'A', categoryId: 1 }]);
    expect((await admin('DELETE /collections/pets')).status).toBe(204);
    expect(await mock.collection('pets').count()).toBe(0);
  });

  test('that are not there, and records that are not there or break the contract, are refused', async () => {
    const message = 'there is no collection pet; did you mean pets? There are pets.';
    await expectRejected('GET /collections/pet', '400 bad-collection', message);
    expect(await statusOf('GET /collections/pets?within=1')).toBe(400);
    for (const method of ['GET', 'DELETE']) expect(await statusOf(`${method} /collections/pets/records/9`)).toBe(404);
  });
});

test('an operation is described with values to begin with, in the words of the contract', async () => {
  await admin('POST /pets', { body: { name: 'Rex', categoryId: 1 } });
  expect(await valueOf('GET /operations/getPet')).toMatchObject({
    parameters: [{ name: 'petId', in: 'path', required: true, example: 2, keys: [2, 1] }],
    credentials: { headers: KEY },
  });
  expect((await admin('GET /operations/getDog')).status).toBe(404);
});

test('every operation of the document has been called above', () =>
  expect(adminOperations.filter((id) => !called.has(id))).toEqual([]));
