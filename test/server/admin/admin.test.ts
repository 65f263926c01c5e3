import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { adminOperations, callAdmin, called, type AdminAnswer, type AdminCallOptions } from '../../support/admin.js';

const KEY = { Authorization: 'Bearer petstore-dev-key' };
let mock: PetstoreMock;

beforeEach(async () => {
  mock = await startPetstoreMock({ fixtures: 'one' });
});
afterEach(() => mock.close());

const admin = (call: string, options?: AdminCallOptions): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, call, options);

const valueOf = async (call: string, options?: AdminCallOptions): Promise<unknown> =>
  (await admin(call, options)).value;

const ask = (path: string, url = mock.url): Promise<Response> => fetch(`${url}${path}`, { headers: KEY });

describe('pets', () => {
  test('are listed, added, fetched, replaced, counted and cleared', async () => {
    const added = await admin('POST /pets', { body: { name: 'Rex', categoryId: 2n ** 62n } });
    expect(added).toMatchObject({ status: 201, value: { id: 2, name: 'Rex', categoryId: 4611686018427387904n } });
    expect(await valueOf('GET /pets/2')).toEqual(added.value);
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
    expect(await valueOf('GET /pets?status=sold')).toEqual([]);
    expect(await valueOf('PUT /pets', { body: [{ name: 'A', categoryId: 1 }] })).toEqual([
      { id: 3, name: 'A', categoryId: 1 },
    ]);
    expect((await admin('DELETE /pets')).status).toBe(204);
    expect(await mock.pets.count()).toBe(0);
  });

  test('that break the contract are refused with the reason', async () => {
    expect(await admin('POST /pets', { body: { name: 1 } })).toMatchObject({
      status: 400,
      value: { code: 'bad-pet', message: expect.stringContaining('categoryId is required'), status: 400 },
    });
  });

  test('that are not there are 404', async () =>
    expect(await admin('GET /pets/9')).toMatchObject({ status: 404, value: { message: 'no pet has the id 9' } }));

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
    expect((await admin('DELETE /snapshots/before')).status).toBe(204);
    expect((await admin('DELETE /snapshots/before')).status).toBe(404);
    expect((await admin('POST /snapshots/before/restore')).status).toBe(404);
  });

  test('are those of another pack that ships, which a reset goes back to', async () => {
    await admin('POST /fixtures/use', { body: { fixtures: 'default', count: 7, seed: 3 } });
    await admin('DELETE /pets');
    await admin('POST /reset');
    expect(await valueOf('GET /pets/count')).toEqual({ count: 7 });
    expect(await admin('POST /fixtures/use', { body: { fixtures: 'package.json' } })).toMatchObject({
      status: 400,
      value: { code: 'unusable-fixtures', message: expect.stringContaining('no shipped fixture pack package.json') },
    });
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
    const wrong = { pack: 'pets:\n  - { name: 1, categoryId: 1 }\n', name: 'mine.yaml', start: true };
    expect(await admin('PUT /fixtures', { body: wrong })).toMatchObject({
      value: { message: expect.stringContaining('mine.yaml:2:7: ') },
    });
    expect(await valueOf('GET /pets/count')).toEqual({ count: 2 });
  });

  test('of a pack that cannot be used are refused with the line', async () => {
    const body = { pack: 'pets:\n  - { name: 1, categoryId: 1 }\n' };
    expect(await admin('PUT /fixtures', { body })).toMatchObject({
      status: 400,
      value: { code: 'unusable-fixtures', message: expect.stringContaining('pack:2') },
    });
  });
});

describe('faults', () => {
  test('are planted, listed and removed', async () => {
    const planted = await admin('POST /faults', { body: { operationId: 'listPets', effect: { status: 503 } } });
    expect(planted).toMatchObject({ status: 201, value: { id: 'fault-1', at: 'before', hits: 0 } });
    expect((await ask('/pets')).status).toBe(503);
    expect(await valueOf('GET /faults')).toMatchObject([{ id: 'fault-1', hits: 1 }]);
    expect((await admin('DELETE /faults/fault-1')).status).toBe(204);
    expect((await admin('DELETE /faults/fault-1')).status).toBe(404);
    await admin('POST /faults', { body: { effect: { delay: { from: 1, to: 2 } } } });
    await admin('DELETE /faults');
    expect(await mock.faults.list()).toEqual([]);
  });

  test('that can never strike are refused', async () => {
    const body = { operationId: 'lsitPets', effect: { status: 500 } };
    expect(await admin('POST /faults', { body })).toMatchObject({
      status: 400,
      value: { code: 'bad-fault', message: expect.stringContaining('did you mean listPets?') },
    });
  });
});

