import { isOfField } from '../model/records.js';
import type { ExchangeResult } from '../model/result.js';

/** How long scenarios wait for changes that a target shows late, because of a replica or a cache. */
export interface Patience {
  /** Whether a scenario that has waited since `since` (`performance.now()`) may wait this many milliseconds more. */
  allows(since: number, pauseMs: number): boolean;
  /** Whether a target that was seen to need time may need this many milliseconds more. */
  mayNeed(since: number, pauseMs: number): boolean;
  /** The longest that the target may need, by what it was seen to need. */
  mayNeedMs(): number;
  settled(ms: number): void;
}

const USUAL_MS = 2000;
const MOST_MS = 10_000;

/** A run learns how soon others see a record: the first wait may be the longest, later ones twice what was needed. */
export function createPatience(givenMs: number | undefined): Patience {
  let longest = 0;
  const mayNeed = (since: number, pauseMs: number): boolean =>
    performance.now() + pauseMs < since + Math.min(2 * longest, givenMs ?? MOST_MS);
  const settled = (ms: number): void => void (longest = Math.max(longest, ms));
  const mayNeedMs = (): number => givenMs ?? Math.min(Math.max(USUAL_MS, 2 * longest), MOST_MS);
  if (givenMs !== undefined)
    return { allows: (since, pauseMs) => performance.now() + pauseMs < since + givenMs, mayNeed, mayNeedMs, settled };
  let lastChance: number | undefined;
  return {
    allows(since, pauseMs) {
      const next = performance.now() + pauseMs;
      if (next < since + mayNeedMs()) return true;
      lastChance ??= since + MOST_MS;
      return next < lastChance;
    },
    mayNeed,
    mayNeedMs,
    settled,
  };
}

/** How many waits must have been in vain: values that a target shows late come in some of them. */
const ENOUGH = 3;

type Outcome = { exchange: Pick<ExchangeResult, 'operationId' | 'findings'>; unmet: unknown };

/** The fields, by operation, whose differences stayed however long a scenario waited, and the filters that let others through. */
export interface InVain {
  isHopeless(outcomes: readonly Outcome[]): boolean;
  stayed(outcomes: readonly Outcome[]): void;
  settled(): void;
}

export function createInVain(): InVain {
  const counts = new Map<string, number>();
  return {
    isHopeless(outcomes) {
      const signs = outcomes.map(listSigns);
      const isInVain = (sign: string): boolean => (counts.get(sign) ?? 0) >= ENOUGH;
      return signs.flat().length > 0 && signs.every((each) => each?.every(isInVain) === true);
    },
    stayed(outcomes) {
      for (const sign of new Set(outcomes.flatMap((outcome) => listSigns(outcome) ?? [])))
        counts.set(sign, (counts.get(sign) ?? 0) + 1);
    },
    settled: () => counts.clear(),
  };
}

function listSigns({ exchange, unmet }: Outcome): string[] | undefined {
  const { operationId = '', findings } = exchange;
  const isOfValue = (rule: string): boolean => isOfField(rule) || rule === 'filter';
  if (unmet !== undefined || !findings.every(({ check, rule }) => OF_RECORDS.has(check) && isOfValue(rule)))
    return undefined;
  return findings.map(({ rule, at }) => `${operationId} ${rule} ${at.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`);
}

const OF_RECORDS: ReadonlySet<string> = new Set(['record', 'records', 'own-records']);
