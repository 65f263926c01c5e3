import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { callAdmin, type AdminAnswer, type AdminCallOptions } from '../../support/admin.js';

let mock: PetstoreMock;

beforeEach(async () => {
  mock = await startPetstoreMock({ fixtures: 'one' });
});
afterEach(() => mock.close());

const admin = (call: string, options?: AdminCallOptions): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, call, options);

test('a call that is only for a world that is there makes none', async () => {
  const there = { 'If-Match': '*' };
  expect(await admin('GET /faults?world=w1', { headers: there })).toMatchObject({
    status: 412,
    value: { code: 'no_such_world', message: 'there is no world w1; a call without If-Match makes it' },
  });
  const headers = { ...there, 'X-Petstore-World': 'w1' };
  expect((await admin('POST /faults', { body: { effect: { status: 503 } }, headers })).status).toBe(412);
  expect(await mock.worlds()).toEqual(['default']);
  expect((await admin('GET /faults', { headers: there })).value).toEqual([]);
  expect((await admin('GET /faults?world=w1')).value).toEqual([]);
  expect((await admin('GET /faults?world=w1', { headers: there })).status).toBe(200);
  expect((await admin('GET /faults', { headers: { 'If-Match': '"1"' }, broken: true })).status).toBe(400);
});
