import { expect, test } from 'vitest';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { createRequestLimit } from '../../../src/conformance/engine/run.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';

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
