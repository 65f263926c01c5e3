import { expect, test } from 'vitest';
import { judgePayees } from './support/judge-service.js';

test('records of each kind, nulls, letters, signs and a key that no record has are tried, and a service that keeps its contract passes', async () => {
  const { problems, scenarios } = await judgePayees([], ['payees/records/*']);
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  const tried = ['values[kind-2]', 'values[lowest]', 'texts[letters]', 'texts[signs]', 'unknown'];
  expect(scenarios.map(({ id }) => id)).toEqual(expect.arrayContaining(tried.map((id) => `payees/records/${id}`)));
});
