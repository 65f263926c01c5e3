import type { Finding } from '../model/result.js';
import { valueOf } from './changes.js';
import { kindOf } from './kind-of.js';

/** Two values of a field as a finding shows them, without their source. */
export interface Pair {
  at: string;
  before: string;
  after: string;
}

export function readPair(finding: Finding): Pair {
  return { at: finding.at, before: valueOf(finding), after: finding.actual };
}

/**
 * Two values of different kinds as they would compare if the wrong kind were put right: `"3"` is the number 3, and
 * `{"en":"Rex"}` the text "Rex". What then still differs was changed besides. The pair itself, if nothing can be put right.
 */
export function repairKinds(pair: Pair): Pair {
  if (isOneKind(pair)) return pair;
  const repaired = { ...pair, before: unwrap(pair.before, pair.at), after: unwrap(pair.after, pair.at) };
  return isOneKind(repaired) ? repaired : pair;
}

function isOneKind({ before, after }: Pair): boolean {
  return kindOf(before) === kindOf(after);
}

/** A number out of a text, and the only member of a list or an object. As a number, a name loses more than its kind. */
function unwrap(json: string, at: string): string {
  const [, digits] = /^"(-?\d+)"$/.exec(json) ?? [];
  if (digits !== undefined && !at.endsWith('/name')) return digits;
  const [, member] = /^(?:\[|\{"[^"\\]*":)("(?:[^"\\]|\\.)*"|-?\d+)[\]}]$/.exec(json) ?? [];
  return member ?? json;
}
