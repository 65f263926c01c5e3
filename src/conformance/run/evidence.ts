import { identifyFault } from '../identify-problem.js';
import type { ExchangeResult, Finding } from '../result.js';

/** What a run keeps of the same problem within one answer, of all problems of one answer, and of all answers. */
const MOST_ALIKE = 3;
const MOST_IN_ANSWER = 40;
const MOST_IN_RUN = 4000;

/** So much of a body is shown, and so much of all bodies; then less of each. */
const MOST_SHOWN = 16 * 1024;
const MOST_IN_ALL = 16 * 1024 * 1024;
const SHOWN_LATER = 1024;

/** Keeps what a target answers from filling memory and reports. */
export interface EvidenceKeeper {
  /** The findings to keep; each says how many more there were that it stands for. */
  limit(exchange: Pick<ExchangeResult, 'operationId'>, findings: readonly Finding[]): Finding[];
  /** How much of the next body may be shown, in bytes. */
  mostShown(): number;
  /** The text itself, or an equal one that is kept already. */
  keep(text: string): string;
  /** How many findings stand in no report. */
  leftOut(): number;
}

export function createEvidenceKeeper(): EvidenceKeeper {
  const texts = new Map<string, string>();
  let [shown, kept, leftOut] = [0, 0, 0];
  return {
    limit(exchange, findings) {
      const most = kept < MOST_IN_RUN ? MOST_ALIKE : 1;
      const limited = limitAlike(exchange, findings, most).slice(0, kept < MOST_IN_RUN ? MOST_IN_ANSWER : 1);
      kept += limited.length;
      leftOut += findings.length - limited.length;
      return limited;
    },
    mostShown: () => (shown < MOST_IN_ALL ? MOST_SHOWN : SHOWN_LATER),
    keep(text) {
      const same = texts.get(text);
      if (same !== undefined) return same;
      shown += text.length;
      texts.set(text, text);
      return text;
    },
    leftOut: () => leftOut,
  };
}

/** Deviations first, since a verdict rests on them. */
function limitAlike(
  exchange: Pick<ExchangeResult, 'operationId'>,
  findings: readonly Finding[],
  most: number,
): Finding[] {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = identifyFault(exchange, finding);
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [finding]);
    else group.push(finding);
  }
  const kept = new Map<Finding, Finding>();
  for (const group of alike.values()) {
    const shown = group.slice(0, most);
    for (const finding of shown) kept.set(finding, finding);
    const last = shown.at(-1);
    if (last !== undefined && group.length > most) kept.set(last, { ...last, more: group.length - most });
  }
  const inOrder = findings.flatMap((finding) => kept.get(finding) ?? []);
  const isDeviation = ({ severity }: Finding): boolean => severity === 'deviation';
  return [...inOrder.filter(isDeviation), ...inOrder.filter((finding) => !isDeviation(finding))];
}