describe('requests', () => {
  test('are listed, counted and cleared, by what they were', async () => {
    await ask('/pets?limit=1');
    await ask('/pets?limit=0');
    expect(await valueOf('GET /requests?verdict=client')).toMatchObject([{ url: '/v1/pets?limit=0', status: 400 }]);
    expect(await valueOf('GET /requests/count?operationId=listPets&status=200&deprecated=false')).toEqual({ count: 1 });
    expect(await valueOf('GET /requests/count?path=/v1/pets&method=GET&fault=fault-1')).toEqual({ count: 0 });
    await admin('DELETE /requests');
    expect(await valueOf('GET /requests/count')).toEqual({ count: 0 });
  });

  test('are written as an HTTP Archive', async () => {
    await ask('/pets?limit=1');
    await ask('/pets?limit=0');
    const har = await valueOf('GET /requests/har?verdict=client');
    expect(har).toMatchObject({ log: { version: '1.2', entries: [{ response: { status: 400 } }] } });
  });

  test('are waited for', async () => {
    const waiting = valueOf('GET /requests/wait?operationId=getPet&timeout=5000');
    await ask('/pets/1');
    expect(await waiting).toMatchObject([{ operationId: 'getPet', deprecated: true }]);
    expect(await admin('GET /requests/wait?count=2&timeout=1')).toMatchObject({
      status: 408,
      value: { code: 'wait-timeout' },
    });
  });

  test('that broke the contract are told, and fail an assertion unless they are meant', async () => {
    expect((await admin('POST /violations/assert')).status).toBe(204);
    await ask('/pets?limit=0');
    expect(await valueOf('GET /violations')).toMatchObject({ total: 1, exchanges: [{ status: 400 }] });
    expect(await admin('POST /violations/assert')).toMatchObject({
      status: 409,
      value: { code: 'violations', message: expect.stringContaining('spec/petstore.openapi.yaml:41') },
    });
    expect((await admin('POST /violations/assert', { body: { allow: [{ status: 400 }] } })).status).toBe(204);
  });

  test('exercise parts of the contract', async () => {
    await ask('/pets?limit=100');
    const coverage = (await valueOf('GET /coverage')) as { covered: number; missing: { id: string }[] };
    expect(coverage.covered).toBe(4);
    expect(coverage.missing.map(({ id }) => id)).toContain('listPets answers 401');
    expect((await admin('GET /coverage?allWorlds=true&threshold=5')).status).toBe(200);
    expect(await admin('GET /coverage?threshold=99.5')).toMatchObject({ status: 409, value: { code: 'low-coverage' } });
  });

  test('to deprecated operations are told by who sent them', async () => {
    await ask('/pets/1');
    expect(await valueOf('GET /deprecated-callers')).toMatchObject([
      { operationId: 'getPet', count: 1, userAgent: 'node' },
    ]);
  });
});

test('the delay is set and reset', async () => {
  expect(await valueOf('PUT /delay', { body: { from: 1, to: 2 } })).toEqual({ from: 1, to: 2 });
  expect(await valueOf('GET /delay')).toEqual({ from: 1, to: 2 });
  expect(await valueOf('DELETE /delay')).toEqual({ from: 0, to: 0 });
  expect(await admin('PUT /delay', { body: { from: 2, to: 1 } })).toMatchObject({ status: 400 });
});

test('the clock is set, moved, stopped and reset', async () => {
  await admin('POST /clock/set', { body: { date: '2030-12-04' } });
  await admin('POST /clock/advance', { body: { ms: 86_400_000 } });
  expect((await ask('/pets/1')).status).toBe(410);
  expect(await valueOf('POST /clock/freeze', { body: { date: '2031-01-01' } })).toEqual({
    now: '2031-01-01T00:00:00.000Z',
    frozen: true,
  });
  expect(await valueOf('GET /clock')).toMatchObject({ frozen: true });
  expect(await valueOf('DELETE /clock')).toMatchObject({ frozen: false });
  expect(await admin('POST /clock/set', { body: { date: '30 February' } })).toMatchObject({
    status: 400,
    value: { code: 'bad-date' },
  });
});

