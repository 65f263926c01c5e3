import { describe, expect, test } from 'vitest';
import { matchesId } from '../../../src/conformance/language/select-scenarios.js';
import { judgeService, listDeviating } from './support/judge-service.js';
import { HELPDESK_MUTANTS, HELPDESK_VARIANTS, LIBRARY_MUTANTS, LIBRARY_VARIANTS } from './support/service-changes.js';
import { helpdesk, library } from './support/services.js';

describe.each([
  { plan: helpdesk, mutants: HELPDESK_MUTANTS, variants: HELPDESK_VARIANTS },
  { plan: library, mutants: LIBRARY_MUTANTS, variants: LIBRARY_VARIANTS },
])('a $plan.name', ({ plan, mutants, variants }) => {
  test('that keeps its contract has no problem, and nothing is inconclusive', async () => {
    const { scenarios, problems } = await judgeService(plan);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(290);
  });

  test.each(variants)('that is %s has no problem', async (name) => {
    const { scenarios, problems } = await judgeService(plan, [name]);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(200);
  });

  test.each(Object.entries(mutants))('with %s is found out by a scenario about it', async (name, about) => {
    const [own = '', run = own] = about.split(' | ');
    const found = listDeviating(await judgeService(plan, [name], run.split(' ')));
    expect(found.filter((id) => own.split(' ').some((pattern) => matchesId(id, pattern)))).not.toEqual([]);
  });
});
