import { afterEach, describe, expect, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
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

function listVerdicts({ scenarios }: RunResult, prefix: string): Record<string, string> {
  const wanted = scenarios.filter(({ id }) => id.startsWith(prefix));
  return Object.fromEntries(wanted.map(({ id, verdict }) => [id.slice(prefix.length), verdict]));
}

function listReasons({ scenarios }: RunResult, verdict: string): Record<string, string | undefined> {
  const wanted = scenarios.filter((scenario) => scenario.verdict === verdict);
  return Object.fromEntries(wanted.map(({ id, reason }) => [id, reason]));
}

/** A limit above this one is read by nobody. */
const cap =
  (most: number): Change =>
  (base) => ({
    choosePage: (pets, query, exchange) =>
      base.choosePage(pets, { ...query, limit: query.limit > most ? Number.MAX_SAFE_INTEGER : query.limit }, exchange),
  });

/** One more than the longest page may have. */
const oneMoreThanMost: Change = (base) => ({
  choosePage: (pets, query, exchange) =>
    base.choosePage(pets, query.limit === 100 ? { ...query, limit: 101 } : query, exchange),
});

const LIMITS = { only: ['pets/lists/limit*'] };

describe('a limit', () => {
  // The run creates two beside the twelve.
  test.each<[string, Change[]]>([
    ['', []],
    [', though none above 14 is kept', [cap(14)]],
  ])('that is out of reach of fourteen pets is not said to be kept, and the reason is said%s', async (_, changes) => {
    const result = await run([seed(makeSeedPets(12)), ...changes], LIMITS);
    expect(listVerdicts(result, 'pets/lists/limit')).toMatchObject({ '[1]': 'passed', '[2]': 'passed' });
    expect(listVerdicts(result, 'pets/lists/limit-further')).toEqual({
      '[10]': 'passed',
      '[11]': 'passed',
      '[16]': 'skipped',
      '[20]': 'skipped',
      '[32]': 'skipped',
      '[50]': 'skipped',
      '[64]': 'skipped',
      '[99]': 'skipped',
    });
    expect(listReasons(result, 'skipped')['pets/lists/limit-further[16]']).toBe(
      'the list has no more records than the limit',
    );
    expect(result.problems).toEqual([]);
    expect(result.coverage.missing).toContainEqual(
      expect.objectContaining({ id: 'listPets is sent query/limit = 100', sent: true }),
    );
  });

  test.each<[string, number, Change, string]>([
    ['above 9 that gives everything', 12, cap(9), '14 instead of at most 10'],
    ['above 99 that gives everything', 120, cap(99), '122 instead of at most 100'],
    ['of 100 that gives 101', 120, oneMoreThanMost, '101 instead of at most 100'],
  ])('%s is seen where there are more pets than that', async (_, count, change, numbers) => {
    const { problems } = await run([seed(makeSeedPets(count)), change], LIMITS);
    expect(problems.map(({ headline }) => headline)).toEqual([
      `listPets returns more records than its limit: ${numbers}`,
    ]);
  });

  test('is kept, each of them, where there are more pets than the longest page has', async () => {
    const result = await run([seed(makeSeedPets(120))], LIMITS);
    expect(new Set(result.scenarios.map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
    expect(result.coverage.missing.map(({ id }) => id)).not.toContain('listPets is sent query/limit = 100');
  });
});

describe('a filter that nobody reads, where all pets have one status', () => {
  const deaf: Change = () => ({ readStatusFilter: () => undefined });
  const allSold = replaceFields(makeSeedPets(31), () => ({ status: 'sold' }));
  const FILTERS = { readOnly: true, only: ['pets/lists/filter-value', 'pets/lists/filter-alone'] };

  test('is seen by the others', async () => {
    const result = await run([seed(allSold), deaf], FILTERS);
    expect(result.problems.map(({ headline }) => headline)).toEqual([
      'The filter by `status` of listPets returns records that do not match',
    ]);
    expect(listVerdicts(result, 'pets/lists/filter-value')).toMatchObject({
      '[status-available]': 'deviated',
      '[status-pending]': 'deviated',
    });
  });

  test.each(['filter-value', 'filter-alone'])('is not said to work: %s', async (id) => {
    const pets = makeSeedPets(31);
    const prefix = `pets/lists/${id}`;
    expect(listVerdicts(await run([seed(pets)], FILTERS), prefix)).toMatchObject({ '[status-sold]': 'passed' });
    expect(listVerdicts(await run([seed(allSold), deaf], FILTERS), prefix)['[status-sold]']).not.toBe('passed');
  });
});

describe('a run that must not create says of what so few pets cannot show what it would take', () => {
  test.each<[number, Record<string, string>]>([
    [
      0,
      {
        'petstore/sunset-header': 'it needs a pet in the collection',
        'petstore/successor-link': 'it needs a pet in the collection',
        'pets/gaps/short-pages[limit-2]': 'needs more records than a page holds',
        'pets/gaps/limit-forms[zeros]': 'needs more records than the limit',
      },
    ],
    [
      3,
      {
        'pets/lists/filter-value[status-sold]': 'needs a record with "sold" as status; give one in a file (--records)',
      },
    ],
    [31, {}],
  ])('%i', async (count, inconclusive) => {
    const result = await run([seed(makeSeedPets(count))], { readOnly: true });
    expect(listReasons(result, 'inconclusive')).toEqual(inconclusive);
    expect(listVerdicts(result, 'pets/lists/limit-further')).toMatchObject({ '[50]': 'skipped' });
    expect(result.summary).toMatchObject({ created: 0, deviated: 0 });
    expect(result.summary.passed + result.summary.observed).toBeGreaterThan(30);
  });
});
