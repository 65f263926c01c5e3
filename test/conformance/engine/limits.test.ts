// How a run ends before its scenarios do: by a limit of requests or records, an outage, or a target that is gone.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import {
  MOST_OUTAGE_MS,
  sendUntilServed,
  waitOutOutages,
  createRequestLimit,
} from '../../../src/conformance/engine/run.js';
import type { Send, Timing } from '../../../src/conformance/http/send-politely.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { headline } from '../../../src/report/summarize.js';
import { object } from '../resources/support/odd-resource.js';
import { fail, listTold } from '../resources/support/stranger.js';
import { id, name, runStranger } from '../resources/support/strangers.js';
import { runPets } from '../support/ask.js';
import { visit, type Habits } from './created/pinboard.js';

const answer = (status: number): WireAnswer => ({
  kind: 'answered',
  status,
  headers: {},
  bytes: new Uint8Array(),
  durationMs: 1,
});
const ask = (method: string, target: string): WireRequest => ({ method, target, headers: {}, body: undefined });
const LIST = ask('GET', '/things');
const ITEM = ask('GET', '/things/1');
const CREATE = ask('POST', '/things');
const REFUSED: WireAnswer = { kind: 'unanswered', reason: 'refused', detail: 'nothing listens there', durationMs: 1 };

/** A scenario costs a request for each step. */
const make = (steps: number): Scenario =>
  ({ id: `own/${steps}`, steps: Array.from({ length: steps }, () => ({})) }) as Scenario;

function open(most?: number) {
  let sent = 0;
  const limit = createRequestLimit(most, () => sent);
  const send = limit.keep(async (): Promise<WireAnswer> => {
    // As after a pause that a target asks for.
    await Promise.resolve();
    sent += 1;
    return answer(200);
  });
  return { limit, send: () => send(LIST), count: () => sent };
}

test('no more is sent than may be, also by requests at the same time, and everything without a limit', async () => {
  const { send, count } = open(3);
  const kinds = (await Promise.all([send(), send(), send(), send(), send()])).map(({ kind }) => kind);
  expect(kinds).toEqual(['answered', 'answered', 'answered', 'unanswered', 'unanswered']);
  expect(count()).toBe(3);
  const { send: sendAny, limit } = open();
  expect((await sendAny()).kind).toBe('answered');
  expect(limit.listFitting([make(1000)], [make(1000)])).toHaveLength(1);
});

test('a scenario fits if what it is likely to cost is left beside those that run; what is left out counts as wanted', async () => {
  const { limit, send } = open(5);
  await send();
  const [four, five] = [make(4), make(5)];
  expect(limit.listFitting([five, four], [])).toEqual([four]);
  expect(limit.listFitting([five, four], [make(1)])).toEqual([]);
  limit.leftOut.add(make(7));
  expect(limit.foreseeAll()).toBe(8);
});

test('a run sends no more requests than it may, and tells how much it tried', async () => {
  const result = await runPets([], { maxRequests: 40 });
  const { requestLimit, summary, target } = result;
  expect(summary.requests).toBeLessThanOrEqual(40);
  expect(summary.requests).toBeGreaterThan(30);
  expect(summary).toMatchObject({ problems: 0, inconclusive: 0 });
  expect(summary.passed).toBeGreaterThan(10);
  expect(requestLimit?.leftOut).toBeGreaterThan(200);
  expect(headline(result)).toBe(
    `no problem in ${summary.requests} of about ${requestLimit?.wanted} requests of Petstore 1.0.0 at ${target}`,
  );
  const reasons = new Set(result.scenarios.map(({ reason }) => reason));
  expect(reasons).toContain('the run has reached its limit of requests; raise --max-requests');
});

test('a limit that leaves nothing out changes nothing', async () => {
  const result = await runPets([], { maxRequests: 40, only: ['pets/refusals/create'] });
  expect(result.requestLimit).toMatchObject({ most: 40, leftOut: 0 });
  expect(headline(result)).toMatch(/^no problem in \d+ scenarios of/);
});

test('what finds most comes first', async () =>
  expect((await runPets(['list-name-missing'], { maxRequests: 18 })).summary.problems).toBeGreaterThan(0));

test('what a target takes that it should refuse does not use up what others may create', async () => {
  const only = ['pets/refusals/create', 'pets/records/values', 'pets/records/texts'];
  const { scenarios } = await runPets(['create-invalid-200'], { maxCreates: 12, only });
  const created = scenarios.filter((each) => /^pets\/records\/(?:values|texts)/.test(each.id));
  expect(created.map(({ verdict }) => verdict)).toEqual(Array<string>(4).fill('passed'));
});

test.each([402, 403])('a quota of records that is used up, answered with %i, names --max-creates', async (status) => {
  let created = 0;
  const result = await runStranger({
    plan: { name: 'kites', record: object({ id, name }), sent: object({ name }), refusals: { create: [400, status] } },
    habits: (fit) => ({
      refuse: (body, asked) => {
        const isUsedUp = asked.method === 'POST' && fit(body, asked) === undefined && ++created > 12;
        return fit(body, asked) ?? (isUsedUp ? fail(status, 'The quota is used up.') : undefined);
      },
    }),
    only: ['kites/records/*', 'kites/changes/*', 'kites/refusals/*'],
  });
  expect(listTold(result)).toEqual([]);
  const reasons = result.scenarios.flatMap(({ reason = '' }) => reason);
  expect(reasons.some((each) => each.includes('--max-creates'))).toBe(true);
  expect(reasons.some((each) => /key that may/.test(each))).toBe(false);
});

