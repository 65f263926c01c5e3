import { loadProfile, type ObservedProfile } from '../../../contract/gaps/profile.js';
import { readGapsNamed } from '../../resources/read-gaps.js';
import { splitDifferences } from './detect-drift.js';
import type { DriftResult, GapChange } from '../../model/result.js';

/** The comparison of two profiles. */
export interface ProfileDiff {
  before: DriftResult['profile'];
  now: DriftResult['profile'];
  /** The services behave differently. */
  changes: GapChange[];
  /** Known on one side only, or lists of values that happened to appear. */
  notes: GapChange[];
  /** How many gaps are the same on both sides. */
  same: number;
}

/** Reads two profiles and compares them. Throws a `PetstoreMockError` for one that cannot be used. */
export function compareFiles(before: string, now: string): ProfileDiff {
  const gaps = readGapsNamed([before, now]);
  const [old, fresh] = [loadProfile(before, gaps), loadProfile(now, gaps)];
  const { changes, notes } = splitDifferences(old, fresh, gaps);
  return {
    before: describe(before, old),
    now: describe(now, fresh),
    changes,
    notes,
    same: gaps.length - changes.length - notes.length,
  };
}

function describe(file: string, { target, date }: ObservedProfile): DriftResult['profile'] {
  return { file, ...(target === undefined ? {} : { target }), ...(date === undefined ? {} : { date }) };
}
