import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { MOST_OUTAGE_MS, sendUntilServed, waitOutOutages } from '../../../src/conformance/engine/outages.js';
import { createRequestLimit } from '../../../src/conformance/engine/run.js';
import type { Send, Timing } from '../../../src/conformance/http/send-politely.js';
import { type ConformanceOptions, runConformance, type RunResult } from '../../../src/conformance/index.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { headline } from '../../../src/report/summarize.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { type MutationServer, startMutationServer, startWith } from '../../mutation/server/start-server.js';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from '../resources/support/stranger.js';
import { closeLater, KEY } from '../support/ask.js';
import { visit } from './created/pinboard.js';

const LIST: WireRequest = { method: 'GET', target: '/v1/pets', headers: {}, body: undefined };
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
    return { kind: 'answered', status: 200, headers: {}, bytes: new Uint8Array(), durationMs: 1 };
  });
  return { limit, send: () => send(LIST), count: () => sent };
}

test('no more is sent than may be, also by requests at the same time', async () => {
  const { send, count } = open(3);
  const answers = await Promise.all([send(), send(), send(), send(), send()]);
  expect(answers.map(({ kind }) => kind)).toEqual([...Array<string>(3).fill('answered'), 'unanswered', 'unanswered']);
  expect(count()).toBe(3);
});

test('without a limit everything is sent', async () => {
  const { send, limit } = open();
  expect((await send()).kind).toBe('answered');
  expect(limit.fits(make(1000), [make(1000)])).toBe(true);
});

test('a scenario fits if what it is likely to cost is left beside those that run', async () => {
  const { limit, send } = open(5);
  await send();
  expect(limit.fits(make(4), [])).toBe(true);
  expect(limit.fits(make(4), [make(1)])).toBe(false);
  expect(limit.fits(make(5), [])).toBe(false);
});

test('what a whole run would cost is what was sent and what was left out', async () => {
  const { limit, send } = open(5);
  await send();
  limit.leftOut.add(make(7));
  expect(limit.foreseeAll()).toBe(8);
});

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function run(
  mutants: MutantId[],
  options: Partial<ConformanceOptions>,
): Promise<{ result: RunResult; server: MutationServer }> {
  const server = await startMutationServer({ mutants });
  servers.push(server);
  const result = await runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, ...options });
  return { result, server };
}

test('a run sends no more requests than it may, and tells how much it tried', async () => {
  const { result, server } = await run([], { maxRequests: 40 });
  const { requestLimit, summary } = result;
  expect(server.requests).toBeLessThanOrEqual(40);
  expect(server.requests).toBeGreaterThan(30);
  expect(summary).toMatchObject({ problems: 0, inconclusive: 0 });
  expect(summary.passed).toBeGreaterThan(10);
  expect(requestLimit?.leftOut).toBeGreaterThan(200);
  expect(headline(result)).toBe(
    `no problem in ${server.requests} of about ${requestLimit?.wanted} requests of Petstore 1.0.0 at ${server.url}`,
  );
  const reasons = new Set(result.scenarios.map(({ reason }) => reason));
  expect(reasons).toContain('the run has reached its limit of requests; raise --max-requests');
});

test('a limit that leaves nothing out changes nothing', async () => {
  const { result } = await run([], { maxRequests: 40, only: ['pets/refusals/create'] });
  expect(result.requestLimit).toMatchObject({ most: 40, leftOut: 0 });
  expect(headline(result)).toMatch(/^no problem in \d+ scenarios of/);
});

test('what finds most comes first', async () => {
  expect((await run(['list-name-missing'], { maxRequests: 18 })).result.summary.problems).toBeGreaterThan(0);
});

test('what a target takes that it should refuse does not use up what others may create', async () => {
  const only = ['pets/refusals/create', 'pets/records/values', 'pets/records/texts'];
  const { result } = await run(['create-invalid-200'], { maxCreates: 12, only });
  const created = result.scenarios.filter(({ id }) => /^pets\/records\/(?:values|texts)/.test(id));
  expect(created.map(({ verdict }) => verdict)).toEqual(Array<string>(4).fill('passed'));
});

