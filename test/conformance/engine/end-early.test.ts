import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { startWith } from '../../mutation/server/start-server.js';
import { visit } from './created/pinboard.js';
import { closeLater, KEY } from '../support/ask.js';

/** How an answer is broken on its way. */
const BROKEN: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['dropped', (response) => void response.destroy()],
  [
    'no HTTP',
    (response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  ],
  [
    'shorter than announced',
    (response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}'),
  ],
  [
    'sent twice',
    (response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}HTTP/1.1 200'),
  ],
];

test.each(BROKEN)('answers of one kind that are %s are a problem, and the run goes on', async (_, spoil) => {
  const server = await startWith(
    [
      (base) => ({
        send: (reply, exchange, response) =>
          reply.status === 400 ? spoil(response) : base.send(reply, exchange, response),
      }),
    ],
    KEY,
  );
  closeLater(() => server.close());
  const only = ['pets/refusals/create', 'pets/records/*'];
  const { targetLost, summary, problems } = await runConformance({
    target: server.url,
    apiKey: KEY,
    only,
    settleMs: 0,
  });
  expect({ targetLost, isTold: problems.length > 0 }).toEqual({ targetLost: false, isTold: true });
  expect(summary.passed).toBeGreaterThan(5);
  expect(summary.inconclusive).toBeLessThan(5);
});

test.each(BROKEN)(
  'one operation of which every answer is %s is a problem, whatever is asked first',
  async (_, spoil) => {
    const { result } = await visit({
      first: ({ method, url }, response) => {
        const isList = method === 'GET' && url?.startsWith('/pins') === true && !url.startsWith('/pins/');
        if (isList) spoil(response);
        return isList;
      },
    });
    expect(result.targetLost).toBe(false);
    expect(result.problems.length).toBeGreaterThan(0);
    expect(result.summary.passed).toBeGreaterThan(5);
  },
);

test('a target that dies is given up soon', async () => {
  let asked = 0;
  const { result, board } = await visit({
    first: (_, response) => {
      asked += 1;
      if (asked > 40) response.destroy();
      return asked > 40;
    },
  });
  expect(result.targetLost).toBe(true);
  expect(result.lostBecause).toBe('the target stopped responding');
  expect(board.log.length).toBeLessThan(100);
});
