import { afterEach, describe, expect, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { sendsPost } from '../../../src/conformance/language/check-step.js';
import { listPredecessors } from '../../../src/conformance/language/select-scenarios.js';
import { Refusal } from '../../mutation/server/replies.js';
import { makeSeedPets, replaceFields, type Pet } from '../../mutation/server/pets.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { startWith, type MutationServer } from '../../mutation/server/start-server.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function run(changes: Change[], options: Partial<ConformanceOptions> = {}): Promise<RunResult> {
  const server = await startWith(changes);
  servers.push(server);
  return runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, ...options });
}

const seed =
  (pets: Pet[]): Change =>
  () => ({ seed: () => [...pets] });
const twelve = seed(makeSeedPets(12));

function listVerdicts({ scenarios }: RunResult, prefix: string): Record<string, string> {
  const wanted = scenarios.filter(({ id }) => id.startsWith(prefix));
  return Object.fromEntries(wanted.map(({ id, verdict }) => [id.slice(prefix.length), verdict]));
}

function reasonOf({ scenarios }: RunResult, id: string): string | undefined {
  return scenarios.find((scenario) => scenario.id === id)?.reason;
}

/** A limit above this one is read by nobody. */
const cap =
  (most: number): Change =>
  (base) => ({
    choosePage: (pets, query, exchange) =>
      base.choosePage(pets, { ...query, limit: query.limit > most ? Number.MAX_SAFE_INTEGER : query.limit }, exchange),
  });

describe('a service with twelve pets', () => {
  test('is not said to keep limits that are out of its reach, and what would try them is said', async () => {
    const result = await run([twelve], { maxCreates: 40, only: ['create/*', 'limits/*'] });
    expect(listVerdicts(result, 'limits/page')).toMatchObject({
      '[1]': 'passed',
      '[51]': 'passed',
      '[98]': 'inconclusive',
      '[99]': 'inconclusive',
    });
    expect(listVerdicts(result, 'limits/')).toMatchObject({ maximum: 'inconclusive' });
    expect(reasonOf(result, 'limits/page[98]')).toBe(
      'needs 99 pets, and the collection has 52: allow --max-creates 89',
    );
    expect(result.summary.created).toBe(40);
    expect(result.coverage.missing.map(({ id }) => id)).toContain('listPets is sent query/limit = 100');
  });

  test('is filled up with what the run may create, no more than proves something, and every limit is tried', async () => {
    const result = await run([twelve], { maxCreates: 150, only: ['create/*', 'limits/*'] });
    const inconclusive = result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
    expect(inconclusive).toEqual([]);
    expect(result.summary.created).toBeLessThan(110);
    expect(result.coverage.missing.map(({ id }) => id)).not.toContain('listPets is sent query/limit = 100');
  });

  test.each<[string, Change]>([
    ['a limit above 74 that gives everything', cap(74)],
    [
      '101 for 100',
      (base) => ({
        choosePage: (pets, query, exchange) =>
          base.choosePage(pets, query.limit === 100 ? { ...query, limit: 101 } : query, exchange),
      }),
    ],
  ])('%s is seen once the run may create as many as it takes', async (_, change) => {
    const options = { only: ['create/*', 'limits/*'], maxCreates: 150 };
    expect((await run([twelve, change], options)).summary.deviated).toBeGreaterThan(0);
  });

  test('what the advice allows is enough', async () => {
    const only = ['create/minimal', 'create/with-status', 'limits/filtered-default'];
    const before = await run([twelve], { maxCreates: 5, only: [...only, 'limits/fill'] });
    const advice = /--max-creates (\d+)/.exec(reasonOf(before, 'limits/filtered-default[sold]') ?? '')?.[1];
    const after = await run([twelve], { maxCreates: Number(advice), only: [...only, 'limits/fill'] });
    expect(listVerdicts(after, 'limits/filtered-default')).toMatchObject({ '[sold]': 'passed' });
  });
});

test('a filter that nobody reads is not said to work where all pets have the status', async () => {
  const sold = replaceFields(makeSeedPets(30), () => ({ status: 'sold' }));
  const deaf: Change = () => ({ readStatusFilter: () => undefined });
  const result = await run([seed(sold), deaf], { readOnly: true, only: ['status-filter/*'] });
  expect(listVerdicts(result, 'status-filter/only')).toMatchObject({ '[sold]': 'skipped' });
  expect(listVerdicts(result, 'status-filter/back-to-unfiltered')).toMatchObject({ '[sold]': 'skipped' });
  expect(reasonOf(result, 'status-filter/only[sold]')).toMatch(/another status.*--read-only/);
});

