import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/conformance/http/http-client.js';
import {
  createAsk,
  createPoliteSend,
  createSharedAnswers,
  pause,
  readRateLimit,
  type Ask,
  type LoopWatch,
  type PoliteOptions,
} from '../../../src/conformance/http/send-politely.js';
import type { FailureReason, WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { serveLocally } from '../../support/network/serve-locally.js';
import { createTestClock } from '../support/test-clock.js';

const GET: WireRequest = { method: 'GET', target: '/v1/pets', headers: { Authorization: 'Bearer k' }, body: undefined };
const POST: WireRequest = { ...GET, method: 'POST' };

const answer = (status: number, headers: Record<string, string> = {}, length = 0): WireAnswer => ({
  kind: 'answered',
  status,
  headers,
  bytes: new Uint8Array(length),
  durationMs: 1,
});
const fail = (reason: FailureReason): WireAnswer => ({ kind: 'unanswered', reason, detail: reason, durationMs: 1 });

/** Sends politely over a function; what is not given does nothing. */
const politely = ({
  send,
  ...more
}: { send: HttpClient['send'] } & Partial<PoliteOptions>): ReturnType<typeof createPoliteSend> =>
  createPoliteSend({
    client: { send, close: () => {} },
    onWait: () => {},
    onNote: () => {},
    onSent: () => {},
    signal: new AbortController().signal,
    ...more,
  });

/** Sends against answers in their order, of which the last is repeated, and tells what happened. */
async function run(
  answers: WireAnswer[],
  request: WireRequest = GET,
  more: Partial<PoliteOptions> = {},
): Promise<{ last: unknown; sent: number; waits: number[]; notes: string[] }> {
  const waits: number[] = [];
  const notes: string[] = [];
  let sent = 0;
  const send = politely({
    send: () => Promise.resolve(answers[Math.min(sent - 1, answers.length - 1)] as WireAnswer),
    onWait: (_, ms) => waits.push(ms),
    onNote: (note) => notes.push(note),
    onSent: () => (sent += 1),
    clock: createTestClock(),
    ...more,
  });
  const end = await send(request);
  return { last: end.kind === 'answered' ? end.status : end.reason, sent, waits, notes };
}

test('an answer is handed on as it is', async () =>
  expect(await run([answer(200)])).toEqual({ last: 200, sent: 1, waits: [], notes: [] }));

const asking = (status: number, after: string): WireAnswer[] => [answer(status, { 'retry-after': after }), answer(200)];
const USED_UP = { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' };

describe('a target that asks to wait', () => {
  test.each<[string, WireAnswer[], object]>([
    ['by 429 and Retry-After is asked again after that', asking(429, '0'), { last: 200, sent: 2, waits: [50] }],
    ['by 503 and Retry-After is asked again after that', asking(503, '0'), { last: 200, sent: 2, waits: [50] }],
    ['for a minute is waited for', asking(429, '60'), { last: 200, waits: [60_000] }],
    ['by 429 alone is given half a second', [answer(429), answer(200)], { last: 200, waits: [500] }],
    ['by 503 alone does not ask', [answer(503), answer(200)], { last: 503, sent: 1 }],
    ['by 429 and a rate limit is given that time', [answer(429, USED_UP), answer(200)], { last: 200, waits: [12_000] }],
  ])('%s', async (_, answers, told) => {
    const { notes, ...ran } = await run(answers);
    expect(ran).toMatchObject(told);
    const said = expect.stringContaining('the run waited and sent the requests again') as string;
    expect(notes).toEqual(ran.waits.length > 0 ? [said] : []);
  });

  test('for longer than the run has time is not waited for, and that is noted', async () => {
    const { notes, ...ran } = await run(asking(429, '61'), GET, { deadline: 60_000 });
    expect(ran).toEqual({ last: 429, sent: 1, waits: [] });
    expect(notes).toEqual(['the target asks to wait longer than the remaining time of the run (--max-time)']);
  });

  test('and serves nothing is waited for once, not for each request anew', async () => {
    const clock = createTestClock();
    const send = politely({ send: () => Promise.resolve(answer(429)), clock });
    await send(GET);
    expect(clock.now()).toBe(15_500);
    for (let more = 0; more < 20; more++) await send(GET);
    expect(clock.now()).toBeLessThanOrEqual(20_000);
  });

  test('after it has served something is waited for longer, and anew after each answer', async () => {
    const clock = createTestClock();
    let sent = 0;
    const send = politely({
      send: () => Promise.resolve(answer([1, 10].includes(sent) ? 200 : 429)),
      onSent: () => (sent += 1),
      clock,
    });
    await send(GET);
    expect(await send(GET)).toMatchObject({ status: 200 });
    const before = clock.now();
    expect(await send(GET)).toMatchObject({ status: 429 });
    expect(clock.now() - before).toBeGreaterThan(100_000);
  });

  test('has every request wait, since the limit is for all of them', async () => {
    const times: number[] = [];
    const clock = createTestClock();
    const send = politely({
      send: () => Promise.resolve(times.length === 1 ? answer(429, { 'retry-after': '1' }) : answer(200)),
      onSent: () => times.push(clock.now()),
      clock,
    });
    const first = send(GET);
    await clock.pause(10);
    await Promise.all([first, send(GET), send(GET)]);
    expect(times).toEqual([0, 1000, 1000, 1000]);
  });

  test("is not waited for once the run is interrupted, by the machine's own time either", async () => {
    const stop = new AbortController();
    const waiting = pause(3_600_000, stop.signal);
    const more = { signal: stop.signal, onWait: () => stop.abort() };
    expect(await run(asking(429, '20'), GET, more)).toMatchObject({ last: 429, sent: 1 });
    expect(await waiting).toBeUndefined();
  });
});

/** Answers 429 above so many requests in a window; each answer tells what is left. */
function limitedTarget(clock: ReturnType<typeof createTestClock>, limit: number, windowMs: number) {
  const seen = { refused: 0, sent: 0 };
  let window = { from: 0, sent: 0 };
  const send = async (): Promise<WireAnswer> => {
    if (clock.now() - window.from >= windowMs) window = { from: clock.now(), sent: 0 };
    window.sent += 1;
    seen.sent += 1;
    const isRefused = window.sent > limit;
    if (isRefused) seen.refused += 1;
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(limit - window.sent, 0)),
      'x-ratelimit-reset': String((windowMs - (clock.now() - window.from)) / 1000),
    };
    await clock.pause(1);
    return answer(isRefused ? 429 : 200, headers);
  };
  return { seen, send };
}