test('the profile is read, changed and reset', async () => {
  const choices = { 'after-removal': 'not-found-404' };
  expect(await valueOf('PATCH /profile', { body: { choices } })).toMatchObject({ choices });
  expect(await valueOf('GET /profile')).toMatchObject({ name: 'default', choices });
  expect(await valueOf('DELETE /profile')).toMatchObject({ choices: { 'after-removal': 'gone-410' } });
  expect(await admin('PATCH /profile', { body: { choices: { 'after-removal': 'gone' } } })).toMatchObject({
    status: 400,
    value: { code: 'unusable-profile', message: expect.stringContaining('gone-410') },
  });
});

describe('worlds', () => {
  test('are made, listed, looked at and dropped', async () => {
    const path = '/worlds/w1/v1';
    expect(await valueOf('PUT /worlds/w1')).toEqual({ name: 'w1', path });
    expect(await valueOf('GET /worlds')).toEqual({ worlds: ['default', 'w1'] });
    expect((await admin('GET /worlds/w1')).status).toBe(200);
    expect((await admin('DELETE /worlds/w1')).status).toBe(204);
    expect((await admin('DELETE /worlds/w1')).status).toBe(404);
    expect((await admin('GET /worlds/w1')).status).toBe(404);
    expect(await admin('DELETE /worlds/default')).toMatchObject({ status: 400, value: { code: 'bad-world' } });
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
  test('is refused with every violation', async () => {
    const answer = await admin('POST /faults', { body: { at: 'now', times: 0 }, broken: true });
    expect(answer).toMatchObject({ status: 400, value: { code: 'invalid_request', status: 400 } });
    const { violations } = answer.value as { violations: { at: string }[] };
    expect(violations.map(({ at }) => at).sort()).toEqual(['body/at', 'body/effect', 'body/times']);
  });

  test.each([
    ['GET /nothing', 404, 'the admin API has no /nothing; it has /health'],
    ['GET ', 404, 'the admin API has no /; it has /health'],
    ['PATCH /reset', 405, '/reset has no PATCH; it has POST'],
    ['GET /requests?satus=200', 400, 'query/satus is not a parameter of this call'],
    ['GET /requests/wait?timeout=-1', 400, 'query/timeout must be at least 0'],
    ['GET /pets/first', 400, 'path/petId'],
    ['PUT /worlds/a%20b', 400, 'path/name'],
    ['DELETE /faults/%FF', 400, 'path/faultId has a percent escape that is not UTF-8: %FF'],
  ])('%s is %i', async (call, status, message) => {
    expect(await admin(call, { broken: true })).toMatchObject({
      status,
      value: { status, message: expect.stringContaining(message) },
    });
  });

  test('that is no JSON is said to be none', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${mock.adminUrl}/reset`, { method: 'POST', headers, body: '{' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('the JSON is malformed')]);
  });
});

test('health and readiness answer GET and HEAD', async () => {
  for (const call of ['GET /health', 'GET /ready']) expect(await valueOf(call)).toEqual({ status: 'ok' });
  expect((await admin('HEAD /health', { broken: true })).status).toBe(200);
});

test('calls are neither recorded nor struck nor held back', async () => {
  await mock.faults.add({ effect: { status: 500 } });
  expect((await admin('GET /pets')).status).toBe(200);
  expect(await mock.requests.count()).toBe(0);
});

const STATUSES = ['available', 'pending', 'sold'];

describe('collections', () => {
  test('tell what the contract says of a record, in one piece', async () => {
    expect(await valueOf('GET /collections/pets/schema')).toEqual({
      type: 'object',
      required: ['name', 'categoryId', 'id'],
      properties: {
        name: { type: ['string'], description: expect.any(String) },
        categoryId: { type: ['integer'], format: 'int64', description: expect.any(String) },
        status: { type: ['string'], enum: STATUSES, description: expect.any(String) },
        id: { type: ['integer'], format: 'int64', description: expect.any(String) },
      },
    });
    expect((await admin('GET /collections/pots/schema')).status).toBe(400);
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
    expect(await valueOf('GET /collections')).toEqual({
      collections: [{ name: 'pets', key: 'id', within: [], count: 1 }],
    });
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
    expect(await admin('GET /collections/pet')).toMatchObject({
      status: 400,
      value: { code: 'bad-collection', message: 'there is no collection pet; did you mean pets? There are pets.' },
    });
    expect((await admin('GET /collections/pets?within=1')).status).toBe(400);
    expect((await admin('GET /collections/pets/records/9')).status).toBe(404);
    expect((await admin('DELETE /collections/pets/records/9')).status).toBe(404);
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
