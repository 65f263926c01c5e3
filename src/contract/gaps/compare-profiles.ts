import type { Gap } from './gaps.js';
import { isOfFields } from './profile-layers.js';
import { NOT_OBSERVED, type ObservedProfile, type ProfileAnswer } from './profile.js';

/** A gap at which two profiles differ. */
export interface ProfileDifference {
  id: string;
  before: ProfileAnswer;
  now: ProfileAnswer;
  /**
   * Whether it proves that the service differs. A gap that one side did not observe, and lists of values that happened
   * to appear, prove nothing.
   */
  isChange: boolean;
}

/** The gaps at which two profiles differ, sorted by id. */
export function compareProfiles(
  before: ObservedProfile,
  now: ObservedProfile,
  gaps: readonly Gap[],
): ProfileDifference[] {
  const answerOf = ({ entries }: ObservedProfile, { id, of }: Gap): ProfileAnswer =>
    // An answer for every resource is an answer for each.
    (entries[id] ?? (of === undefined || isOfFields(of.gap) ? undefined : entries[of.gap]))?.answer ?? NOT_OBSERVED;
  return gaps
    .map((gap) => {
      const [old, fresh] = [answerOf(before, gap), answerOf(now, gap)];
      return { id: gap.id, before: old, now: fresh, isChange: isChange(gap, old, fresh) };
    })
    .filter((each) => !isSame(each.before, each.now))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function isSame(a: ProfileAnswer, b: ProfileAnswer): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.join('\n') === b.join('\n') : a === b;
}

function isChange({ id, kind }: Gap, before: ProfileAnswer, now: ProfileAnswer): boolean {
  if (before === NOT_OBSERVED || now === NOT_OBSERVED) return false;
  if (kind !== 'observation') return true;
  return id === 'error-codes' && typeof before === 'object' && typeof now === 'object' && hasRenamedCode(before, now);
}

/** Whether both sides saw some operation and status, but no code in common for it. */
function hasRenamedCode(before: readonly string[], now: readonly string[]): boolean {
  const [old, fresh] = [groupCodes(before), groupCodes(now)];
  return [...old].some(([where, codes]) => {
    const other = fresh.get(where);
    return other !== undefined && !codes.some((code) => other.includes(code));
  });
}

/** By operation and status: `getPet 404`. */
function groupCodes(items: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const [, where = '', code = ''] = /^(\S+ \d+) (.*)$/s.exec(item) ?? [];
    groups.set(where, [...(groups.get(where) ?? []), code]);
  }
  return groups;
}
