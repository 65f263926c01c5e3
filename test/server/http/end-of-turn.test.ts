import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { afterAnswers, atEndOfTurn, createMiddleware } from '../../../src/server/http/middleware.js';
import { serve } from '../../support/serve.js';
import { KEY, startMock } from '../../support/started-mock.js';
import { AUTHORIZATION, createTestWorlds } from '../../support/test-world.js';

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

test('an answer that throws keeps none of the others back, and is heard of', async () => {
  const order: string[] = [];
  const heard = hearUncaught();
  atEndOfTurn(() => {
    throw new Error('cannot be sent');
  });
  atEndOfTurn(() => order.push('answer'));
  afterAnswers(() => order.push('log'));
  await nextTurn();
  expect([order, (await heard).message]).toEqual([['answer', 'log'], 'cannot be sent']);
});

/** The next error that nobody catches, which the test's own runner does not get to hear of. */
async function hearUncaught(): Promise<Error> {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const [error] = (await once(process, 'uncaughtException')) as [Error];
  for (const each of others) process.on('uncaughtException', each);
  return error;
}

test('the mock answers under fake timers, which nobody moves on', async () => {
  vi.useFakeTimers();
  const mock = await startMock();
  expect((await fetch(`${mock.url}/pets`, { headers: KEY })).status).toBe(200);
  vi.useRealTimers();
});

test('where something else has answered in the same turn, its answer stands', async () => {
  const middleware = createMiddleware(createTestWorlds(), { cors: false });
  const url = await serve((request, response) => {
    middleware(request, response, () => {});
    response.writeHead(503).end('shed');
  });
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`${url}/v1/pets`, { headers: KEY });
    expect([response.status, await response.text()]).toEqual([503, 'shed']);
  }
});

test('a client whose answer cannot be written is left at once, and the others get theirs', async () => {
  const heard = hearUncaught();
  const middleware = createMiddleware(createTestWorlds(), { cors: false });
  const url = await serve((request, response) => {
    if (request.headers['x-odd'] !== undefined) {
      response.writeHead = () => {
        throw new Error('cannot be written');
      };
    }
    middleware(request, response, () => {});
  });
  const ask = (headers: Record<string, string>): Promise<number | string> =>
    fetch(`${url}/v1/pets`, { headers: { authorization: AUTHORIZATION, ...headers } }).then(
      ({ status }) => status,
      ({ message }: Error) => message,
    );
  const answers = await Promise.all([ask({}), ask({ 'x-odd': '1' }), ask({}), ask({})]);
  expect(answers).toEqual([200, 'fetch failed', 200, 200]);
  expect((await heard).message).toBe('cannot be written');
});
