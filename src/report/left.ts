import type { LeftBehind } from '../conformance/model/left-behind.js';
import type { RunResult } from '../conformance/model/result.js';

/** So many keys are named; the JSON report has more. */
const MOST_KEYS = 5;

/** What of the run's own is still there, why, and how to find it: a line for each kind. */
export function listLeft({ leftBehind = [] }: Pick<RunResult, 'leftBehind'>): string[] {
  return leftBehind.map((left) => `leftover: ${countLeft(left)}, ${[left.why, ...describeFinding(left)].join(': ')}`);
}

function countLeft({ count, one, many }: LeftBehind): string {
  return count === 1 ? `1 created ${one}` : `${count} created ${many}`;
}

function describeFinding({ keys, mark, count }: LeftBehind): string[] {
  const rest = count - Math.min(keys.length, MOST_KEYS);
  const named = keys.slice(0, MOST_KEYS).join(', ');
  const byKey =
    keys.length === 0
      ? []
      : [`${keys.length === 1 ? 'its key is' : 'keys'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
  const byText = mark === undefined ? [] : [`generated texts contain ${mark}`];
  const all = [...byText, ...byKey];
  return all.length === 0 ? [] : [all.join('; ')];
}
