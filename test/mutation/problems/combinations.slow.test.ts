import { expect, test } from 'vitest';
import { turn } from '../../../scripts/turns.mjs';
import { readRecording } from '../../fence/recording.js';
import { mutantList, type MutantGroup, type MutantId } from '../mutants/index.js';
import { createDraw, isNamed, listProblems } from './judge.js';

const SEED = 17;
const alone = readRecording();
/** Of one group each, since what spoils one answer of an operation often replaces what spoils another. */
const GROUPS: readonly MutantGroup[] = ['list', 'get', 'create', 'authentication'];

// Each commit draws its own, so that nobody tunes anything to them; a run of all draws many from one seed.
test.each([
  [2, 40, 5, 92],
  [4, 20, 3, 60],
])(
  'of %i mutants at once, of an operation each, each is in a line of the report: of %i draws, or %i, in %i of 100 at least',
  { timeout: 1_800_000 },
  async (size, draws, inTurn, percent) => {
    const draw = createDraw((turn === 'all' ? SEED : SEED + turn) + size);
    const pick = <T>(entries: readonly T[]): T => entries[Math.floor(draw() * entries.length)] as T;
    const drawn = Array.from({ length: turn === 'all' ? draws : inTurn }, () =>
      GROUPS.toSorted(() => draw() - 0.5)
        .slice(0, size)
        .map((group) => pick(mutantList.filter((each) => each.group === group)).id as MutantId),
    );
    const missed: string[] = [];
    for (const ids of drawn) if (!(await isEachNamed(ids))) missed.push(ids.join(' '));
    expect(missed.length, `missed in ${missed.join(', ')}`).toBeLessThanOrEqual(
      Math.ceil(drawn.length * (1 - percent / 100)),
    );
  },
);

/** What each is reported as by itself, the recording knows. */
async function isEachNamed(ids: readonly MutantId[]): Promise<boolean> {
  const together = await listProblems(ids);
  return ids.every((id) => alone[`mutants/${id}`]?.problems.some((problem) => isNamed(problem, together)));
}
