import { expect, test } from 'vitest';
import { runTickets } from '../../support/tickets.js';

const BOUNDS = ['inclusive', 'exclusive', 'ignored'];
/** Each gap with what shows it, and its choices. */
const GAPS: Readonly<Record<string, { only: string[]; choices: string[] }>> = {
  'lower-bound': { only: ['tickets/gaps/lower-bound*'], choices: BOUNDS },
  'upper-bound': { only: ['tickets/gaps/upper-bound*'], choices: BOUNDS },
  'left-out-fields': { only: ['tickets/gaps/left-out-fields*'], choices: ['merged', 'replaced'] },
  'nested-update': { only: ['tickets/gaps/nested-update*'], choices: ['merged', 'replaced'] },
  'sort-direction': { only: ['tickets/records/*', 'tickets/lists/*'], choices: ['ascending', 'descending', 'ignored'] },
};
const CASES = Object.entries(GAPS).flatMap(([id, { only, choices }]) =>
  choices.map((choice) => ({ id, only, choice })),
);

test.each(CASES)('a mock whose tickets have $choice as $id is seen to, and accused of nothing', async (each) => {
  const id = `tickets.${each.id}`;
  const { gaps, problems } = await runTickets({ [id]: each.choice }, { only: each.only });
  expect(gaps.find((gap) => gap.id === id)?.answer).toBe(each.choice);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
});
