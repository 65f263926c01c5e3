import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopOnSignals } from '../../../src/cli/mock/keep-up.js';
import type { Listening } from '../../../src/server/http/listen.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

/** A server that ends when told to; what happens is noted in order. */
function stopping(openConnections = 1) {
  const events: string[] = [];
  let end = (): void => {};
  const server: Listening = {
    origin: 'http://127.0.0.1:1',
    port: 1,
    openConnections,
    close: (seconds) => {
      events.push(`close ${seconds}`);
      return new Promise((resolve) => (end = resolve));
    },
    closeNow: () => void events.push('closeNow'),
  };
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    events.push(`exit ${code}`);
    return undefined as never;
  });
  stopOnSignals(server, {
    drainSeconds: 5,
    tell: (text) => events.push(text),
    lastWords: () => events.push('last words'),
  });
  return { events, end: () => end() };
}

/** Calls what was added for a signal; sending one would stop the tests as well. */
function send(signal: (typeof SIGNALS)[number]): void {
  for (const listener of process.listeners(signal)) if (!before.get(signal)?.includes(listener)) listener(signal);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!before.get(signal)?.includes(listener)) process.removeListener(signal, listener);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  [1, 'stops when 1 exchange has ended, in 5 s at most; a second signal closes it at once.'],
  [2, 'stops when 2 exchanges have ended, in 5 s at most; a second signal closes them at once.'],
])('a stop that takes its time says why: %i', async (count, told) => {
  const { events } = stopping(count);
  send('SIGINT');
  await vi.advanceTimersByTimeAsync(299);
  expect(events).toEqual(['close 5']);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual(['close 5', told]);
});

test('a second signal cuts off what is left, but for one that npm repeats at once', () => {
  const { events } = stopping();
  send('SIGTERM');
  vi.advanceTimersByTime(50);
  send('SIGINT');
  expect(events).toEqual(['close 5']);
  vi.advanceTimersByTime(51);
  send('SIGINT');
  expect(events).toEqual(['close 5', 'closeNow']);
});
