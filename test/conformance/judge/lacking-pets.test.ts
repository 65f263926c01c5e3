import { expect, test } from 'vitest';
import { listLackingPets } from '../../../src/conformance/judge/lacking-pets.js';
import { createMemory } from '../../../src/conformance/judge/target-memory.js';

const statuses = ['available', 'pending', 'sold'];
const limits = {
  limit: { default: 20, minimum: 1, maximum: 100, largestPage: 100 },
  distinctStatuses: statuses,
  statuses,
};

/** The statuses of the pets to create where a collection has so many. */
function count(listed: [status: string | undefined, count: number][], budget: number): Record<string, number> {
  const memory = createMemory('Cfabc');
  for (const [status, there] of listed) memory.listed.set(status, there);
  const made = listLackingPets(memory, { limits, budget }).map(({ status }) => String(status));
  return Object.fromEntries(statuses.map((status) => [status, made.filter((each) => each === status).length]));
}

test('pets are created until each status has more than a default page, and all together more than the longest', () => {
  expect(
    count(
      [
        [undefined, 60],
        ['available', 30],
        ['pending', 20],
        ['sold', 10],
      ],
      100,
    ),
  ).toEqual({ available: 9, pending: 11, sold: 21 });
});

test('a status that would take more than is left leaves it to the whole list', () => {
  const made = count(
    [
      [undefined, 96],
      ['available', 35],
      ['pending', 19],
      ['sold', 14],
    ],
    9,
  );
  expect(made['sold']).toBeLessThan(8);
  expect(Object.values(made).reduce((sum, each) => sum + each)).toBe(5);
});
