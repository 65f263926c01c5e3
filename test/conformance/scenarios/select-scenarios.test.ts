import { expect, test } from 'vitest';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { renameId } from '../../../src/conformance/scenarios/earlier-releases.js';
import {
  createFinder,
  findCycle,
  listPredecessors,
  matchesId,
  selectScenarios,
} from '../../../src/conformance/scenarios/select-scenarios.js';
import { words } from '../../support/words.js';

function makeScenario(id: string, dependsOn: string[] = [], after: string[] = []): Scenario {
  return {
    id,
    dependsOn,
    after,
    title: '',
    basis: '',
    gap: undefined,
    case: {},
    tier: 2,
    fresh: false,
    alone: false,
    isShipped: false,
    hasShippedBasis: false,
    steps: [],
    leftOut: undefined,
    about: undefined,
    place: { file: '' },
  };
}

const all = [
  makeScenario('create/minimal'),
  makeScenario('create/status[sold]', ['create/minimal']),
  makeScenario('create/status[pending]', ['create/minimal']),
  makeScenario('get/created', ['create/status']),
  makeScenario('list/all', [], ['create/*']),
];

function select(only: string[], skip: string[] = []): string[] {
  return selectScenarios(all, { only, skip }).map(({ id }) => id);
}

test.each([
  ['create/status[sold]', 'create/status[sold]', true],
  ['create/status[sold]', 'create/status', true],
  ['create/status[sold]', 'create/*', true],
  ['create/status[sold]', '*[sold]', true],
  ['create/status[sold]', 'create/stat', false],
  ['create/status[sold]', 'create/status[s]', false],
  ['create/minimal', 'create.minimal', false],
  ['create/minimal', '*', true],
  ['a/b[1+1]', 'a/*[1+1]', true],
])('%s fits %s: %s', (id, pattern, fits) => expect(matchesId(id, pattern)).toBe(fits));

test.each([
  ['create/minimal', ['pets/records/create']],
  ['gaps/head', ['pets/service/head']],
])('%s of an earlier release selects what took its place: %j', (old, wanted) => {
  expect(selectScenarios(OF_NOW, { only: [old], skip: [] }).map(({ id }) => id)).toEqual(wanted);
});

test('what an earlier release skipped is skipped if one took its place, and else said to be many', () => {
  const left = selectScenarios(OF_NOW, { only: [], skip: ['gaps/head'] });
  expect(left.map(({ id }) => id)).toEqual(['pets/records/create', 'pets/lists/limit[1]']);
  const table = [...OF_NOW, makeScenario('pets/gaps/empty-limit[limit]')];
  expect(selectScenarios(table, { only: [], skip: ['gaps/empty-limit'] })).toEqual(OF_NOW);
  expect(() => selectScenarios(OF_NOW, { only: [], skip: ['create/minimal'] })).toThrow(
    'there is no scenario create/minimal any more; */records/* has replaced its file, and --list shows them all.',
  );
});

const OF_NOW = ['pets/records/create', 'pets/lists/limit[1]', 'pets/service/head'].map((id) => makeScenario(id));

test('a file that is called as a shipped one was keeps its name', () => {
  const own = [makeScenario('pets/records/create'), makeScenario('create/minimal')];
  expect(selectScenarios(own, { only: ['create/minimal'], skip: [] })).toEqual([own[1]]);
});

test('everything is selected by default', () => expect(select([])).toEqual(all.map(({ id }) => id)));

test('what is asked for comes with what it depends on, in the order of the files', () => {
  expect(select(['get/created'])).toEqual([
    'create/minimal',
    'create/status[sold]',
    'create/status[pending]',
    'get/created',
  ]);
});

test('what merely runs before is not pulled in', () => expect(select(['list/all'])).toEqual(['list/all']));

test('what is skipped stays out unless something depends on it', () =>
  expect(select([], ['list/*', 'get/*'])).toEqual(['create/minimal', 'create/status[sold]', 'create/status[pending]']));

test.each([
  [['create/minmal'], [], 'there is no scenario create/minmal; did you mean create/minimal?'],
  [[], ['x/*'], 'there is no scenario x/*; every id begins with create/ or get/ or list/.'],
  [['create'], [], 'there is no scenario create; did you mean create/*?'],
  [['lists'], [], 'there is no scenario lists; did you mean list/*?'],
  [['lists/all'], [], 'there is no scenario lists/all; did you mean list/all?'],
  [['creates/stat*'], [], 'there is no scenario creates/stat*; did you mean create/stat*?'],
  [['minimal'], [], 'there is no scenario minimal; did you mean create/minimal?'],
  [['min*'], [], 'there is no scenario min*; did you mean create/min*?'],
  [['our-*'], [], 'there is no scenario our-*; every id begins with create/ or get/ or list/.'],
  [['list/all'], ['list/all'], 'no scenario is left to run'],
])('--only %j --skip %j is refused', (only, skip, message) => expect(() => select(only, skip)).toThrow(message));

