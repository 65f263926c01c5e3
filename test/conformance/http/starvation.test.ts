import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../../src/conformance/http/http-client.js';
import { createPoliteSend, isStarved, type LoopWatch } from '../../../src/conformance/http/send-politely.js';
import { serveLocally } from '../../support/network/serve-locally.js';

/** Blocks the event loop of this process, and so of the runner. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

type Outcome = { last: unknown; received: number; sent: number; notes: string[] };

/** Sends to a server that blocks the event loop for longer than the timeout, so many times, and says what came of it. */
async function sendTo(method: 'GET' | 'POST', blocks: number, watch?: LoopWatch): Promise<Outcome> {
  const outcome: Outcome = { last: undefined, received: 0, sent: 0, notes: [] };
  const server = await serveLocally((_, response) => {
    outcome.received += 1;
    if (outcome.received <= blocks) block(1500);
    response.end();
    return Promise.resolve();
  });
  onTestFinished(() => server.close());
  const client = createHttpClient({ target: new URL(server.url), timeoutMs: 1000 });
  onTestFinished(() => client.close());
  const send = createPoliteSend({
    client,
    onWait: () => {},
    onNote: (note) => outcome.notes.push(note),
    onSent: () => (outcome.sent += 1),
    signal: new AbortController().signal,
    ...(watch === undefined ? {} : { watch }),
  });
  const answer = await send({ method, target: '/', headers: {}, body: undefined });
  outcome.last = answer.kind === 'answered' ? answer.status : answer.reason;
  return outcome;
}

const NOTE = expect.stringContaining('this machine was too busy') as string;

test('a timeout during which the event loop was blocked is repeated, and a note says so', async () =>
  expect(await sendTo('GET', 1)).toEqual({ last: 200, received: 2, sent: 2, notes: [NOTE] }));

test('what may not be sent twice is not, and nothing is concluded', async () =>
  expect(await sendTo('POST', 1)).toEqual({ last: 'starved', received: 1, sent: 1, notes: [NOTE] }));

test('it is repeated three times, and then nothing is concluded', async () => {
  const always: LoopWatch = async (send) => ({ answer: await send(), isStarved: true });
  expect(await sendTo('GET', 0, always)).toMatchObject({ last: 'starved', received: 4, sent: 4 });
});

test('a timeout while the event loop was free is one of the target', async () => {
  const never: LoopWatch = async (send) => ({ answer: await send(), isStarved: false });
  expect(await sendTo('GET', 1, never)).toMatchObject({ last: 'timeout', notes: [] });
});

test.each([
  [{ blockedMs: 300, lastedMs: 1000 }, true],
  [{ blockedMs: 200, lastedMs: 300 }, false],
  [{ blockedMs: 1000, lastedMs: 10_000 }, false],
])('%o: starved is %s', (delay, expected) => expect(isStarved(delay)).toBe(expected));