/** A target that is unavailable from a time to another, by a clock that only waits turn; it has served a list at 0. */
async function startTarget(serve: (request: WireRequest, now: number) => WireAnswer, hasServed = true) {
  let now = 0;
  const clock: Timing = { now: () => now, pause: (ms) => Promise.resolve(void (now += ms)) };
  const asked: string[] = [];
  const notes: string[] = [];
  const lost: string[] = [];
  const plain: Send = (request) => {
    asked.push(`${request.method} ${request.target}`);
    return Promise.resolve(serve(request, now));
  };
  const send = waitOutOutages(plain, {
    onWait: () => {},
    onNote: (note) => notes.push(note),
    onLost: (why) => lost.push(why),
    signal: new AbortController().signal,
    clock,
  });
  if (hasServed) await send(LIST);
  now = 100;
  return { send, plain, clock, asked, notes, lost };
}

test.each([
  ['503', answer(503)],
  ['502', answer(502)],
  ['504', answer(504)],
  ['nothing listens there', REFUSED],
])('an outage (%s) is waited for, and what was under way is sent again', async (why, unavailable) => {
  const target = await startTarget((_, now) => (now >= 100 && now < 3000 ? unavailable : answer(200)));
  expect(await Promise.all([CREATE, ITEM].map((each) => target.send(each)))).toEqual([answer(200), answer(200)]);
  expect(target.notes).toEqual([`the target was unavailable for a while (${why}); the run waited and went on`]);
  expect(target.lost).toEqual([]);
});

test('one operation that fails with 503 while others are served is no outage', async () => {
  const target = await startTarget(({ method }) => answer(method === 'POST' ? 503 : 200));
  expect(await target.send(CREATE)).toEqual(answer(503));
  expect(target.notes).toEqual([]);
  expect(target.asked.filter((each) => each === 'POST /things')).toHaveLength(1);
});

test('a request that brings the target down each time is a failure', async () => {
  let downUntil = 0;
  const target = await startTarget(({ method }, now) => {
    if (method === 'POST' && now >= downUntil) downUntil = now + 400;
    return now < downUntil ? REFUSED : answer(200);
  });
  expect(await target.send(CREATE)).toEqual(REFUSED);
});

test('a target that does not come back ends the run', async () => {
  const target = await startTarget((_, now) => answer(now < 100 ? 200 : 503));
  expect(await target.send(ITEM)).toEqual(answer(503));
  expect(target.lost).toEqual([`the target was unavailable for ${MOST_OUTAGE_MS / 1000} s (503)`]);
});

test('of a removal that may have been carried out before an outage, a 404 says nothing', async () => {
  const target = await startTarget(({ method }, now) => {
    if (now >= 100 && now < 3000) return answer(502);
    return answer(method === 'DELETE' ? 404 : 200);
  });
  const removed = await target.send(ask('DELETE', '/things/1'));
  expect(removed).toMatchObject({ kind: 'unanswered', reason: 'unavailable' });
});

test('before anything was served, nothing is waited for; cleaning up asks again until it is served', async () => {
  const gone = await startTarget(() => REFUSED, false);
  expect(await gone.send(LIST)).toEqual(REFUSED);
  expect(gone.asked).toHaveLength(1);
  const target = await startTarget((_, now) => answer(now < 2000 ? 503 : 204), false);
  const send = sendUntilServed(target.plain, new AbortController().signal, target.clock);
  expect(await send(ask('DELETE', '/things/1'))).toEqual(answer(204));
});

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length:';
/** How an answer is broken on its way. */
const BROKEN: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['dropped', (response) => void response.destroy()],
  ['no HTTP', ({ socket }) => void socket?.end(`${HEAD} 2\r\nContent-Length: 3\r\n\r\n{}`)],
  ['shorter than announced', ({ socket }) => void socket?.end(`${HEAD} 99\r\n\r\n{}`)],
  ['sent twice', ({ socket }) => void socket?.end(`${HEAD} 2\r\n\r\n{}{}HTTP/1.1 200`)],
];

test.each(BROKEN)('answers of one kind that are %s are a problem, and the run goes on', async (_, spoil) => {
  const only = ['pets/refusals/create', 'pets/records/*'];
  const { targetLost, summary, problems } = await runPets(
    [
      (base) => ({
        send: (reply, exchange, response) =>
          reply.status === 400 ? spoil(response) : base.send(reply, exchange, response),
      }),
    ],
    { only },
  );
  expect({ targetLost, isTold: problems.length > 0 }).toEqual({ targetLost: false, isTold: true });
  expect(summary.passed).toBeGreaterThan(5);
  expect(summary.inconclusive).toBeLessThan(5);
});

test.each(BROKEN.slice(0, 2))(
  'one operation of which every answer is %s is a problem, whatever is asked first',
  async (_, spoil) => {
    const first: Habits['first'] = ({ method, url = '' }, response) => {
      const isList = method === 'GET' && /^\/pins(?!\/)/.test(url);
      if (isList) spoil(response);
      return isList;
    };
    const { result } = await visit({ first }, { only: ['pins/lists/*', 'pins/records/*'] });
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
