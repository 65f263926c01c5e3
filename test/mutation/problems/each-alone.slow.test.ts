import { expect, test } from 'vitest';
import { mutantList, type MutantId } from '../mutants/index.js';
import { expectedHeadline, severalProblems } from './headlines.js';
import { listProblems } from './judge.js';

test.each(mutantList)('$id is one problem with a headline that fits', { timeout: 120_000 }, async ({ id }) => {
  const problems = await listProblems([id as MutantId]);
  const headlines = problems.map(({ headline }) => headline);
  expect(headlines.filter((headline) => expectedHeadline(id).test(headline))).not.toEqual([]);
  expect(severalProblems[id] === undefined ? headlines.slice(1) : []).toEqual([]);
});
