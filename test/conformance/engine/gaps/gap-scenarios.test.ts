import { expect, test } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { GapResult, Verdict } from '../../../../src/conformance/model/result.js';
import type { Change } from '../../../mutation/server/behaviour.js';
import { Refusal } from '../../../mutation/server/replies.js';
import { startWith } from '../../../mutation/server/start-server.js';
import { closeLater, KEY } from '../../support/ask.js';

/** What a run comes to at one gap, by the scenarios that are about it. */
async function observe(
  gap: string,
  only: string,
  change: Change,
  options: { maxCreates?: number } = {},
): Promise<{ answer: GapResult['answer'] | undefined; evidence: string | undefined; verdicts: Verdict[] }> {
  const server = await startWith([change], KEY);
  closeLater(() => server.close());
  const { scenarios, gaps } = await runConformance({
    target: server.url,
    apiKey: KEY,
    only: [only],
    settleMs: 0,
    ...options,
  });
  const { answer, evidence } = gaps.find(({ id }) => id === gap) ?? {};
  return {
    answer,
    evidence,
    verdicts: scenarios.filter((each) => each.aboutGap === gap).map(({ verdict }) => verdict),
  };
}

const limitNames =
  (most: number): Change =>
  (base) => ({
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      if (pet instanceof Refusal || typeof pet.name !== 'string') return pet;
      return pet.name.length > most ? new Refusal(400, 'bad_name', 'The name is too long.') : pet;
    },
  });

test('a service that drops the connection on a long body is not accused, and its answer is not observed', async () => {
  const seen = await observe('body-too-large', 'pets/service/body-too-large', (base) => ({
    send: (reply, exchange, response) => {
      if (exchange.body.length > 1_000_000) response.socket?.destroy();
      else return base.send(reply, exchange, response);
    },
  }));
  expect(seen).toMatchObject({ answer: 'not-observed', verdicts: ['inconclusive'] });
  expect(seen.evidence).toContain('instead of closing the connection');
});

test('a name limit is not guessed when the pets that may be created run out', async () => {
  const seen = await observe('name-length-limit', 'pets/gaps/text-length-limit*', limitNames(50), { maxCreates: 2 });
  expect(seen).toMatchObject({ answer: 'not-observed', verdicts: ['inconclusive'] });
  expect(seen.evidence).toContain('--max-creates');
});

test('what is told to come back later tells nothing', async () => {
  const seen = await observe('unknown-parameters', 'pets/gaps/unknown-parameters', (base) => ({
    intercept: (exchange) =>
      exchange.query.has('conformance')
        ? new Refusal(429, 'slow', 'Slow down.', { 'retry-after': '7200' })
        : base.intercept(exchange),
  }));
  expect(seen).toMatchObject({ answer: 'not-observed', verdicts: ['inconclusive'] });
});

test('a behaviour that no choice names is other, with the answer, and no deviation', async () => {
  const seen = await observe('unknown-parameters', 'pets/gaps/unknown-parameters', (base) => ({
    intercept: (exchange) =>
      exchange.query.has('conformance') ? new Refusal(409, 'what', 'What?') : base.intercept(exchange),
  }));
  expect(seen).toEqual({ answer: 'other', evidence: 'GET /pets?conformance=1 → 409, what', verdicts: ['observed'] });
});

test('where the contract does state something, other is no excuse', async () => {
  const { verdicts } = await observe('unknown-parameters', 'pets/gaps/unknown-parameters', (base) => ({
    intercept: (exchange) =>
      exchange.query.has('conformance') ? new Refusal(500, 'x', 'Broken.') : base.intercept(exchange),
  }));
  expect(verdicts).toEqual(['deviated']);
});

test('what one answer leaves open is not settled by another', async () => {
  const isBusyAt =
    (limit: string): Change =>
    (base) => ({
      intercept: (exchange) =>
        exchange.query.get('limit') === limit
          ? new Refusal(429, 'slow', 'Slow down.', { 'retry-after': '7200' })
          : base.intercept(exchange),
    });
  expect(await observe('limit-forms', 'pets/gaps/limit-forms*', isBusyAt('02'))).toMatchObject({
    answer: 'not-observed',
    verdicts: ['observed', 'observed', 'observed', 'inconclusive', 'observed'],
  });
});

test('a name with odd characters that may have been too long tells nothing about them', async () => {
  expect(await observe('name-characters', 'pets/gaps/text-characters*', limitNames(10))).toMatchObject({
    answer: 'not-observed',
  });
});

test('what ran and was refused says so, and never that it was not run', async () => {
  const server = await startWith(
    [
      (base) => ({
        intercept: (exchange) =>
          exchange.query.get('limit') === '100'
            ? new Refusal(403, 'forbidden', 'Not so many.')
            : base.intercept(exchange),
      }),
    ],
    KEY,
  );
  closeLater(() => server.close());
  const { scenarios, gaps } = await runConformance({ target: server.url, apiKey: KEY, settleMs: 0 });
  const ran = new Set(scenarios.filter(({ steps }) => steps.length > 0).map(({ aboutGap }) => aboutGap));
  const untrue = gaps.filter(({ id, evidence }) => ran.has(id) && evidence.includes('was run'));
  expect(untrue.map(({ id }) => id)).toEqual([]);
  expect(gaps.find(({ id }) => id === 'limit-not-integer')).toMatchObject({
    answer: 'not-observed',
    evidence: expect.stringContaining(
      'pets/gaps/limit-not-integer[ten] deviated before it showed this: GET /pets?limit=100 → 403, with status 403 where 200 is expected',
    ) as string,
  });
});

test('what was not selected says that it was not run', async () => {
  const server = await startWith([], KEY);
  closeLater(() => server.close());
  const { gaps } = await runConformance({ target: server.url, apiKey: KEY, only: ['pets/lists/limit[1]'] });
  expect(gaps.find(({ id }) => id === 'empty-name')).toMatchObject({ evidence: 'no scenario that shows it was run' });
});
