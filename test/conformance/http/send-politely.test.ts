import { describe, expect, test } from 'vitest';
import type { FailureReason, WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import type { HttpClient } from '../../../src/conformance/http/http-client.js';
import { createPoliteSend, pause, type PoliteOptions } from '../../../src/conformance/http/send-politely.js';
import { createTestClock } from '../support/test-clock.js';

const GET: WireRequest = { method: 'GET', target: '/v1/pets', headers: {}, body: undefined };
const POST: WireRequest = { ...GET, method: 'POST' };

function answer(status: number, headers: Record<string, string> = {}): WireAnswer {
  return { kind: 'answered', status, headers, bytes: new Uint8Array(), durationMs: 1 };
}

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

/** Sends against answers in their order, and tells what happened. */
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

describe('a target that asks to wait', () => {
  test.each([429, 503])('by %i and Retry-After is asked again after that', async (status) => {
    const { last, sent, waits, notes } = await run([answer(status, { 'retry-after': '0' }), answer(200)]);
    expect({ last, sent, waits }).toEqual({ last: 200, sent: 2, waits: [50] });
    expect(notes).toEqual([expect.stringContaining('the run waited and sent the requests again')]);
  });

  test('by a date is asked again after that', async () => {
    const date = new Date(Date.now() + 15_000).toUTCString();
    const { last, waits } = await run([answer(429, { 'retry-after': date }), answer(200)]);
    expect(last).toBe(200);
    expect(waits[0]).toBeLessThanOrEqual(15_000);
  });

  test('by 429 alone is given half a second', async () =>
    expect((await run([answer(429), answer(200)])).waits).toEqual([500]));

  test('by 503 alone does not ask', async () =>
    expect(await run([answer(503), answer(200)])).toMatchObject({ last: 503, sent: 1 }));

  test('for longer than the run has time is not waited for, and that is noted', async () => {
    const more = { deadline: 60_000, clock: createTestClock() };
    const { last, sent, waits, notes } = await run([answer(429, { 'retry-after': '61' })], GET, more);
    expect({ last, sent, waits }).toEqual({ last: 429, sent: 1, waits: [] });
    expect(notes).toEqual(['the target asks to wait longer than the remaining time of the run (--max-time)']);
  });

  test('for a minute is waited for', async () => {
    expect(await run([answer(429, { 'retry-after': '60' }), answer(200)])).toMatchObject({
      last: 200,
      waits: [60_000],
    });
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

  test('is not waited for once the run is interrupted', async () => {
    const stop = new AbortController();
    const ending = run([answer(429, { 'retry-after': '20' }), answer(200)], GET, {
      signal: stop.signal,
      onWait: () => stop.abort(),
    });
    expect(await ending).toMatchObject({ last: 429, sent: 1 });
  });

  test("is given the machine's own time, which an interruption ends", async () => {
    const stop = new AbortController();
    const waiting = pause(3_600_000, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });
});

/** Answers 429 above so many requests in a window; each answer tells what is left. */
function limitedTarget(clock: ReturnType<typeof createTestClock>, limit: number, windowMs: number) {
  const seen = { refused: 0, times: [] as number[] };
  let window = { from: 0, sent: 0 };
  const send = async (): Promise<WireAnswer> => {
    if (clock.now() - window.from >= windowMs) window = { from: clock.now(), sent: 0 };
    window.sent += 1;
    seen.times.push(clock.now());
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
  { many, abreast, ...more }: { many: number; abreast: number } & Partial<PoliteOptions>,
): Promise<{ waits: string[]; notes: string[] }> {
  const told = { waits: [] as string[], notes: [] as string[] };
  const polite = politely({
    send,
    onWait: (reason, ms) => told.waits.push(`${ms}: ${reason}`),
    onNote: (note) => told.notes.push(note),
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
    expect(target.seen.times).toHaveLength(50);
    expect(target.seen.refused).toBe(0);
    expect(waits.length).toBe(2);
    expect(waits[0]).toMatch(/^\d+: the target reports its rate limit: \d of 20 requests remain; the run continues/);
    expect(new Set(notes)).toEqual(new Set(['the target reports a rate limit; the run paused before it was used up']));
  });

  test('of nothing left, and answers all the same, is not believed a second time', async () => {
    const clock = createTestClock();
    const send = async (): Promise<WireAnswer> => {
      await clock.pause(1);
      return answer(200, { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' });
    };
    expect((await sendMany(send, { many: 40, abreast: 1, clock })).waits).toHaveLength(1);
  });

  test('that starts again after the time of the run is asked on', async () => {
    const clock = createTestClock();
    const target = limitedTarget(clock, 5, 600_000);
    expect((await sendMany(target.send, { many: 8, abreast: 1, clock, deadline: 60_000 })).waits).toEqual([]);
    expect(target.seen.refused).toBe(3);
  });

  test('on a 429 without Retry-After is given that time', async () => {
    const told = { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' };
    expect((await run([answer(429, told), answer(200)])).waits).toEqual([12_000]);
  });
});

describe('a dropped connection', () => {
  test.each(['dropped', 'incomplete'] as const)('%s: a GET is sent once more, and that is noted', async (reason) => {
    const { last, sent, notes } = await run([fail(reason), answer(200)]);
    expect({ last, sent }).toEqual({ last: 200, sent: 2 });
    expect(notes).toEqual([expect.stringContaining('a connection was closed')]);
  });

  const cutOff: WireAnswer = {
    kind: 'answered',
    status: 200,
    headers: {},
    bytes: new Uint8Array(),
    durationMs: 1,
    cutOff: 'the connection ended',
  };

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
    async (_, whole, expected) => {
      let sent = 0;
      const send = politely({
        send: () => Promise.resolve(whole.includes(sent) ? answer(200) : cutOff),
        onSent: () => (sent += 1),
      });
      for (let request = 0; request < 10; request++) await send(GET);
      expect(sent).toBe(expected);
    },
  );

  test('the second time goes out on a connection of its own', async () => {
    const requests: WireRequest[] = [];
    const send = politely({
      send: (request) => {
        requests.push(request);
        return Promise.resolve(requests.length === 1 ? fail('dropped') : answer(200));
      },
    });
    await send(GET);
    expect(requests.map(({ alone }) => alone)).toEqual([undefined, true]);
  });

  test('a second time is the end', async () =>
    expect(await run([fail('dropped'), fail('dropped'), answer(200)])).toMatchObject({ last: 'dropped', sent: 2 }));

  test('a POST is not sent again', async () =>
    expect(await run([fail('dropped'), answer(201)], POST)).toMatchObject({ last: 'dropped', sent: 1 }));

  test.each(['timeout', 'refused', 'tls', 'no-http', 'too-large', 'interrupted'] as const)(
    '%s is nothing that another try would mend',
    async (reason) => {
      expect((await run([fail(reason), answer(200)])).sent).toBe(1);
    },
  );
});

test('a rate keeps requests apart, also those that are sent at once', async () => {
  const times: number[] = [];
  const clock = createTestClock();
  const send = politely({
    send: () => Promise.resolve(answer(200)),
    rate: 50,
    onSent: () => times.push(clock.now()),
    clock,
  });
  await Promise.all(Array.from({ length: 6 }, () => send(GET)));
  expect(times).toEqual([0, 20, 40, 60, 80, 100]);
});
