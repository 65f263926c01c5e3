import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observers } from '../../../src/conformance/engine/gap-observers.js';
import { runConformance } from '../../../src/conformance/index.js';
import type { GapResult, RunResult, Verdict } from '../../../src/conformance/model/result.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { answers, changeStatus } from '../../mutation/mutants/planting.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { Refusal } from '../../mutation/server/replies.js';
import { startWith } from '../../mutation/server/start-server.js';
import { gapEntries, shippedGaps } from '../../support/shipped.js';
import { closeLater, KEY } from '../support/ask.js';

const { scenarios } = planRun({});

/** The gaps that the mock's code asks a profile for. */
function listConsulted(): Set<string> {
  const folder = packageFile('src/mock');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const named = [
    ...text.matchAll(/actOn\([^,]+, '([a-z-]+)'|gap: '([a-z-]+)'|(?:values\?\.|seen(?:\?\.)?|choices)\['([a-z-]+)'\]/g),
  ];
  const chosen = text.includes("'missing-media-type' : 'wrong-media-type'")
    ? ['missing-media-type', 'wrong-media-type']
    : [];
  return new Set([...named.map(([, a, b, c]) => a ?? b ?? c ?? ''), ...chosen]);
}

/** The gaps of which the mock can show nothing, whatever a profile has seen. */
const NOT_SHOWN = ['error-fields', 'paging-headers', 'pet-fields', 'rate-limiting'];

test('the mock consults every gap that it can show, and no other', () => {
  const shown = gapEntries.map(({ id }) => id).filter((id) => !NOT_SHOWN.includes(id));
  expect([...listConsulted()].sort()).toEqual(shown.sort());
});

test('the runner observes every gap, by scenarios of its own or by an observer', () => {
  // Nothing of the petstore leaves these open: `resource-gaps.slow.test.ts` looks at them.
  const elsewhere = gapEntries.filter(({ contract }) => contract === undefined).map(({ id }) => id);
  const byObservers = Object.keys(observers).filter((id) => !elsewhere.includes(id));
  const observed = new Set([...scenarios.flatMap(({ gap }) => gap ?? []), ...byObservers]);
  expect([...observed].sort()).toEqual(shippedGaps.map(({ id }) => id).sort());
});

test('no gap is observed in two ways', () => {
  expect(scenarios.filter(({ gap }) => gap !== undefined && Object.hasOwn(observers, gap)).map(({ id }) => id)).toEqual(
    [],
  );
});

test('where scenarios observe a gap, they have an outcome for each of its choices', () => {
  const missing = shippedGaps
    .filter(({ id }) => scenarios.some(({ gap }) => gap === id))
    .flatMap(({ id, choices }) => {
      const steps = scenarios.filter(({ gap }) => gap === id).flatMap((each) => each.steps);
      const named = steps.flatMap(({ outcomes }) => outcomes ?? []).map(({ choice }) => choice);
      return Object.keys(choices)
        .filter((choice) => !named.includes(choice))
        .map((choice) => `${id}: ${choice}`);
    });
  expect(missing).toEqual([]);
});

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

/** What creates pets and looks at what comes of it. */
const ONLY = [
  'pets/records/*',
  'petstore/status-omitted',
  ...['extra-fields', 'client-id', 'blank-text*', 'text-characters*', 'wrong-media-type'].map(
    (id) => `pets/gaps/${id}`,
  ),
];

async function observe(changes: readonly Change[]): Promise<Record<string, unknown>> {
  const server = await startWith(changes, KEY);
  try {
    return readAnswers(await runConformance({ target: server.url, apiKey: KEY, settleMs: 100, only: ONLY }));
  } finally {
    await server.close();
  }
}

function readAnswers({ gaps }: RunResult): Record<string, unknown> {
  return Object.fromEntries(gaps.map(({ id, answer }) => [id, answer]));
}

test('a success of another status is told once, and shows at each gap what the right one does', async () => {
  const sound = await observe([]);
  const wrong = await observe([
    changeStatus(answers('createPet', 201), 200),
    changeStatus(answers('getPet', 200), 203),
  ]);
  expect(Object.values(sound).filter((answer) => answer !== 'not-observed').length).toBeGreaterThanOrEqual(12);
  expect(wrong).toEqual(sound);
});
