import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observers } from '../../../src/conformance/engine/gaps.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { answers, changeStatus } from '../../mutation/mutants/planting.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { Refusal } from '../../mutation/server/replies.js';
import { gapEntries, shippedGaps } from '../../support/shipped.js';
import { runPets } from '../support/ask.js';

// What a second credential may is seen where there is one.
const planned = planRun({ credentialB: 'of-another' }).scenarios;

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
const NOT_SHOWN = ['error-fields', 'paging-headers', 'pet-fields', 'rate-limiting', 'second-key'];

test('the mock consults every gap that it can show, and no other', () => {
  const shown = gapEntries.map(({ id }) => id).filter((id) => !NOT_SHOWN.includes(id));
  expect([...listConsulted()].sort()).toEqual(shown.sort());
});

test('the runner observes every gap, by scenarios of its own or by an observer', () => {
  // Nothing of the petstore leaves these open: `resource-gaps.slow.test.ts` looks at them.
  const elsewhere = gapEntries.filter(({ contract }) => contract === undefined).map(({ id }) => id);
  const byObservers = Object.keys(observers).filter((id) => !elsewhere.includes(id));
  const observed = new Set([...planned.flatMap(({ gap }) => gap ?? []), ...byObservers]);
  expect([...observed].sort()).toEqual(shippedGaps.map(({ id }) => id).sort());
});

test('no gap is observed in two ways', () => {
  expect(planned.filter(({ gap }) => gap !== undefined && Object.hasOwn(observers, gap)).map(({ id }) => id)).toEqual(
    [],
  );
});

test('where scenarios observe a gap, they have an outcome for each of its choices', () => {
  const missing = shippedGaps
    .filter(({ id }) => planned.some(({ gap }) => gap === id))
    .flatMap(({ id, choices }) => {
      const steps = planned.filter(({ gap }) => gap === id).flatMap((each) => each.steps);
      const named = steps.flatMap(({ outcomes }) => outcomes ?? []).map(({ choice }) => choice);
      return Object.keys(choices)
        .filter((choice) => !named.includes(choice))
        .map((choice) => `${id}: ${choice}`);
    });
  expect(missing).toEqual([]);
});

/** What a run comes to at one gap, by the scenarios that are about it. */
async function observe(gap: string, only: string, change: Change, maxCreates?: number): Promise<object> {
  const { scenarios, gaps } = await runPets([change], {
    only: [only],
    ...(maxCreates !== undefined && { maxCreates }),
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

/** Refuses requests with a query that has this. */
const refuseAt =
  (isIt: (query: URLSearchParams) => boolean, ...refusal: ConstructorParameters<typeof Refusal>): Change =>
  (base) => ({ intercept: (exchange) => (isIt(exchange.query) ? new Refusal(...refusal) : base.intercept(exchange)) });
const isUnknown = (query: URLSearchParams): boolean => query.has('conformance');
const LATER = [429, 'slow', 'Slow down.', { 'retry-after': '7200' }] as const;
const dropsLongBodies: Change = (base) => ({
  send: (reply, exchange, response) => {
    if (exchange.body.length > 1_000_000) response.socket?.destroy();
    else return base.send(reply, exchange, response);
  },
});
const OPEN = { answer: 'not-observed', verdicts: ['inconclusive'] };
const OTHER = { answer: 'other', evidence: 'GET /pets?conformance=1 → 409, what', verdicts: ['observed'] };
const containing = (text: string): string => expect.stringContaining(text) as string;

test.each<[string, [gap: string, only: string, change: Change, maxCreates?: number], object]>([
  [
    'of a connection that drops on a long body tells nothing',
    ['body-too-large', 'pets/service/body-too-large', dropsLongBodies],
    { ...OPEN, evidence: containing('instead of closing the connection') },
  ],
  [
    'of a name limit is not guessed when the pets that may be created run out',
    ['name-length-limit', 'pets/gaps/text-length-limit*', limitNames(50), 2],
    { ...OPEN, evidence: containing('--max-creates') },
  ],
  [
    'that asks to come back later tells nothing',
    ['unknown-parameters', 'pets/gaps/unknown-parameters', refuseAt(isUnknown, ...LATER)],
    OPEN,
  ],
  [
    'that no choice names is other, with the answer, and no deviation',
    ['unknown-parameters', 'pets/gaps/unknown-parameters', refuseAt(isUnknown, 409, 'what', 'What?')],
    OTHER,
  ],
  [
    'is no excuse where the contract does state something',
    ['unknown-parameters', 'pets/gaps/unknown-parameters', refuseAt(isUnknown, 500, 'x', 'Broken.')],
    { verdicts: ['deviated'] },
  ],
  [
    'that one request leaves open is not settled by another',
    ['limit-forms', 'pets/gaps/limit-forms*', refuseAt((query) => query.get('limit') === '02', ...LATER)],
    { answer: 'not-observed', verdicts: ['observed', 'observed', 'observed', 'inconclusive', 'observed'] },
  ],
  [
    'to odd characters in a name that may have been too long tells nothing about them',
    ['name-characters', 'pets/gaps/text-characters*', limitNames(10)],
    { answer: 'not-observed' },
  ],
])('an answer %s', async (_, args, seen) => expect(await observe(...args)).toMatchObject(seen));

test('what ran and was refused says so, and never that it was not run', async () => {
  const isLong = (query: URLSearchParams): boolean => query.get('limit') === '100';
  const { scenarios, gaps } = await runPets([refuseAt(isLong, 403, 'forbidden', 'Not so many.')]);
  const ran = new Set(scenarios.filter(({ steps }) => steps.length > 0).map(({ aboutGap }) => aboutGap));
  const untrue = gaps.filter(({ id, evidence }) => ran.has(id) && evidence.includes('was run'));
  expect(untrue.map(({ id }) => id)).toEqual([]);
  expect(gaps.find(({ id }) => id === 'limit-not-integer')).toMatchObject({
    answer: 'not-observed',
    evidence: containing(
      'pets/gaps/limit-not-integer[ten] deviated before it showed this: GET /pets?limit=100 → 403, with status 403 where 200 is expected',
    ),
  });
});

test('what was not selected says that it was not run', async () => {
  const { gaps } = await runPets([], { only: ['pets/lists/limit[1]'] });
  expect(gaps.find(({ id }) => id === 'empty-name')).toMatchObject({ evidence: 'no scenario that shows it was run' });
});

test('a success of another status is told once, and shows at each gap what the right one does', async () => {
  const gaps = ['extra-fields', 'client-id', 'blank-text*', 'text-characters*', 'wrong-media-type'];
  const only = ['pets/records/*', 'petstore/status-omitted', ...gaps.map((id) => `pets/gaps/${id}`)];
  const see = async (changes: Change[]): Promise<Record<string, unknown>> => {
    const result = await runPets(changes, { settleMs: 100, only });
    return Object.fromEntries(result.gaps.map(({ id, answer }) => [id, answer]));
  };
  const sound = await see([]);
  expect(Object.values(sound).filter((answer) => answer !== 'not-observed').length).toBeGreaterThanOrEqual(12);
  const wrong = [changeStatus(answers('createPet', 201), 200), changeStatus(answers('getPet', 200), 203)];
  expect(await see(wrong)).toEqual(sound);
});
