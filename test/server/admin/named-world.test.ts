import { expect, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { callAdmin } from '../../support/admin.js';

test('a call that is only for a world that is there makes none', async () => {
  const mock = await startPetstoreMock({ fixtures: 'one' });
  const there = { 'If-Match': '*' };
  const listFaults = (query: string, headers = {}) => callAdmin(mock.adminUrl, `GET /faults${query}`, { headers });
  expect(await listFaults('?world=w1', there)).toMatchObject({
    status: 412,
    value: { code: 'no_such_world', message: 'there is no world w1; a call without If-Match creates it' },
  });
  const headers = { ...there, 'X-Petstore-World': 'w1' };
  const added = await callAdmin(mock.adminUrl, 'POST /faults', { body: { effect: { status: 503 } }, headers });
  expect(added.status).toBe(412);
  expect(await mock.worlds()).toEqual(['default']);
  expect((await listFaults('', there)).value).toEqual([]);
  expect((await listFaults('?world=w1')).value).toEqual([]);
  expect((await listFaults('?world=w1', there)).status).toBe(200);
  const tagged = { headers: { 'If-Match': '"1"' }, broken: true };
  expect((await callAdmin(mock.adminUrl, 'GET /faults', tagged)).status).toBe(400);
  await mock.close();
});
