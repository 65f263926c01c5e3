import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { connectPetstoreMock, startPetstoreMock, type PetstoreMock } from '../../src/index.js';

const mocks: PetstoreMock[] = [];
const servers: Server[] = [];

async function start(options?: Parameters<typeof startPetstoreMock>[0]): Promise<PetstoreMock> {
  const mock = await startPetstoreMock(options);
  mocks.push(mock);
  return mock;
}

/** What answers everything with this body, and is no petstore-mock. */
async function startOther(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/__admin`;
}

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.close()));
  for (const server of servers.splice(0)) server.close();
});

test('knows the URLs of the mock and of its worlds', async () => {
  const mock = await start();
  const connected = await connectPetstoreMock(`${mock.adminUrl}/`);
  expect([connected.name, connected.url, connected.adminUrl]).toEqual(['default', mock.url, mock.adminUrl]);
  expect(connected.world('w3').url).toBe(mock.world('w3').url);
});

test('steers the mock that the other process sees, and leaves it running', async () => {
  const mock = await start();
  const connected = await connectPetstoreMock(mock.adminUrl);
  await connected.pets.clear();
  await connected.close();
  await connected[Symbol.asyncDispose]();
  expect(await mock.pets.count()).toBe(0);
});

describe('a mock with a token', () => {
  const adminToken = 'a-token-of-the-admin-api';

  test('is driven by who has it', async () => {
    const mock = await start({ adminToken });
    const connected = await connectPetstoreMock(mock.adminUrl, { token: adminToken });
    expect(await connected.pets.count()).toBe(50);
  });

  test.each([
    ['none', {}, 'needs its token'],
    ['another', { token: 'another' }, 'not the token'],
  ])('refuses who has %s at once, and shows no token', async (_, options, message) => {
    const mock = await start({ adminToken });
    const error = await connectPetstoreMock(mock.adminUrl, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'admin-refused', message: expect.stringContaining(message) });
    expect(String(error)).not.toContain(adminToken);
  });
});

test.each<[string, () => Promise<string>, string, string]>([
  ['nobody listens', async () => 'http://127.0.0.1:1/__admin', 'target-unreachable', 'no petstore-mock responds at'],
  ['a page answers', () => startOther(200, '<!doctype html>'), 'target-unreachable', 'is not the admin API'],
  ['another API answers', () => startOther(200, '{"hello":"world"}'), 'target-unreachable', 'is not the admin API'],
  ['another API refuses', () => startOther(404, '{"error":"no"}'), 'target-unreachable', 'is not the admin API'],
  ['it is the URL of the API', async () => (await start()).url, 'target-unreachable', 'its URL ends in /__admin'],
  [
    'the mock has its admin API off',
    async () => (await start({ admin: false })).adminUrl,
    'target-unreachable',
    '--no-admin',
  ],
  ['it is no URL', async () => 'localhost:4010', 'bad-option', 'is not a URL'],
  ['it is another kind of URL', async () => 'file:///__admin', 'bad-option', 'is not a URL'],
])('says so when %s', async (_, where, code, message) => {
  const error = await connectPetstoreMock(await where()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('refuses an option that there is not', async () => {
  const connected = connectPetstoreMock('http://127.0.0.1:4010/__admin', { tokne: 'x' } as never);
  await expect(connected).rejects.toMatchObject({
    code: 'bad-option',
    message: 'there is no option tokne; did you mean token?',
  });
});

test('says so when the mock has gone meanwhile', async () => {
  const mock = await start();
  const connected = await connectPetstoreMock(mock.adminUrl);
  await mock.close();
  await expect(connected.pets.list()).rejects.toMatchObject({ code: 'target-unreachable' });
});
