import { expect, test } from 'vitest';
import { judgeWorkshop } from './support/judge-workshop.js';
import { listDeviating } from './support/judge-service.js';
import { WORKSHOP_MUTANTS, WORKSHOP_VARIANTS } from './support/workshop-changes.js';

test('a workshop that keeps its contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems, left, unproven } = await judgeWorkshop();
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason }) => [id, reason])).toEqual(
    [],
  );
  expect(scenarios.length).toBeGreaterThan(220);
  // Nothing was put where something might have been, and nothing is left.
  expect([left, unproven]).toEqual([0, []]);
});

test.each(WORKSHOP_VARIANTS)('a workshop that is %s has no problem', async (name) => {
  const { problems, scenarios, unproven } = await judgeWorkshop([name]);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(120);
  expect(unproven).toEqual([]);
});

test.each(WORKSHOP_MUTANTS)('a workshop with %s is found out by scenarios about it', async (name, ...about) => {
  const found = listDeviating(
    await judgeWorkshop(
      [name],
      about.map((each) => (each.endsWith(']') ? each : `${each}*`)),
    ),
  );
  for (const each of about) expect(found.filter((id) => id.startsWith(each))).not.toEqual([]);
});

test('nothing is put where an unknown name is answered as if it were known', async () => {
  const { scenarios, unproven } = await judgeWorkshop(['unknown-200'], ['benches/*']);
  expect(unproven).toEqual([]);
  expect(scenarios.find(({ id }) => id === 'benches/records/create')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('did not answer 404') as string,
  });
});
