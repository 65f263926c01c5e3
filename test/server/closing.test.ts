import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startPetstoreMock } from '../../src/index.js';

const KEY = { authorization: 'Bearer petstore-dev-key' };

test('close() cuts what is under way once its time is up', async () => {
  const mock = await startPetstoreMock({ drain: 0.1, delay: 86_400_000 });
  const cut = fetch(`${mock.url}/pets`, { headers: KEY }).catch(({ message }: Error) => message);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await mock.close();
  expect(await cut).toBe('fetch failed');
});

test('close() lets what is under way end when it does so in time', async () => {
  const mock = await startPetstoreMock({ drain: 60, delay: 100 });
  const answer = fetch(`${mock.url}/pets`, { headers: KEY });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await mock.close();
  expect((await answer).status).toBe(200);
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

test.each([-1, '5', 86_401])('a drain of %j is refused', async (drain) => {
  await expect(startPetstoreMock({ drain: drain as number })).rejects.toThrow(
    /the option drain must be a number of seconds/,
  );
});
