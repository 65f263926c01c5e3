import { expect, test } from 'vitest';
import { judgeWorkshop, listDeviating } from './support/judge-service.js';

const RECORDS = ['customers/records/create*', 'designs/records/create', 'benches/records/get', 'shelves/records/get'];

test('what is created by a form and by a PUT is there as it was sent, at keys that nobody had', async () => {
  const { scenarios, problems, unproven, left } = await judgeWorkshop([], RECORDS);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict !== 'passed').map(({ id, reason }) => [id, reason])).toEqual([]);
  expect([left, unproven]).toEqual([0, []]);
});

test('a workshop that loses what a form says, and what is put, is found out', async () => {
  const found = listDeviating(await judgeWorkshop(['metadata-flat', 'put-not-stored'], RECORDS));
  expect(found.filter((id) => /^(?:customers\/records\/create|benches\/records\/get)/.test(id)).length).toBeGreaterThan(
    1,
  );
});
