import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { judgeToolshed, listDeviating } from './support/judge-service.js';
import { TOOLSHED_MUTANTS, TOOLSHED_VARIANTS } from './support/toolshed-changes.js';
import { expectProblem } from './support/expect-problem.js';

test('a tool shed that keeps its contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems, notes } = await judgeToolshed();
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  expect(open.map(({ id, reason }) => [id, reason])).toEqual([]);
  // What belonged to a member who is gone is gone too, which 410 says.
  expect(notes).toEqual([]);
});

test.each(inTurn(TOOLSHED_VARIANTS, 8))('a tool shed that is %s has no problem', async (name) => {
  const { scenarios, problems } = await judgeToolshed([name]);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(250);
});

test.each(inTurn(Object.entries(TOOLSHED_MUTANTS), 8))(
  'a tool shed with %s is found out by a scenario about it',
  async (name, [about, headline]) => {
    const result = await judgeToolshed([name], [`${about.split('/')[0] ?? ''}/*`]);
    expect(listDeviating(result).filter((id) => id.startsWith(about))).not.toEqual([]);
    expectProblem(result, headline);
  },
);

const CHANGES = ['members/changes/merge*', 'members/refusals/parameter-of-changes*', 'loans/refusals/parameter-rule*'];

test.each([
  ['condition-optional', ['members/refusals/parameter-of-changes[update-without-If-Match]']],
  ['patch-null-kept', ['members/changes/merge[remarks]']],
])('a tool shed with %s is found out by these scenarios alone', async (mutant, found) => {
  const result = await judgeToolshed([mutant], CHANGES);
  expect(listDeviating(result)).toEqual(found);
  expect(result.problems).toHaveLength(1);
});

test('an order that leaves a record out is a problem, and one that is ignored is none', async () => {
  const found = await judgeToolshed(['sort-drops'], ['tools/lists/sort*']);
  expect(listDeviating(found)).toContain('tools/lists/sort[order_by-label]');
  expect(found.problems).toHaveLength(1);
  const ignored = await judgeToolshed(['sort-ignored'], ['tools/lists/sort*']);
  expect(ignored.scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});
