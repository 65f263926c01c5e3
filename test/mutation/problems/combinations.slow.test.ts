import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { readRecording } from '../../fence/recording.js';
import { mutantList, type MutantId } from '../mutants/index.js';
import { createDraw, isNamed, listProblems } from './judge.js';
import { showsAmong } from './shows-beside.js';

const SEED = 17;

// Nobody has tuned anything to these draws. When this was written, 38 of 40 pairs were told apart (what is not JSON hides
// what stands in it, and a refusal at 200 is told as that), and of four at once 15 of 20: what a create without a key hides,
// and what has no text of the run's own, is not looked for by name.
test.each([
  [2, 40, 92],
  [4, 20, 60],
])(
  'of %i mutants at once, each that shows at all is named as alone, in so many of %i draws that it is %i of 100 at least',
  { timeout: 1_800_000 },
  async (size, draws, percent) => {
    const draw = createDraw(SEED + size);
    const drawn = Array.from({ length: draws }, () =>
      Array.from({ length: size }, () => mutantList[Math.floor(draw() * mutantList.length)]?.id as MutantId),
    );
    const tried = inTurn(drawn, 8);
    const missed: string[] = [];
    for (const ids of tried) if (!(await isEachNamed(ids))) missed.push(ids.join(' '));
    expect(missed.length, `missed in ${missed.join(', ')}`).toBeLessThanOrEqual(
      Math.ceil(tried.length * (1 - percent / 100)),
    );
  },
);

const alone = readRecording();

/** What each is reported as by itself, the recording knows. */
async function isEachNamed(ids: readonly MutantId[]): Promise<boolean> {
  const together = await listProblems(ids);
  for (const id of ids) {
    const isMissed = !alone[`mutants/${id}`]?.problems.some((problem) => isNamed(problem, together));
    if (isMissed && (await showsAmong(id, ids))) return false;
  }
  return true;
}
