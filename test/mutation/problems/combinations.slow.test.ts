import { expect, test } from 'vitest';
import { turn } from '../../../scripts/turns.mjs';
import { readRecording } from '../../fence/recording.js';
import { mutantList, type MutantId } from '../mutants/index.js';
import { createDraw, isNamed, listProblems } from './judge.js';
import { showsAmong } from './shows-beside.js';

const SEED = 17;

// Each commit draws its own, so that nobody tunes anything to them; a run of all draws many from one seed.
test.each([
  [2, 40, 5, 92],
  [4, 20, 3, 60],
])(
  'of %i mutants at once, each that shows at all is in a line of the report: of %i draws, or %i, in %i of 100 at least',
  { timeout: 1_800_000 },
  async (size, draws, inTurn, percent) => {
    const draw = createDraw((turn === 'all' ? SEED : SEED + turn) + size);
    const drawn = Array.from({ length: turn === 'all' ? draws : inTurn }, () =>
      Array.from({ length: size }, () => mutantList[Math.floor(draw() * mutantList.length)]?.id as MutantId),
    );
    const missed: string[] = [];
    for (const ids of drawn) if (!(await isEachNamed(ids))) missed.push(ids.join(' '));
    expect(missed.length, `missed in ${missed.join(', ')}`).toBeLessThanOrEqual(
      Math.ceil(drawn.length * (1 - percent / 100)),
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
