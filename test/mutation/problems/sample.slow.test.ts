import { expect, test } from 'vitest';
import type { MutantId } from '../mutants/index.js';
import { expectedHeadline } from './headlines.js';
import { listProblems } from './judge.js';

// What `npm test` tries; the files beside this one, which are slow, try all mutants and combinations of them.

const sample: MutantId[] = ['create-200', 'get-id-as-text', 'filter-ignored-above-20', 'error-message-missing'];

test.each(sample)('%s is one problem with a headline that fits', async (id) => {
  const headlines = (await listProblems([id])).map(({ headline }) => headline);
  expect(headlines).toHaveLength(1);
  expect(headlines[0]).toMatch(expectedHeadline(id));
});
