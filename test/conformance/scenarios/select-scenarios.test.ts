import { expect, test } from 'vitest';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import {
  findCycle,
  listPredecessors,
  matchesId,
  selectScenarios,
} from '../../../src/conformance/scenarios/check-scenario.js';

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
