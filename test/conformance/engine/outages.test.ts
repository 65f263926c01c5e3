import { expect, test } from 'vitest';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { MOST_OUTAGE_MS, sendUntilServed, waitOutOutages } from '../../../src/conformance/engine/outages.js';
import type { Send, Timing } from '../../../src/conformance/http/send-politely.js';

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
