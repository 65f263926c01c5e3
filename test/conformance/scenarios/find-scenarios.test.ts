import { expect, test } from 'vitest';
import { matchesId, createFinder, findCycle } from '../../../src/conformance/scenarios/select-scenarios.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { words } from '../../support/words.js';

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
