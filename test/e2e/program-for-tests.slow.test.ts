import { expect, test } from 'vitest';
import { callAdmin } from '../support/admin.js';
import { KEY, startProgram } from '../support/run-program.js';

const adminUrlOf = ({ url }: { url: string }): string => url.replace('/v1', '/__admin');

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const headers = { ...KEY, 'content-type': 'application/json' };
  return (await fetch(url, { headers, ...init })).status;
}

test('faults of the command line strike, and the banner tells of them', async () => {
  const running = await startProgram(['--fault', 'createPet:500:after:times=1', '--fault', 'getPet:503:retry-after=3']);
  const body = '{"name":"Rex","categoryId":1}';
  expect(await statusOf(`${running.url}/pets`, { method: 'POST', body })).toBe(500);
  expect(await statusOf(`${running.url}/pets`, { method: 'POST', body })).toBe(201);
  expect(await statusOf(`${running.url}/pets/51`)).toBe(503);
  const { stdout } = await running.stop();
  expect(stdout).toContain('with    the fault createPet:500:after:times=1\n');
  expect(stdout).toMatch(/POST {2}\/v1\/pets {2}500 .* fault injection: fault-1/);
});

test('--now rehearses the removal, and the end says who still calls', async () => {
  const running = await startProgram(['--now', '2030-12-05']);
  expect(await statusOf(`${running.url}/pets/1`)).toBe(410);
  await fetch(`${running.url}/pets/1`, { headers: { ...KEY, 'user-agent': 'the \u009B31mshop' } });
  const { stdout } = await running.stop();
  expect(stdout).toContain('with    the date 2030-12-05\n');
  expect(stdout).toMatch(/\ngetPet, removed on 2030-12-05, was called 2 times, by:\n {2}1 {2}node\n/);
  expect(stdout).not.toContain('\u009B');
});

test('the admin API drives a running program, and exchanges of other worlds are told apart', async () => {
  const running = await startProgram();
  const admin = adminUrlOf(running);
  expect(running.stdout).toContain(`admin   ${admin}\n`);
  expect((await callAdmin(admin, 'GET /health')).value).toEqual({ status: 'ok' });
  await callAdmin(admin, 'POST /faults?world=w1', { body: { effect: { reset: true } } });
  const headers = { ...KEY, 'X-Petstore-World': 'w1' };
  await expect(fetch(`${running.url}/pets`, { headers })).rejects.toThrow('fetch failed');
  await running.until(/GET {3}\/v1\/pets {2}reset .* in world w1 {2}fault injection: fault-1/);
  expect(await statusOf(`${running.url}/pets`)).toBe(200);
  expect((await running.stop()).code).toBe(0);
});

test('a token by the environment is asked for, and is in no output', async () => {
  const token = 'admin-t0ken-of-a-user';
  const running = await startProgram([], { env: { PETSTORE_MOCK_ADMIN_TOKEN: token } });
  const admin = adminUrlOf(running);
  expect((await callAdmin(admin, 'POST /reset')).status).toBe(401);
  expect((await callAdmin(admin, 'POST /reset', { headers: { authorization: `Bearer ${token}` } })).status).toBe(204);
  await fetch(`${running.url}/pets?x=${token}`, { headers: KEY });
  const { stdout, stderr } = await running.stop();
  expect(stdout).toContain('with the token of PETSTORE_MOCK_ADMIN_TOKEN');
  expect(stdout + stderr).not.toContain(token);
});
