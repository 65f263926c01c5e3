import { expect, test } from 'vitest';
import { inTurn, turn } from '../../../scripts/turns.mjs';
import { pickSpread } from '../matrix/sample.js';
import { mutantList, type MutantId } from '../mutants/index.js';
import { judgePrinted } from './printed-commands.js';

const sample = inTurn(pickSpread(mutantList, 24), 8);
const judged: Awaited<ReturnType<typeof judgePrinted>>[] = [];

test.each(sample)('what is printed of $id shows it again when pasted, or says that it does not', async ({ id }) => {
  const shown = await judgePrinted(id as MutantId);
  judged.push(shown);
  expect(shown.curls).toBeGreaterThanOrEqual(0);
});

test('few need what a whole run has created before, and many show by one request', () => {
  // Of the three of a turn, one may.
  const [again, once] = turn === 'all' ? [0.8, 0.4] : [0.5, 0];
  expect(judged.filter(({ isShownAgain }) => isShownAgain).length).toBeGreaterThan(again * judged.length);
  expect(judged.filter(({ curls }) => curls > 0).length).toBeGreaterThan(once * judged.length);
});
