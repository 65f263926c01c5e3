import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { startPetstoreMock } from '../../src/index.js';
import { afterAnswers, atEndOfTurn } from '../../src/server/end-of-turn.js';
import { createMiddleware } from '../../src/server/middleware.js';
import { createTestWorlds } from '../support/test-world.js';

const KEY = { authorization: 'Bearer petstore-dev-key' };

afterEach(() => void vi.useRealTimers());

test('answers leave in their order at the end of the turn, and what no client waits for comes behind them', async () => {
  const order: string[] = [];
  afterAnswers(() => order.push('log'));
  atEndOfTurn(() => order.push('first answer'));
  atEndOfTurn(() => order.push('second answer'));
  await Promise.resolve();
  expect(order).toEqual([]);
  await nextTurn();
  expect(order).toEqual(['first answer', 'second answer', 'log']);
});

test('what is asked for while answers leave waits for the next turn', async () => {
  const order: string[] = [];
  atEndOfTurn(() => {
    atEndOfTurn(() => order.push('answer of the next turn'));
    afterAnswers(() => order.push('log of the next turn'));
  });
  afterAnswers(() => order.push('log'));
  await nextTurn();
  await nextTurn();
  expect(order).toEqual(['log', 'answer of the next turn', 'log of the next turn']);
});

test('the mock answers under fake timers, which nobody moves on', async () => {
  vi.useFakeTimers();
  const mock = await startPetstoreMock({ fixtures: 'one' });
  const response = await fetch(`${mock.url}/pets`, { headers: KEY });
  expect(response.status).toBe(200);
  vi.useRealTimers();
  await mock.close();
});

test('where something else has answered in the same turn, its answer stands', async () => {
  const middleware = createMiddleware(createTestWorlds(), { cors: false });
  const server = createServer((request, response) => {
    middleware(request, response, () => {});
    response.writeHead(503).end('shed');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: KEY });
    expect([response.status, await response.text()]).toEqual([503, 'shed']);
  }
  server.close();
});
