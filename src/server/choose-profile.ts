import { createDefaultProfile, type Gap, type Profile } from '../contract/gaps/gaps.js';
import {
  adoptProfile,
  loadProfile,
  readProfile,
  type ObservedProfile,
  type ProfileAnswer,
} from '../contract/gaps/profile.js';

/** A profile as its file has it, in memory: by gap its answer, alone or with its evidence. */
export interface PetstoreProfile {
  target?: string;
  date?: string;
  contract?: string;
  /**
   * By the id of a gap. See `spec/gaps.yaml` for ids and choices.
   * @example { 'list-order': 'oldest-first', 'name-length-limit': 50 }
   */
  gaps: Readonly<Record<string, ProfileAnswer | Readonly<Record<string, ProfileAnswer>>>>;
}

/** The profile that a mock serves: the one in a file, the one given, or the default. */
export function chooseProfile(given: string | PetstoreProfile | undefined, gaps: readonly Gap[]): Profile {
  if (given === undefined) return createDefaultProfile(gaps);
  if (typeof given !== 'string') return adoptProfile(readProfile(given, gaps), gaps, 'given');
  const observed = loadProfile(given, gaps);
  return adoptProfile(observed, gaps, `${given}${describeOrigin(observed)}`);
}

function describeOrigin({ target, date }: ObservedProfile): string {
  const parts = [...(target === undefined ? [] : [target]), ...(date === undefined ? [] : [`on ${date}`])];
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}