test.each([402, 403])('a quota of records that is used up, answered with %i, names --max-creates', async (status) => {
  const record = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
  const paths = describeShelf({
    name: 'kites',
    record,
    sent: object({ name: text }, ['name']),
    refusals: { create: [400, status] },
  });
  let created = 0;
  const serve = serveShelf('kites', {
    refuse: ({ name }, { method }) => {
      if (typeof name !== 'string' || name === '') return fail(400);
      if (method !== 'POST') return undefined;
      created += 1;
      return created > 12 ? fail(status, 'The quota is used up.') : undefined;
    },
  });
  const result = await judgeStranger(describePaths(paths), serve, ['kites/*']);
  expect(listTold(result)).toEqual([]);
  const reasons = result.scenarios.flatMap(({ reason = '' }) => reason);
  expect(reasons.some((each) => each.includes('--max-creates'))).toBe(true);
  expect(reasons.some((each) => /key that may/.test(each))).toBe(false);
});

const answer = (status: number): WireAnswer => ({
  kind: 'answered',
  status,
  headers: {},
  bytes: new Uint8Array(),
  durationMs: 1,
});
const ask = (method: string, target: string): WireRequest => ({ method, target, headers: {}, body: undefined });
const REFUSED: WireAnswer = { kind: 'unanswered', reason: 'refused', detail: 'nothing listens there', durationMs: 1 };

/** A target that is unavailable from a time to another, by a clock that only waits turn. */
function createTarget(serve: (request: WireRequest, now: number) => WireAnswer) {
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
  return { send, plain, clock, asked, notes, lost, turn: (ms: number) => void (now += ms) };
}

test.each([
  ['503', answer(503)],
  ['502', answer(502)],
  ['504', answer(504)],
  ['nothing listens there', REFUSED],
])('an outage (%s) is waited for, and what was under way is sent again', async (why, unavailable) => {
  const target = createTarget((_, now) => (now >= 100 && now < 3000 ? unavailable : answer(200)));
  await target.send(ask('GET', '/things'));
  target.turn(100);
  const found = await Promise.all([ask('POST', '/things'), ask('GET', '/things/1')].map((each) => target.send(each)));
  expect(found).toEqual([answer(200), answer(200)]);
  expect(target.notes).toEqual([`the target was unavailable for a while (${why}); the run waited and went on`]);
  expect(target.lost).toEqual([]);
});

test('one operation that fails with 503 while others are served is no outage', async () => {
  const target = createTarget(({ method }) => answer(method === 'POST' ? 503 : 200));
  await target.send(ask('GET', '/things'));
  expect(await target.send(ask('POST', '/things'))).toEqual(answer(503));
  expect(target.notes).toEqual([]);
  expect(target.asked.filter((each) => each === 'POST /things')).toHaveLength(1);
});

test('a request that brings the target down each time is a failure', async () => {
  let downUntil = 0;
  const target = createTarget(({ method }, now) => {
    if (method === 'POST' && now >= downUntil) downUntil = now + 400;
    return now < downUntil ? REFUSED : answer(200);
  });
  await target.send(ask('GET', '/things'));
  expect(await target.send(ask('POST', '/things'))).toEqual(REFUSED);
});

test('a target that does not come back ends the run', async () => {
  const target = createTarget((_, now) => answer(now < 100 ? 200 : 503));
  await target.send(ask('GET', '/things'));
  target.turn(100);
  expect(await target.send(ask('GET', '/things/1'))).toEqual(answer(503));
  expect(target.lost).toEqual([`the target was unavailable for ${MOST_OUTAGE_MS / 1000} s (503)`]);
});

test('of a removal that may have been carried out before an outage, a 404 says nothing', async () => {
  const target = createTarget(({ method }, now) => {
    if (now >= 100 && now < 3000) return answer(502);
    return answer(method === 'DELETE' ? 404 : 200);
  });
  await target.send(ask('GET', '/things'));
  target.turn(100);
  expect(await target.send(ask('DELETE', '/things/1'))).toMatchObject({ kind: 'unanswered', reason: 'unavailable' });
});

test('before anything was served, nothing is waited for', async () => {
  const target = createTarget(() => REFUSED);
  expect(await target.send(ask('GET', '/things'))).toEqual(REFUSED);
  expect(target.asked).toHaveLength(1);
});

test('cleaning up asks again until it is served', async () => {
  const target = createTarget((_, now) => answer(now < 2000 ? 503 : 204));
  const send = sendUntilServed(target.plain, new AbortController().signal, target.clock);
  expect(await send(ask('DELETE', '/things/1'))).toEqual(answer(204));
});

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
