import type { StepResult, Verdict } from '../model/result.js';
import type { StepRecord } from '../wire/request/template.js';
import { describeUsedUp } from './order/request-limit.js';
import type { StepOutcome } from './run-exchange.js';
import { describeStop, type Run } from './run.js';

/** What is known while a scenario runs. */
export interface ScenarioProgress {
  steps: Map<string, StepResult>;
  records: Record<string, StepRecord>;
  outcomes: Map<string, StepOutcome[]>;
  /** The items of a step with `each` that failed in its last round. */
  failed: Map<string, Set<unknown>>;
  /** Why nothing more can be concluded. */
  stopped: Stop | undefined;
  /** The first step whose answer kept something from being judged. */
  blockedAt: string | undefined;
}

/** Why a scenario stops. */
export interface Stop {
  verdict: Verdict;
  reason: string;
  /** Whether an earlier answer lacks what was to be taken from it, which is told of that answer. */
  isUnresolved?: boolean;
  /** Whether the run may send nothing more (`--max-requests`). */
  isUsedUp?: boolean;
}

/** Why a scenario stops when nothing more can be sent; `undefined` while it can. */
export function findEnd(run: Pick<Run, 'signal' | 'limit'>): Stop | undefined {
  if (run.signal.aborted) return { verdict: 'inconclusive', reason: describeStop(run) };
  return run.limit.isUsedUp() ? { verdict: 'skipped', reason: describeUsedUp(), isUsedUp: true } : undefined;
}

export function createProgress(): ScenarioProgress {
  return {
    steps: new Map(),
    records: {},
    outcomes: new Map(),
    failed: new Map(),
    stopped: undefined,
    blockedAt: undefined,
  };
}
