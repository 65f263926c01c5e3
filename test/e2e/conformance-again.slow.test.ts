import { request as forward } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { serve } from '../support/serve.js';
import { ask, start } from '../conformance/support/ask.js';
import { Refusal } from '../mutation/server/replies.js';

const AGAIN = ['--again', 'pets/lists/at-start[status-sold]'];

test('what goes wrong now and then is tried until it shows', async () => {
  let lists = 0;
  const { url } = await start((base) => ({
    intercept: (exchange) =>
      exchange.method === 'GET' && ++lists === 17
        ? new Refusal(500, 'broken', 'Broken now and then.')
        : base.intercept(exchange),
  }));
  const told =
    /Reproduced within \d+ attempts \(\d+ requests\), with (?:a new connection for each request|reused connections), but not in the first/;
  expect(await ask(url, ...AGAIN)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 problem'),
    stderr: expect.stringMatching(told),
  });
});

test('what goes wrong with requests at the same time shows too', async () => {
  // Each is held until three are there, or for a while; those that are there together fail.
  const held = new Set<() => void>();
  let heldMs = 0;
  const { url } = await start((base) => ({
    intercept: async (exchange) => {
      await new Promise<void>((resolve) => {
        held.add(resolve);
        setTimeout(resolve, heldMs);
        if (held.size > 2) for (const release of held) release();
      });
      const isCrowded = held.size > 2;
      setImmediate(() => held.clear());
      return isCrowded && exchange.method === 'GET'
        ? new Refusal(500, 'broken', 'Broken under load.')
        : base.intercept(exchange);
    },
  }));
  // A busy machine may need longer to have three requests under way.
  let end = {};
  for (heldMs of [300, 3000, 15_000]) if (!('code' in end) || end.code === 0) end = await ask(url, ...AGAIN);
  expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining('1 problem') });
});

test('what does not show is not said to be gone after one look, and no more is created than one run may', async () => {
  const { url, log } = await start();
  const end = await ask(url, '--again', 'pets/records/create', '--max-creates', '4');
  expect(end).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no problem'),
    stderr: expect.stringMatching(/Not reproduced in (?:1 attempt|\d+ attempts)[^\n]*\n$/),
  });
  expect(log.filter(({ operation }) => operation === 'createPet').length).toBeLessThanOrEqual(4);
  expect((await ask(url, ...AGAIN)).stderr).toMatch(
    /Not reproduced in 21 attempts with reused and with new connections \(\d+ requests; .* concurrent traffic, as in a whole run\.\n$/,
  );
});

test('of the attempts, some reuse connections, and in others each request has one of its own', async () => {
  const { url } = await start();
  const requestsOf = new Map<Socket, number>();
  const front = await serve((request, response) => {
    requestsOf.set(request.socket, (requestsOf.get(request.socket) ?? 0) + 1);
    const { method, headers } = request;
    const onward = forward(new URL(request.url ?? '', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const { stderr } = await ask(`${front}/v1`, ...AGAIN);
  const [, requests] = /in 21 attempts .*\((\d+) requests/.exec(stderr) ?? [];
  const counts = [...requestsOf.values()];
  // Three of five rounds of four attempts.
  const fresh = (Number(requests) / 21) * 12;
  expect(counts.filter((count) => count === 1).length).toBeGreaterThanOrEqual(fresh);
  expect(counts.filter((count) => count > 1).length).toBeGreaterThan(0);
});
