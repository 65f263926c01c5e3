import { compareProfiles, type ObservedProfile } from '../../../contract/gaps/profile.js';
import type { Gap } from '../../../contract/gaps/gaps.js';
import { toProfile } from '../../run/gaps/observed-profile.js';
import type { DriftResult, GapChange, RunResult } from '../../model/result.js';

/** Where a run differs from a profile. */
export function detectDrift(
  { file, profile }: { file: string; profile: ObservedProfile },
  result: Pick<RunResult, 'target' | 'startedAt' | 'contract' | 'gaps'>,
  gaps: readonly Gap[],
): DriftResult {
  const { target, date } = profile;
  return {
    profile: { file, ...(target === undefined ? {} : { target }), ...(date === undefined ? {} : { date }) },
    ...splitDifferences(profile, toProfile(result), gaps),
  };
}

/** The differences between two profiles; those that prove a change are separate. */
export function splitDifferences(
  before: ObservedProfile,
  now: ObservedProfile,
  gaps: readonly Gap[],
): { changes: GapChange[]; notes: GapChange[] } {
  const all = compareProfiles(before, now, gaps);
  const pick = (isChange: boolean): GapChange[] =>
    all
      .filter((each) => each.isChange === isChange)
      .map((each) => ({ id: each.id, before: each.before, now: each.now }));
  return { changes: pick(true), notes: pick(false) };
}
