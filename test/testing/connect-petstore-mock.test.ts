import { expect, test } from 'vitest';
import { connectPetstoreMock } from '../../src/index.js';
import { serve } from '../support/serve.js';
import { startMock } from '../support/started-mock.js';

const start = (options: Parameters<typeof startMock>[0] = {}) => startMock({ fixtures: 'default', ...options });

/** What answers everything with this body, and is no petstore-mock. */
const startOther = async (status: number, body: string): Promise<string> =>
  `${await serve((_, response) => response.writeHead(status).end(body))}/__admin`;

test('knows the URLs of the mock and of its worlds, steers it, and leaves it running', async () => {
  const mock = await start();
  const connected = await connectPetstoreMock(`${mock.adminUrl}/`);
  expect([connected.name, connected.url, connected.adminUrl]).toEqual(['default', mock.url, mock.adminUrl]);
  expect(connected.world('w3').url).toBe(mock.world('w3').url);
  await connected.pets.clear();
  await connected.close();
  await connected[Symbol.asyncDispose]();
  expect(await mock.pets.count()).toBe(0);
});

test('a mock with a token is driven by who has it, and rejects others at once, without showing it', async () => {
  const adminToken = 'a-token-of-the-admin-api';
  const mock = await start({ adminToken });
  expect(await (await connectPetstoreMock(mock.adminUrl, { token: adminToken })).pets.count()).toBe(50);
  for (const [options, part] of [
    [{}, 'needs its token'],
    [{ token: 'another' }, 'not the token'],
  ] as const) {
    const error = await connectPetstoreMock(mock.adminUrl, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'admin-refused', message: expect.stringContaining(part) });
    expect(String(error)).not.toContain(adminToken);
  }
});

test.each<[string, () => Promise<string>, string, string]>([
  ['nobody listens', async () => 'http://127.0.0.1:1/__admin', 'target-unreachable', 'no petstore-mock responds at'],
  ['a page answers', () => startOther(200, '<!doctype html>'), 'target-unreachable', 'is not the admin API'],
  ['another API answers', () => startOther(200, '{"hello":"world"}'), 'target-unreachable', 'is not the admin API'],
  ['it is the URL of the API', async () => (await start()).url, 'target-unreachable', 'its URL ends in /__admin'],
  ['its admin API is off', async () => (await start({ admin: false })).adminUrl, 'target-unreachable', '--no-admin'],
  ['it is no URL', async () => 'localhost:4010', 'bad-option', 'is not a URL'],
])('says so when %s', async (_, where, code, message) => {
  const error = await connectPetstoreMock(await where()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('says so when an option is none, or the mock has gone meanwhile', async () => {
  const wrong = connectPetstoreMock('http://127.0.0.1:4010/__admin', { tokne: 'x' } as never);
  const message = 'there is no option tokne; did you mean token?';
  await expect(wrong).rejects.toMatchObject({ code: 'bad-option', message });
  const mock = await start();
  const connected = await connectPetstoreMock(mock.adminUrl);
  await mock.close();
  await expect(connected.pets.list()).rejects.toMatchObject({ code: 'target-unreachable' });
});
