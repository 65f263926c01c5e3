import { expect, test } from 'vitest';
import { mutantList, type MutantId } from '../mutants/index.js';
import { createDraw, isNamed, listProblems } from './judge.js';
import { showsAmong } from './shows-beside.js';

const SEED = 17;

test.each([
  [2, 20],
  [4, 10],
])(
  'of %i mutants at once, each that shows at all is named as alone in 95 of 100 draws at least',
  { timeout: 1_800_000 },
  async (size, draws) => {
    const draw = createDraw(SEED + size);
    const missed: string[] = [];
    for (let turn = 0; turn < draws; turn++) {
      const ids = Array.from(
        { length: size },
        () => mutantList[Math.floor(draw() * mutantList.length)]?.id as MutantId,
      );
      if (!(await isEachNamed(ids))) missed.push(ids.join(' '));
    }
    const share = 1 - missed.length / draws;
    expect(share, `missed in ${missed.join(', ')}`).toBeGreaterThanOrEqual(0.95);
  },
);

async function isEachNamed(ids: readonly MutantId[]): Promise<boolean> {
  const together = await listProblems(ids);
  for (const id of ids) {
    // The few that are several problems alone meet another of them in each run.
    const isMissed = !(await listProblems([id])).some((alone) => isNamed(alone, together));
    if (isMissed && (await showsAmong(id, ids))) return false;
  }
  return true;
}
