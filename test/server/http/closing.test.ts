import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { createPet, KEY, startMock } from '../../support/started-mock.js';

test.each(['GET /v1/pe', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'])(
  'close() cuts what is sent by half: %j',
  async (half) => {
    const mock = await startPetstoreMock({ drain: 0.1 });
    const options = { port: Number(new URL(mock.url).port), host: '127.0.0.1', allowHalfOpen: true };
    const socket = connect(options, () => socket.write(half));
    const closed = new Promise<void>((resolve) => void socket.on('error', () => {}).once('close', () => resolve()));
    socket.resume().on('end', () => socket.end());
    await fetch(`${mock.url}/pets`, { headers: KEY });
    await mock.close();
    await expect(closed).resolves.toBeUndefined();
  },
);

test('close() lets what is under way end when it does so in time', async () => {
  const mock = await startPetstoreMock({ drain: 60 });
  await mock.faults.add({ at: 'after', effect: { delay: 100 } });
  const answer = fetch(`${mock.url}/pets`, { headers: KEY });
  await mock.requests.waitFor({}, { timeout: 200_000 });
  await mock.close();
  expect((await answer).status).toBe(200);
});

test('close() cuts what is under way once its time is up', async () => {
  const mock = await startPetstoreMock({ drain: 0.1 });
  await mock.faults.add({ at: 'after', effect: { delay: 86_400_000 } });
  const cut = fetch(`${mock.url}/pets`, { headers: KEY }).catch(({ message }: Error) => message);
  await mock.requests.waitFor({}, { timeout: 200_000 });
  await mock.close();
  expect(await cut).toBe('fetch failed');
});

test('close() ends under fake timers, which nobody moves on', async () => {
  const mock = await startPetstoreMock({ drain: 0.1 });
  vi.useFakeTimers();
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1', () => socket.write('GET /v1/pe'));
  await new Promise<void>((resolve) => void socket.once('ready', resolve));
  await expect(mock.close()).resolves.toBeUndefined();
  vi.useRealTimers();
  socket.destroy();
});

test.each([
  ['refused-413', 1, 413],
  ['refused-400', 1, 400],
  ['accepted', 1, 201],
  // Even where long bodies are read.
  ['accepted', 16, 413],
])('%s: a body over %i MiB is answered %i', async (choice, mebibytes, status) => {
  const mock = await startMock({ profile: { gaps: { 'body-too-large': choice } } });
  const body = '{"name":"Rex","categoryId":1}'.padEnd(mebibytes * 1024 * 1024 + 1);
  expect((await createPet(mock, body)).status).toBe(status);
});

test.each([-1, '5', 86_401])('a drain of %j is rejected', async (drain) => {
  const start = startPetstoreMock({ drain: drain as number });
  await expect(start).rejects.toThrow(/the option drain must be a number of seconds/);
});