test('scenarios run after those they depend on and those they name, never after themselves', () => {
  expect(listPredecessors(all).get('list/all')).toEqual([
    'create/minimal',
    'create/status[sold]',
    'create/status[pending]',
  ]);
  expect(listPredecessors([makeScenario('a/b', [], ['a/*'])]).get('a/b')).toEqual([]);
});

test('a circle is found, however long', () => {
  expect(findCycle(all)).toBeUndefined();
  const circle = [makeScenario('a/a', ['a/b']), makeScenario('a/b', [], ['a/c']), makeScenario('a/c', ['a/a'])];
  expect(findCycle([makeScenario('a/z'), ...circle])?.id).toBe('a/a');
});

test('a glob of many stars takes no longer than its length wants', () => {
  expect(matchesId('a'.repeat(5000), `${'*a'.repeat(400)}*b`)).toBe(false);
  expect(matchesId('a'.repeat(5000), `${'*a'.repeat(400)}*`)).toBe(true);
  expect(matchesId('aba', 'ab*ba')).toBe(false);
});

const IDS = words`orders/lists/limit[1] orders/lists/limit[2] orders/lists/limits orders/records/get pets/a[b][c]`;

test.each(['orders/lists/limit', 'orders/*', '*/get', 'orders/lists/limit[2]', 'pets/a', 'pets/a[b]', 'none', '*'])(
  'what is found for %s is what matches it',
  (pattern) => {
    const find = createFinder(IDS);
    const matching = IDS.filter((id) => matchesId(id, pattern));
    expect(find(pattern)).toEqual(matching);
    expect(find(pattern)).toEqual(matching);
  },
);

test('of thousands of scenarios that each wait for many, a circle is found, and each is read only a few times', () => {
  let reads = 0;
  const scenarios = Array.from({ length: 5000 }, (_, index): Pick<Scenario, 'id' | 'dependsOn' | 'after'> => {
    const resource = `r${index % 50}`;
    const isEarly = index < 500;
    return {
      get id() {
        reads += 1;
        return `${resource}/${isEarly ? 'records' : 'gaps'}/s${index}`;
      },
      dependsOn: [],
      after: isEarly ? [] : [`${resource}/records/*`],
    };
  }) as Scenario[];
  expect(findCycle(scenarios)).toBeUndefined();
  const [first] = scenarios;
  if (first !== undefined) first.after = ['r0/gaps/*'];
  expect(findCycle(scenarios)).toBe(first);
  // By looking at all of them for each, it would be 25,000,000 times.
  expect(reads).toBeLessThan(20 * scenarios.length);
});

const ids = planRun({}).scenarios.map(({ id }) => id);

/** The scenarios that the current form of an old id or glob selects. */
function listFound(pattern: string): string[] {
  const renamed = renameId(pattern, ids);
  return ids.filter((id) => matchesId(id, renamed));
}

/** Every file of scenarios that a release had for the petstore alone, with where its work is done now. */
test.each([
  ['authentication', '/refusals/credential'],
  ['create', '/records/'],
  ['create-invalid', '/refusals/'],
  ['gaps', '/gaps/'],
  ['get', '/records/'],
  ['limits', '/lists/'],
  ['list', '/lists/'],
  ['open-points', '/gaps/'],
  ['sequences', '/sequences/'],
  ['status-filter', '/lists/'],
  ['transport', '/requests/'],
])('ids and globs of the old file %s lead to scenarios of the shipped contract below %s', (file, where) => {
  const found = listFound(`${file}/*`);
  expect(found).not.toEqual([]);
  expect(found.filter((id) => !id.includes(where))).toEqual([]);
  expect(listFound(`${file}/a-scenario-that-is-gone[a]`)).toEqual(found);
});

test.each([
  ['short-pages', ['pets/gaps/short-pages[limit-2]']],
  ['head', ['pets/service/head']],
  ['sunset-header', ['petstore/sunset-header']],
])('the scenario of the gap %s keeps its name, wherever it is now', (gap, found) => {
  expect(listFound(`gaps/${gap}`)).toEqual(found);
  expect(listFound(`open-points/${gap}`)).toEqual(found);
});

test("current ids, and those of a user's file with an old name, stay as they are", () => {
  for (const id of ['pets/records/create', 'petstore/*', 'toString/a']) expect(renameId(id, ids)).toBe(id);
  expect(renameId('create/minimal', [...ids, 'create/own'])).toBe('create/minimal');
});
