import { expect, test } from 'vitest';
import { mutantList, type MutantId } from '../mutants/index.js';
import { createDraw, isNamed, listProblems } from './judge.js';

const SEED = 17;

/** Of answers that nobody can read, nothing else can be told. */
const telling = mutantList.filter(({ id }) => !id.startsWith('body-'));

test.each([
  [2, 20],
  [4, 10],
])(
  'of %i mutants at once, each is named as alone in 95 of 100 draws at least',
  { timeout: 1_800_000 },
  async (size, draws) => {
    const draw = createDraw(SEED + size);
    let named = 0;
    for (let turn = 0; turn < draws; turn++) {
      const ids = Array.from({ length: size }, () => telling[Math.floor(draw() * telling.length)]?.id as MutantId);
      const together = await listProblems(ids);
      const alone = [];
      for (const id of ids) alone.push(...(await listProblems([id])).slice(0, 1));
      if (alone.every((problem) => isNamed(problem, together))) named++;
    }
    expect(named / draws).toBeGreaterThanOrEqual(0.95);
  },
);
