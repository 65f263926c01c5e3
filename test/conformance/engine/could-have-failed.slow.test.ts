import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { makeSeedPets, replaceFields, type Pet } from '../../mutation/server/pets.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { listTold, runPets } from '../support/ask.js';

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
    const result = await runPets([seed(makeSeedPets(12)), ...changes], LIMITS);
    expect(listVerdicts(result, 'pets/lists/limit')).toMatchObject({ '[1]': 'passed', '[2]': 'passed' });
    const further = [11, 16, 20, 50, 99].map((limit) => [`[${limit}]`, limit < 14 ? 'passed' : 'skipped']);
    expect(listVerdicts(result, 'pets/lists/limit-further')).toEqual(Object.fromEntries(further));
    expect(listReasons(result, 'skipped')['pets/lists/limit-further[16]']).toBe(
      'the list has no more records than the limit',
    );
    expect(result.problems).toEqual([]);
    expect(result.coverage.missing).toContainEqual(
      expect.objectContaining({ id: 'listPets is sent query/limit = 100', sent: true }),
    );
  });

  test.each<[string, number, Change, string]>([
    ['above 9 that gives everything', 12, cap(9), '14 instead of at most 11'],
    ['above 99 that gives everything', 120, cap(99), '122 instead of at most 100'],
    ['of 100 that gives 101', 120, oneMoreThanMost, '101 instead of at most 100'],
  ])('%s is seen where there are more pets than that', async (_, count, change, numbers) => {
    const told = listTold(await runPets([seed(makeSeedPets(count)), change], LIMITS));
    expect(told).toEqual([`listPets returns more records than its limit: ${numbers}`]);
  });

  test('is kept, each of them, where there are more pets than the longest page has', async () => {
    const result = await runPets([seed(makeSeedPets(120))], LIMITS);
    expect(new Set(result.scenarios.map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
    expect(result.coverage.missing.map(({ id }) => id)).not.toContain('listPets is sent query/limit = 100');
  });
});

describe('a filter that nobody reads, where all pets have one status', () => {
  const deaf: Change = () => ({ readStatusFilter: () => undefined });
  const allSold = replaceFields(makeSeedPets(31), () => ({ status: 'sold' }));
  const FILTERS = { readOnly: true, only: ['pets/lists/filter-value', 'pets/lists/filter-alone'] };

  test('is seen by the others', async () => {
    const result = await runPets([seed(allSold), deaf], FILTERS);
    expect(listTold(result)).toEqual(['The filter by `status` of listPets returns records that do not match']);
    expect(listVerdicts(result, 'pets/lists/filter-value')).toMatchObject({
      '[status-available]': 'deviated',
      '[status-pending]': 'deviated',
    });
  });

  test.each(['filter-value', 'filter-alone'])('is not said to work: %s', async (id) => {
    const pets = makeSeedPets(31);
    const prefix = `pets/lists/${id}`;
    expect(listVerdicts(await runPets([seed(pets)], FILTERS), prefix)).toMatchObject({ '[status-sold]': 'passed' });
    expect(listVerdicts(await runPets([seed(allSold), deaf], FILTERS), prefix)['[status-sold]']).not.toBe('passed');
  });
});

const NO_PET = 'it needs a pet in the collection';
const NO_SOLD = 'needs a record with "sold" as status; give one in a file (--records)';

test.each<[number, Record<string, string>]>([
  [
    0,
    {
      'petstore/sunset-header': NO_PET,
      'petstore/successor-link': NO_PET,
      'pets/gaps/short-pages[limit-2]': 'needs more records than a page holds',
      'pets/gaps/limit-forms[zeros]': 'needs more records than the limit',
    },
  ],
  [3, { 'pets/lists/filter-value[status-sold]': NO_SOLD }],
  [31, {}],
])('a run that must not create says of what %i pets cannot show what it would take', async (count, inconclusive) => {
  const result = await runPets([seed(makeSeedPets(count))], { readOnly: true });
  expect(listReasons(result, 'inconclusive')).toEqual(inconclusive);
  expect(listVerdicts(result, 'pets/lists/limit-further')).toMatchObject({ '[50]': 'skipped' });
  expect(result.summary).toMatchObject({ created: 0, deviated: 0 });
  expect(result.summary.passed + result.summary.observed).toBeGreaterThan(30);
});