test('a collection that is refused more pets is told of it once, not for each that is lacking', async () => {
  const full: Change = (base) => ({
    createPet: (pet, exchange) => {
      if (exchange.store.pets.length >= 30) throw new Error('full');
      return base.createPet(pet, exchange);
    },
  });
  const server = await startWith([twelve, full]);
  servers.push(server);
  const result = await runConformance({
    target: server.url,
    apiKey: server.apiKey,
    settleMs: 0,
    maxCreates: 100,
    only: ['create/minimal', 'limits/fill'],
  });
  const fill = result.scenarios.find(({ id }) => id === 'limits/fill');
  expect([fill?.verdict, fill?.reason]).toEqual(['deviated', undefined]);
  expect(fill?.steps.flatMap(({ exchanges }) => exchanges).filter(({ findings }) => findings.length > 0)).toHaveLength(
    1,
  );
});

test('a step with nothing to run for concludes nothing', async () => {
  const texts: Change = (base) => ({
    printPet: (pet, exchange) => ({ ...base.printPet(pet, exchange), id: `pet-${pet.id}` }),
    readPetId: (text, exchange) => base.readPetId(text.replace('pet-', ''), exchange),
  });
  const result = await run([texts], { only: ['get/neighbours'] });
  expect(listVerdicts(result, 'get/neighbours')['']).not.toBe('passed');
});

test('the collection is filled up when everything that creates has had its share, and before no limit is tried', () => {
  const { scenarios, contract } = planRun({});
  const before = new Map(listPredecessors(scenarios));
  const isBefore = (id: string, other: string): boolean =>
    (before.get(other) ?? []).some((each) => each === id || isBefore(id, each));
  const others = scenarios.filter(({ id }) => !id.startsWith('limits/') && id !== 'gaps/limit-above-maximum');
  const creating = others.filter((scenario) =>
    scenario.steps.some(
      (step) => sendsPost(step, contract.operations) && step.auth === 'valid' && step.operationId !== undefined,
    ),
  );
  expect(creating.filter(({ id }) => !(before.get('limits/fill') ?? []).includes(id)).map(({ id }) => id)).toEqual([]);
  const limits = scenarios.filter(({ id }) => id.startsWith('limits/') && id !== 'limits/fill');
  expect(limits.filter(({ id }) => !isBefore('limits/fill', id)).map(({ id }) => id)).toEqual([]);
});

describe('what is lacking is told with what would help this very run', () => {
  const few = seed(makeSeedPets(5));

  test('a run that leaves out what fills the collection up is not told to create more', async () => {
    const result = await run([few], { only: ['limits/page'] });
    expect(reasonOf(result, 'limits/page[5]')).toBe(
      "needs 6 pets, and the collection has 5: limits/fill, which creates more, is not selected; add --only 'limits/fill'",
    );
  });

  test('and that which helps does', async () => {
    const result = await run([few], { only: ['limits/page', 'limits/fill'] });
    expect(listVerdicts(result, 'limits/page')).toMatchObject({ '[5]': 'passed' });
  });

  test('a target that takes no more is not answered by a greater --max-creates', async () => {
    const full: Change = (base) => ({
      createPet: (pet, exchange) => {
        if (exchange.store.pets.length < 9) return base.createPet(pet, exchange);
        throw new Refusal(507, 'full', 'There is no room.');
      },
    });
    const result = await run([few, full], { only: ['limits/page', 'limits/fill'] });
    expect(reasonOf(result, 'limits/page[49]')).toMatch(/^needs 50 pets, .*, though the run may create as many$/);
  });

  test.each([0, 3, 30])(
    'a run that must not create leaves out what %i pets cannot show, and concludes the rest',
    async (count) => {
      const result = await run([seed(makeSeedPets(count))], { readOnly: true });
      expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)).toEqual([]);
      expect(reasonOf(result, 'limits/page[49]')).toMatch(/, and this run creates none \(--read-only\)$/);
      expect(result.summary.passed).toBeGreaterThan(20);
    },
  );
});
