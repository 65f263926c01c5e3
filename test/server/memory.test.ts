import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { PetstoreMock } from '../../src/index.js';
import { createPet, KEY, startMock } from '../support/started-mock.js';

let mock: PetstoreMock;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const pet = (length: number): string => JSON.stringify({ name: 'a'.repeat(length), categoryId: 1 });
async function create(body: string, authorization = KEY.Authorization): Promise<string> {
  const response = await createPet(mock, body, { headers: { Authorization: authorization } });
  const { message = '' } = (await response.json()) as { message?: string };
  return `${response.status} ${message}`.trim();
}

/** A connection on which most of a body was sent, and the rest is not. */
async function sendHalf(url: string, { authorization = KEY.Authorization, bytes = 900_000 } = {}): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(`${head}"${'a'.repeat(bytes)}`, () => resolve()));
  return socket;
}

/** What the server says on a connection, as far as it has come. */
const listen = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.setEncoding('utf8').once('data', resolve));

test('bodies that never end leave room for short ones, and give theirs back when they leave', async () => {
  mock = await startMock({ maxMemory: 8 });
  const stuck = [await sendHalf(`${mock.url}/pets`), await sendHalf(`${mock.url}/pets`)];
  const third = await sendHalf(`${mock.url}/pets`);
  expect(await Promise.race([...stuck, third].map(listen))).toContain('503 Service Unavailable');
  expect(await create(pet(10))).toBe('201');
  for (const socket of [...stuck, third]) socket.destroy();
  await expect.poll(() => create(pet(800_000))).toBe('201');
});

test('a body takes room until its response is sent', async () => {
  mock = await startMock({ fixtures: 'empty', maxMemory: 4 });
  await mock.faults.add({ when: { headers: { 'X-Held': 'yes' } }, effect: { delay: 600_000 } });
  const slow = new AbortController();
  const body = pet(600_000);
  const held = createPet(mock, body, { signal: slow.signal, headers: { 'X-Held': 'yes' } }).catch(() => {});
  // Of two bodies that are sent at once, either may arrive first.
  await expect.poll(async () => (await mock.faults.list())[0]?.hits).toBe(1);
  expect(await create(body)).toMatch(/^503 /);
  slow.abort();
  await held;
  await expect.poll(() => create(body)).toBe('201');
});

test('long bodies without a valid key take no room', async () => {
  mock = await startMock({ maxMemory: 8 });
  for (let sent = 0; sent < 6; sent++) await sendHalf(`${mock.url}/pets`, { authorization: 'Bearer wrong' });
  expect(await create(pet(800_000))).toBe('201');
  expect(await create(pet(800_000), '')).toMatch(/^401 the API key is missing/);
});

test('bodies of the admin API take of the same room', async () => {
  mock = await startMock({ maxMemory: 8 });
  const answers = (await Promise.all([1, 2, 3].map(() => sendHalf(`${mock.adminUrl}/pets`)))).map(listen);
  expect(await Promise.race(answers)).toContain('503 Service Unavailable');
});

test('a world has at most a thousand faults, none of them long', async () => {
  mock = await startMock();
  const fault = { effect: { status: 500 } } as const;
  for (let planted = 0; planted < 1000; planted++) await mock.faults.add(fault);
  await expect(mock.faults.add(fault)).rejects.toThrow('there are 1000 faults already; remove one first');
  await mock.faults.clear();
  const long = mock.faults.add({ ...fault, when: { body: { name: 'a'.repeat(20_000) } } });
  await expect(long).rejects.toThrow('it is longer than 16384 characters');
});

test('of what a caller of a deprecated operation says of itself the beginning is kept', async () => {
  mock = await startMock();
  await fetch(`${mock.url}/pets/1`, { headers: { ...KEY, 'User-Agent': 'a'.repeat(10_000) } });
  const [caller] = await mock.deprecatedCallers();
  expect(caller?.userAgent).toHaveLength(513);
});
