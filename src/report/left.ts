import type { LeftBehind } from '../conformance/model/left-behind.js';
import type { RunResult } from '../conformance/model/result.js';

/** So many keys are named; the JSON report has more. */
const MOST_KEYS = 5;

/** What of the run's own is still there, why, and how to find it: a line for each kind. */
export function listLeft({ leftBehind = [], target }: Pick<RunResult, 'leftBehind'> & { target?: string }): string[] {
  return leftBehind.map(
    (left) => `leftover: ${countLeft(left)}, ${[left.why, ...describeFinding(left, target)].join(': ')}`,
  );
}

function countLeft({ count, one, many }: LeftBehind): string {
  return count === 1 ? `1 created ${one}` : `${count} created ${many}`;
}

/** Where they are; what their texts contain, as far as some have no address. */
function describeFinding(left: LeftBehind, target = ''): string[] {
  const { keys, mark, count } = left;
  const byAddress = describeAddresses(left, target);
  const byText = mark === undefined || count <= keys.length ? [] : [`generated texts contain ${mark}`];
  const all = [...(byAddress.length > 0 ? byAddress : describeKeys(left)), ...byText];
  return all.length === 0 ? [] : [all.join('; ')];
}

function describeAddresses({ addresses = [], removable, count }: LeftBehind, target: string): string[] {
  const [first, ...others] = addresses.slice(0, MOST_KEYS);
  if (first === undefined) return [];
  const base = target.replace(/\/+$/, '');
  const rest = count - Math.min(addresses.length, MOST_KEYS);
  const above = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  const named = [`${base}${first}`, ...others.map((path) => `${above}${path}`)].join(', ');
  return [`${removable === true ? 'DELETE' : 'at'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
}

function describeKeys({ keys, count }: LeftBehind): string[] {
  const rest = count - Math.min(keys.length, MOST_KEYS);
  const named = keys.slice(0, MOST_KEYS).join(', ');
  if (keys.length === 0) return [];
  return [`${keys.length === 1 ? 'its key is' : 'keys'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
}
