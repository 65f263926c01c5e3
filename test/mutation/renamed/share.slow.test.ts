import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { mutantList, type MutantId } from '../mutants/index.js';
import { judgeRenamed } from './judge.js';

/** One in so many is tried: the whole corpus takes ten minutes. */
const OF = 8;

/** By the letter a page may be shorter than its limit: only a strict run wants it full. */
const tried = inTurn(
  mutantList.filter(({ reading }, index) => index % OF === 3 && reading !== 'full-pages'),
  8,
);

test("by the engine for any contract, nineteen in twenty of the petstore's mutants are found", async () => {
  const missed: string[] = [];
  for (const { id } of tried) {
    const { headlines } = await judgeRenamed({ operationIds: 'renamed' }, { mutants: [id as MutantId] });
    if (headlines.length === 0) missed.push(id);
  }
  process.stdout.write(
    `the petstore by the engine for any contract: of ${tried.length} not found: ${missed.join(', ')}\n`,
  );
  expect(missed.length).toBeLessThanOrEqual(Math.ceil(tried.length / 20));
});
