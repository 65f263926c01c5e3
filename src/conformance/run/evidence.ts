import type { CheckFinding, CheckOutcome } from '../checks/check.js';

/** What a check found, and how many more of the same kind it stands for. */
export interface KeptFinding {
  check: string;
  finding: CheckFinding;
  more: number;
}

/** How many findings are kept of one problem within an answer, of all problems of an answer, and of all answers. */
const MOST_ALIKE = 3;
const MOST_IN_ANSWER = 40;
const MOST_IN_RUN = 4000;

/** How much of a body is shown, and of all bodies together; after that, less of each. */
const MOST_SHOWN = 16 * 1024;
const MOST_IN_ALL = 16 * 1024 * 1024;
const SHOWN_LATER = 1024;

/** Keeps a target's answers from filling memory and reports. */
export interface EvidenceKeeper {
  /** Which findings of one answer to keep. */
  limit(found: readonly { check: string; outcomes: readonly CheckOutcome[] }[]): KeptFinding[];
  /** How much of the next body may be shown, in bytes. */
  mostShown(): number;
  /** The text itself, or an equal one that is kept already. */
  keep(text: string): string;
  /** How many findings are in no report, and are not like one that is. */
  leftOut(): number;
}

export function createEvidenceKeeper(): EvidenceKeeper {
  const texts = new Map<string, string>();
  let [shown, kept, leftOut] = [0, 0, 0];
  return {
    limit(found) {
      const isFull = kept >= MOST_IN_RUN;
      const all = keepSome(found, isFull ? 1 : MOST_ALIKE);
      const limited = all.slice(0, isFull ? 1 : MOST_IN_ANSWER);
      kept += limited.length;
      leftOut += all.length - limited.length;
      return limited;
    },
    leftOut: () => leftOut,
    mostShown: () => (shown < MOST_IN_ALL ? MOST_SHOWN : SHOWN_LATER),
    keep(text) {
      const same = texts.get(text);
      if (same !== undefined) return same;
      shown += text.length;
      texts.set(text, text);
      return text;
    },
  };
}

/** The items of a list whose findings are the first of their kind: what else is wrong with them tells how they came about. */
function listFirstItems(findings: readonly CheckFinding[], most: number): Set<string> {
  const counts = new Map<string, number>();
  const isFirst = (finding: CheckFinding): boolean => {
    const key = keyOfKind(finding);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) <= most;
  };
  return new Set(findings.filter(isFirst).flatMap(itemOf));
}

/** The item of a list in a field of which something is wrong, if it is one. */
function itemOf({ at }: CheckFinding): string[] {
  return /^.*\/\d+(?=\/[^/]+$)/.exec(at) ?? [];
}

function keyOfKind({ severity, rule, at }: CheckFinding): string {
  return `${severity ?? ''} ${rule} ${at.replace(/\d+/g, '*')}`;
}

/** Deviations first, since they decide the verdict. */
function keepSome(found: readonly { check: string; outcomes: readonly CheckOutcome[] }[], most: number): KeptFinding[] {
  const kept = found.flatMap(({ check, outcomes }) => {
    const findings = outcomes.filter((outcome): outcome is CheckFinding => !('needs' in outcome));
    const items = listFirstItems(findings, most);
    const alike = new Map<string, KeptFinding[]>();
    for (const finding of findings) {
      const key = keyOfKind(finding);
      const group = alike.get(key);
      const last = group?.at(-1);
      const { more = 0 } = finding;
      if (group === undefined || last === undefined) alike.set(key, [{ check, finding, more }]);
      else if (group.length < most || itemOf(finding).some((item) => items.has(item)))
        group.push({ check, finding, more });
      else last.more += 1 + more;
    }
    return [...alike.values()].flat();
  });
  const isDeviation = ({ finding }: KeptFinding): boolean => (finding.severity ?? 'deviation') === 'deviation';
  return [...kept.filter(isDeviation), ...kept.filter((each) => !isDeviation(each))];
}
