import { expect, test } from 'vitest';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import {
  renameId,
  findCycle,
  listPredecessors,
  matchesId,
  selectScenarios,
} from '../../../src/conformance/scenarios/select-scenarios.js';

const make = (id: string, dependsOn: string[] = [], after: string[] = []): Scenario =>
  ({ id, dependsOn, after, steps: [], place: { file: '' } }) as unknown as Scenario;

const BY_STATUS = ['create/status[sold]', 'create/status[pending]'];
const all = [
  make('create/minimal'),
  ...BY_STATUS.map((id) => make(id, ['create/minimal'])),
  make('get/created', ['create/status']),
  make('list/all', [], ['create/*']),
];
const select = (only: string[], skip: string[] = [], scenarios = all): string[] =>
  selectScenarios(scenarios, { only, skip }).map(({ id }) => id);

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
  ['aba', 'ab*ba', false],
])('%s fits %s: %s', (id, pattern, fits) => expect(matchesId(id, pattern)).toBe(fits));

test('a glob of many stars takes no longer than its length wants', () => {
  expect(matchesId('a'.repeat(5000), `${'*a'.repeat(400)}*b`)).toBe(false);
  expect(matchesId('a'.repeat(5000), `${'*a'.repeat(400)}*`)).toBe(true);
});

test.each([
  ['everything by default', [], [], all.map(({ id }) => id)],
  ['it with what it depends on', ['get/created'], [], ['create/minimal', ...BY_STATUS, 'get/created']],
  ['it without what merely runs before', ['list/all'], [], ['list/all']],
  ['not what is skipped', [], ['list/*', 'get/*'], ['create/minimal', ...BY_STATUS]],
])('of what is asked for is selected %s', (_, only, skip, ids) => expect(select(only, skip)).toEqual(ids));

test.each([
  [['create/minmal'], [], 'there is no scenario create/minmal; did you mean create/minimal?'],
  [[], ['x/*'], 'there is no scenario x/*; every id begins with create/ or get/ or list/.'],
  [['create'], [], 'there is no scenario create; did you mean create/*?'],
  [['lists'], [], 'there is no scenario lists; did you mean list/*?'],
  [['lists/all'], [], 'there is no scenario lists/all; did you mean list/all?'],
  [['creates/stat*'], [], 'there is no scenario creates/stat*; did you mean create/stat*?'],
  [['minimal'], [], 'there is no scenario minimal; did you mean create/minimal?'],
  [['min*'], [], 'there is no scenario min*; did you mean create/min*?'],
  [['list/all'], ['list/all'], 'no scenario is left to run'],
])('--only %j --skip %j is refused', (only, skip, message) => expect(() => select(only, skip)).toThrow(message));

test('scenarios run after those they depend on and those they name, never after themselves', () => {
  expect(listPredecessors(all).get('list/all')).toEqual(['create/minimal', ...BY_STATUS]);
  expect(listPredecessors([make('a/b', [], ['a/*'])]).get('a/b')).toEqual([]);
});

test('a circle is found, however long', () => {
  expect(findCycle(all)).toBeUndefined();
  const circle = [make('a/a', ['a/b']), make('a/b', [], ['a/c']), make('a/c', ['a/a'])];
  expect(findCycle([make('a/z'), ...circle])?.id).toBe('a/a');
});

test('of thousands of scenarios that each wait for many, a circle is found, and each is read only a few times', () => {
  let reads = 0;
  const scenarios = Array.from({ length: 5000 }, (_, index) => {
    const resource = `r${index % 50}`;
    const isEarly = index < 500;
    return Object.defineProperty(make('', [], isEarly ? [] : [`${resource}/records/*`]), 'id', {
      get: () => {
        reads += 1;
        return `${resource}/${isEarly ? 'records' : 'gaps'}/s${index}`;
      },
    });
  });
  expect(findCycle(scenarios)).toBeUndefined();
  const first = scenarios[0] as Scenario;
  first.after = ['r0/gaps/*'];
  expect(findCycle(scenarios)).toBe(first);
  // By looking at all of them for each, it would be 25,000,000 times.
  expect(reads).toBeLessThan(20 * scenarios.length);
});

const NOW = ['pets/records/create', 'pets/lists/limit[1]', 'pets/service/head'];
const ofNow = NOW.map((id) => make(id));

test('an id of an earlier release selects or skips what took its place, and else is said to be many', () => {
  expect(select(['create/minimal'], [], ofNow)).toEqual(['pets/records/create']);
  expect(select(['gaps/head'], [], ofNow)).toEqual(['pets/service/head']);
  expect(select([], ['gaps/head'], ofNow)).toEqual(NOW.slice(0, 2));
  expect(select([], ['gaps/empty-limit'], [...ofNow, make('pets/gaps/empty-limit[limit]')])).toEqual(NOW);
  expect(() => select([], ['create/minimal'], ofNow)).toThrow(
    'there is no scenario create/minimal any more; */records/* has replaced its file, and --list shows them all.',
  );
  // A file that is called as a shipped one was keeps its name.
  expect(select(['create/minimal'], [], [...ofNow, make('create/minimal')])).toEqual(['create/minimal']);
});

const shipped = planRun({}).scenarios.map(({ id }) => id);

/** The scenarios that the current form of an old id or glob selects. */
function listFound(pattern: string): string[] {
  const renamed = renameId(pattern, shipped);
  return shipped.filter((id) => matchesId(id, renamed));
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
  expect([listFound(`gaps/${gap}`), listFound(`open-points/${gap}`)]).toEqual([found, found]);
});

test('current ids stay as they are', () => {
  for (const id of ['pets/records/create', 'petstore/*', 'toString/a']) expect(renameId(id, shipped)).toBe(id);
});
