import { expect, test } from 'vitest';
import type { Answered, WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { createAsk, createSharedAnswers, type Ask } from '../../../src/conformance/http/send-politely.js';

const LIST: WireRequest = {
  method: 'GET',
  target: '/v1/pets',
  headers: { Authorization: 'Bearer k' },
  body: undefined,
};
const CREATE: WireRequest = { ...LIST, method: 'POST' };

/** Scenarios that ask a target of which the answers are numbered. */
function open({ status = 200, length = 2 }: { status?: number; length?: number } = {}) {
  const sent: string[] = [];
  let time = 0;
  const shared = createSharedAnswers(() => time);
  const send = shared.follow(async ({ method, target }): Promise<WireAnswer> => {
    sent.push(`${method} ${target}`);
    await Promise.resolve();
    return { kind: 'answered', status, headers: {}, bytes: new Uint8Array(length), durationMs: sent.length };
  });
  return {
    sent,
    shared,
    scenario: (fresh = false): Ask => createAsk(send, shared, { fresh }),
    wait: (ms: number) => (time += ms),
  };
}

/** Asks, and judges the answer. */
async function ask(scenario: Ask, request = LIST, isSound = true): Promise<WireAnswer> {
  const { answer, settle } = await scenario(request, () => {});
  settle(isSound);
  return answer;
}

test('an answer serves another scenario that would send the same request', async () => {
  const { sent, scenario } = open();
  expect(await ask(scenario())).toBe(await ask(scenario()));
  expect(sent).toHaveLength(1);
});

test('a request under way serves too', async () => {
  const { sent, scenario } = open();
  const [one, other] = await Promise.all([ask(scenario()), ask(scenario())]);
  expect(one).toBe(other);
  expect(sent).toHaveLength(1);
});

test.each<[string, Partial<WireRequest>]>([
  ['another query', { target: '/v1/pets?limit=1' }],
  ['another header field', { headers: { Authorization: 'Bearer k', Accept: '*/*' } }],
  ['another key', { headers: { Authorization: 'Bearer j' } }],
  ['another method', { method: 'HEAD' }],
])('%s makes another request', async (_, changed) => {
  const { sent, scenario } = open();
  await ask(scenario());
  await ask(scenario(), { ...LIST, ...changed });
  expect(sent).toHaveLength(2);
});

test('what a scenario asks twice, it sends twice', async () => {
  const { sent, scenario } = open();
  const own = scenario();
  await ask(own);
  await ask(own);
  expect(sent).toHaveLength(2);
});

test('what is to be asked afresh is sent', async () => {
  const { sent, scenario } = open();
  await ask(scenario());
  await ask(scenario(true));
  expect(sent).toHaveLength(2);
});

test('after something was written, all is asked again', async () => {
  const { sent, scenario } = open();
  await ask(scenario());
  await ask(scenario(), CREATE);
  await ask(scenario());
  expect(sent).toEqual(['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets']);
});

test('of a control all that matters is that it was accepted, whatever was written since', async () => {
  const { sent, scenario } = open();
  await ask(scenario());
  await ask(scenario(), CREATE);
  expect((await scenario()(LIST, () => {}, true)).isShared).toBe(true);
  expect(sent).toHaveLength(2);
});

test('a control that shows something wrong serves nobody else', async () => {
  const { sent, scenario } = open();
  await ask(scenario(), LIST, false);
  await scenario()(LIST, () => {}, true);
  expect(sent).toHaveLength(2);
});

test('an answer that came while something was written serves nobody else', async () => {
  const { sent, scenario } = open();
  await Promise.all([ask(scenario(), CREATE), ask(scenario())]);
  await ask(scenario());
  expect(sent).toHaveLength(3);
});

test('a refused write leaves the answers as they are; what was wrongly accepted does not', async () => {
  for (const [status, requests] of [
    [400, 2],
    [201, 3],
  ] as const) {
    const { sent, scenario } = open({ status });
    await ask(scenario());
    await ask(scenario(), { ...CREATE, repeatable: true });
    await ask(scenario());
    expect(sent).toHaveLength(requests);
  }
});

test('an answer that shows something wrong serves nobody else, so that one failure costs one scenario', async () => {
  const { sent, scenario } = open();
  await Promise.all([ask(scenario(), LIST, false), ask(scenario())]);
  expect(sent).toHaveLength(2);
});

test('an answer is forgotten after a minute, and a long one at once', async () => {
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

test('of many answers the oldest are forgotten', async () => {
  const { sent, scenario } = open();
  for (let page = 0; page <= 200; page++) await ask(scenario(), { ...LIST, target: `/v1/pets?page=${page}` });
  await ask(scenario(), { ...LIST, target: '/v1/pets?page=200' });
  expect(sent).toHaveLength(201);
  await ask(scenario(), { ...LIST, target: '/v1/pets?page=0' });
  expect(sent).toHaveLength(202);
});

test('whoever waits for an answer that never comes asks for himself', async () => {
  const shared = createSharedAnswers();
  let sent = 0;
  const answer: Answered = { kind: 'answered', status: 200, headers: {}, bytes: new Uint8Array(), durationMs: 1 };
  const send = async (): Promise<WireAnswer> => {
    sent += 1;
    if (sent === 1) throw new Error('a bug');
    return answer;
  };
  const [one, other] = [createAsk(send, shared, { fresh: false }), createAsk(send, shared, { fresh: false })];
  await Promise.all([expect(ask(one)).rejects.toThrow('a bug'), expect(ask(other)).resolves.toBe(answer)]);
});
