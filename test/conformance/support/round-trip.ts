import { expect, test } from 'vitest';
import type { Gap } from '../../../src/contract/gaps/gaps.js';
import { NOT_OBSERVED, type ProfileAnswer } from '../../../src/contract/gaps/profile.js';
import { runConformance } from '../../../src/conformance/index.js';
import { startPetstoreMock, type PetstoreProfile } from '../../../src/index.js';
import { shippedGaps } from '../../support/shipped.js';

const KEY = 'petstore-dev-key';
/** So few that new pets are on a page, whatever the order. */
const PETS = 50;
/** More than a page can hold, so that a limit which is cut shows. */
const MANY_PETS = 130;
/** What shows every gap, and pets enough of all kinds to show the order of lists. */
const SCENARIOS = ['petstore/*', 'service/*', 'pets/gaps/*', 'pets/service/*', 'pets/records/texts*'];

/** What the runner says, by gap, of a mock that does as the profile says. */
export async function observe(
  gaps: PetstoreProfile['gaps'],
  { only = SCENARIOS, count = PETS, delay = 0 }: { only?: string[]; count?: number; delay?: number } = {},
): Promise<Record<string, ProfileAnswer>> {
  const mock = await startPetstoreMock({ count, delay, profile: { gaps } });
  try {
    const result = await runConformance({ target: mock.url, apiKey: KEY, only });
    expect(result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id)).toEqual([]);
    return Object.fromEntries(result.gaps.map(({ id, answer }) => [id, answer]));
  } finally {
    await mock.close();
  }
}

/** One choice that makes another one: what follows, and why. */
type Consequence = { answers: Record<string, ProfileAnswer>; because: string };

/** All there are. */
const CONSEQUENCES: Readonly<Record<string, Consequence>> = {
  'unknown-category: refused-400': {
    answers: { 'negative-category': 'refused-400' },
    because: 'no pet has a negative category, so each of them is unknown',
  },
  'sunset-header: absent': {
    answers: { 'removal-hour': NOT_OBSERVED },
    because: 'until the operation is removed, Sunset alone tells at which hour it will be',
  },
};

/** Before the day of the removal nobody can see what comes after it. */
const UNSEEN_TODAY = ['after-removal'];

/** Lists of what was seen grow and shrink with every refusal; test/conformance/engine/gaps/round-trips-seen.slow.test.ts has them. */
const isCompared = ({ kind }: Gap): boolean => kind !== 'observation';

/** A status moves every quarter of a second: it is seen where a pet is created and read again in more time than that. */
const DELAYS: Readonly<Record<string, number>> = { 'status-after-create': 150 };

const usual = new Map<number, ReturnType<typeof observe>>();

/** What the runner says of the mock as it is. */
function observeUsual(count: number): ReturnType<typeof observe> {
  const known = usual.get(count) ?? observe({}, { count });
  usual.set(count, known);
  return known;
}

/** One test for each choice of a gap: the mock makes it, the runner names it, and no other gap changes. */
export function testRoundTrips(isMine: (gap: Gap, index: number) => boolean): void {
  const choices = shippedGaps
    .filter(isMine)
    .flatMap((gap) => Object.keys(gap.choices).map((choice) => [gap.id, choice] as const));
  test.each(choices)('%s: %s', async (id, choice) => {
    const count = id === 'limit-above-maximum' ? MANY_PETS : PETS;
    const before = await observeUsual(count);
    const seen = await observe({ [id]: choice }, { count, delay: DELAYS[id] ?? 0 });
    const compared = shippedGaps.filter(isCompared).map((gap) => gap.id);
    const pick = (answers: Record<string, ProfileAnswer>): unknown =>
      Object.fromEntries(compared.map((each) => [each, answers[each]]));
    expect(pick(seen)).toEqual(
      pick({
        ...before,
        [id]: UNSEEN_TODAY.includes(id) ? NOT_OBSERVED : choice,
        ...CONSEQUENCES[`${id}: ${choice}`]?.answers,
      }),
    );
  });
}