async function sendMany(
  send: () => Promise<WireAnswer>,
  { many, abreast = 1, ...more }: { many: number; abreast?: number } & Partial<PoliteOptions>,
): Promise<{ waits: string[]; notes: Set<string> }> {
  const told = { waits: [] as string[], notes: new Set<string>() };
  const polite = politely({
    send,
    onWait: (reason, ms) => told.waits.push(`${ms}: ${reason}`),
    onNote: (note) => told.notes.add(note),
    ...more,
  });
  let left = many;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await polite(GET);
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  return told;
}

describe('a target that tells its rate limit', () => {
  test.each([1, 4])('is not asked once more than it allows, %i at a time', async (abreast) => {
    const clock = createTestClock();
    const target = limitedTarget(clock, 20, 60_000);
    const { waits, notes } = await sendMany(target.send, { many: 50, abreast, clock });
    expect(target.seen).toEqual({ sent: 50, refused: 0 });
    expect(waits.length).toBe(2);
    expect(waits[0]).toMatch(/^\d+: the target reports its rate limit: \d of 20 requests remain; the run continues/);
    expect(notes).toEqual(new Set(['the target reports a rate limit; the run paused before it was used up']));
  });

  test('of nothing left, and answers all the same, is not believed a second time', async () => {
    const clock = createTestClock();
    const send = async (): Promise<WireAnswer> => {
      await clock.pause(1);
      return answer(200, { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' });
    };
    expect((await sendMany(send, { many: 40, clock })).waits).toHaveLength(1);
  });
});

const NOW = Date.parse('2026-11-22T12:00:00Z');
const left = (remaining: number, resetMs: number, limit?: number): object => ({
  remaining,
  resetMs,
  ...(limit === undefined ? {} : { limit }),
});
const fields = (prefix: string, limit: string, remaining: string, reset: string): Record<string, string> => ({
  [`${prefix}limit`]: limit,
  [`${prefix}remaining`]: remaining,
  [`${prefix}reset`]: reset,
});
const policy = (ratelimit: string): Record<string, string> => ({ ratelimit });

test.each([
  ['a list of policies', policy('"default";r=50;t=30'), left(50, 30_000)],
  ['of two that are used up, the longer', policy('"a";r=0;t=5, "b";r=0;t=60'), left(0, 60_000)],
  ['one dictionary', policy('limit=100, remaining=50, reset=30'), left(50, 30_000, 100)],
  ['a field each', fields('ratelimit-', '100', '7', '60'), left(7, 60_000, 100)],
  ['a limit with its policy behind it', fields('ratelimit-', '100, 100;w=60', '7', '60'), left(7, 60_000, 100)],
  ['the end in seconds since 1970', fields('x-ratelimit-', '60', '0', `${NOW / 1000 + 20}`), left(0, 20_000, 60)],
  ['the end as a date', fields('x-ratelimit-', '60', '0', '2026-11-22T12:00:20Z'), left(0, 20_000, 60)],
  ['an end that is past', fields('x-ratelimit-', '60', '0', `${NOW / 1000 - 20}`), left(0, 0, 60)],
  ['none in no field', {}, undefined],
  ['none without an end', { 'x-ratelimit-remaining': '0' }, undefined],
  ['none by a policy without what is left', policy('"default";q=100;w=60'), undefined],
])('an answer tells its rate limit: %s', (_, headers, told) => expect(readRateLimit(headers, NOW)).toEqual(told));

describe('a dropped connection', () => {
  test.each(['dropped', 'incomplete'] as const)('%s: a GET is sent once more, and that is noted', async (reason) => {
    const { last, sent, notes } = await run([fail(reason), answer(200)]);
    expect({ last, sent }).toEqual({ last: 200, sent: 2 });
    expect(notes).toEqual([expect.stringContaining('a connection was closed')]);
  });

  const cutOff = { ...answer(200), cutOff: 'the connection ended' } as WireAnswer;

  test('within the body of an answer: a GET is sent once more, and if that comes whole, it is noted', async () => {
    const { last, sent, notes } = await run([cutOff, answer(404)]);
    expect({ last, sent }).toEqual({ last: 404, sent: 2 });
    expect(notes).toEqual([expect.stringContaining('a connection was closed (the connection ended)')]);
    expect(await run([cutOff])).toMatchObject({ last: 200, sent: 2, notes: [] });
    expect(await run([cutOff, answer(201)], POST)).toMatchObject({ sent: 1 });
  });

  test.each([
    ['all answers', [], 15],
    ['some answers', [4], 17],
  ])(
    'a target that cuts off %s is asked once for each in the end, after five second ones that were cut off',
    async (...row) => {
      const [, whole, expected] = row;
      let sent = 0;
      const send = politely({
        send: () => Promise.resolve(whole.includes(sent as never) ? answer(200) : cutOff),
        onSent: () => (sent += 1),
      });
      for (let request = 0; request < 10; request++) await send(GET);
      expect(sent).toBe(expected);
    },
  );

  test('the second time goes out on a connection of its own, and is the end', async () => {
    const alone: unknown[] = [];
    const send = politely({
      send: (request) => {
        alone.push(request.alone);
        return Promise.resolve(fail('dropped'));
      },
    });
    expect(await send(GET)).toMatchObject({ reason: 'dropped' });
    expect(alone).toEqual([undefined, true]);
  });

  test.each(['timeout', 'refused', 'tls', 'no-http', 'too-large', 'interrupted'] as const)(
    '%s is nothing that another try would mend',
    async (reason) => expect((await run([fail(reason), answer(200)])).sent).toBe(1),
  );
});

test('a rate keeps requests apart, also those that are sent at once', async () => {
  const times: number[] = [];
  const clock = createTestClock();
  const onSent = (): unknown => times.push(clock.now());
  const send = politely({ send: () => Promise.resolve(answer(200)), rate: 50, onSent, clock });
  await Promise.all(Array.from({ length: 6 }, () => send(GET)));
  expect(times).toEqual([0, 20, 40, 60, 80, 100]);
});

describe('an answer that is shared', () => {
  /** Scenarios that ask a target of which the answers are numbered. */
  function open({ status = 200, length = 2 }: { status?: number; length?: number } = {}) {
    const sent: string[] = [];
    let time = 0;
    const shared = createSharedAnswers(() => time);
    const send = shared.follow(async ({ method, target }): Promise<WireAnswer> => {
      sent.push(`${method} ${target}`);
      await Promise.resolve();
      return { ...answer(status, {}, length), durationMs: sent.length };
    });
    const scenario = (fresh = false): Ask => createAsk(send, shared, { fresh });
    return { sent, scenario, wait: (ms: number) => (time += ms) };
  }

  /** Asks, and judges the answer. */
  async function ask(scenario: Ask, request = GET, isSound = true): Promise<WireAnswer> {
    const { answer: given, settle } = await scenario(request, () => {});
    settle(isSound);
    return given;
  }

  test('serves another scenario that would send the same request, also while it is under way', async () => {
    const { sent, scenario } = open();
    const [one, other] = await Promise.all([ask(scenario()), ask(scenario())]);
    expect([one, one]).toEqual([other, await ask(scenario())]);
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Partial<WireRequest>]>([
    ['another query', { target: '/v1/pets?limit=1' }],
    ['another header field', { headers: { Authorization: 'Bearer k', Accept: '*/*' } }],
    ['another key', { headers: { Authorization: 'Bearer j' } }],
    ['another method', { method: 'HEAD' }],
  ])('serves no request with %s', async (_, changed) => {
    const { sent, scenario } = open();
    await ask(scenario());
    await ask(scenario(), { ...GET, ...changed });
    expect(sent).toHaveLength(2);
  });

  test('serves no scenario twice, and none that is to ask afresh', async () => {
    const { sent, scenario } = open();
    const own = scenario();
    await ask(own);
    await ask(own);
    await ask(scenario(true));
    expect(sent).toHaveLength(3);
  });

  test('serves nobody after something was written, or while it is, but as a control, which was accepted', async () => {
    const { sent, scenario } = open();
    await ask(scenario());
    await ask(scenario(), POST);
    expect((await scenario()(GET, () => {}, true)).isShared).toBe(true);
    await ask(scenario());
    expect(sent).toEqual(['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets']);
    await Promise.all([ask(scenario(), POST), ask(scenario())]);
    await ask(scenario());
    expect(sent).toHaveLength(6);
  });

  test.each([
    [400, 2],
    [201, 3],
  ])('after a write that was answered with %i is asked for in %i requests', async (status, requests) => {
    const { sent, scenario } = open({ status });
    await ask(scenario());
    await ask(scenario(), { ...POST, repeatable: true });
    await ask(scenario());
    expect(sent).toHaveLength(requests);
  });

  test('that shows something wrong serves nobody else, so that one failure costs one scenario', async () => {
    const { sent, scenario } = open();
    await Promise.all([ask(scenario(), GET, false), ask(scenario(), GET, false)]);
    await scenario()(GET, () => {}, true);
    expect(sent).toHaveLength(3);
  });

  test('is forgotten after a minute, and a long one at once', async () => {
    const old = open();
    await ask(old.scenario());
    old.wait(61_000 + performance.now());
    await ask(old.scenario());
    expect(old.sent).toHaveLength(2);
    const long = open({ length: 300_000 });
    await ask(long.scenario());
    await ask(long.scenario());
    expect(long.sent).toHaveLength(2);
  });

  test('and never comes is asked for by whoever waits for it', async () => {
    const shared = createSharedAnswers();
    let sent = 0;
    const send = async (): Promise<WireAnswer> => {
      sent += 1;
      if (sent === 1) throw new Error('a bug');
      return answer(200);
    };
    const [one, other] = [createAsk(send, shared, { fresh: false }), createAsk(send, shared, { fresh: false })];
    await Promise.all([
      expect(ask(one)).rejects.toThrow('a bug'),
      expect(ask(other)).resolves.toMatchObject({ status: 200 }),
    ]);
  });
});

/** Blocks the event loop of this process, and so of the runner. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Sends to a server that blocks the event loop for longer than the timeout, so many times, and says what came of it. */
async function sendTo(method: 'GET' | 'POST', blocks: number, watch?: LoopWatch): Promise<object> {
  const outcome = { last: undefined as unknown, received: 0, sent: 0, notes: [] as string[] };
  const server = await serveLocally((_, response) => {
    outcome.received += 1;
    if (outcome.received <= blocks) block(1500);
    response.end();
    return Promise.resolve();
  });
  onTestFinished(() => server.close());
  const client = createHttpClient({ target: new URL(server.url), timeoutMs: 1000 });
  onTestFinished(() => client.close());
  const send = politely({
    send: (request) => client.send(request),
    onNote: (note) => outcome.notes.push(note),
    onSent: () => (outcome.sent += 1),
    ...(watch === undefined ? {} : { watch }),
  });
  const end = await send({ method, target: '/', headers: {}, body: undefined });
  return { ...outcome, last: end.kind === 'answered' ? end.status : end.reason };
}

const BUSY = [expect.stringContaining('this machine was too busy')];
const say =
  (isLost: boolean): LoopWatch =>
  async (send) => ({ answer: await send(), isStarved: isLost });

test.each<[string, 'GET' | 'POST', number, LoopWatch | undefined, object]>([
  ['is repeated, and a note says so', 'GET', 1, undefined, { last: 200, received: 2, sent: 2, notes: BUSY }],
  ['is not, of what may not be sent twice', 'POST', 1, undefined, { last: 'starved', received: 1, notes: BUSY }],
  ['is repeated three times, and no more', 'GET', 0, say(true), { last: 'starved', received: 4, sent: 4 }],
  ['is one of the target while the loop was free', 'GET', 1, say(false), { last: 'timeout', notes: [] }],
])('a timeout during which the event loop was blocked %s', async (_, method, blocks, watch, told) => {
  expect(await sendTo(method, blocks, watch)).toMatchObject(told);
});
