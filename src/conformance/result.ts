import type { CoverageKind } from '../contract/coverage.js';
import type { SourcePlace } from '../errors.js';
import type { FaultParts } from './identify-fault.js';
import type { AuthForm } from './scenario.js';

/** The version of the result's shape, raised when a reader would have to change. */
export const RESULT_VERSION = 1;

export type Verdict = 'passed' | 'deviated' | 'known' | 'observed' | 'inconclusive' | 'skipped';

/** Everything a run came to. Data only: what the reports are written from. */
export interface RunResult {
  version: typeof RESULT_VERSION;
  /** The base URL that was asked, without credentials. */
  target: string;
  contract: { title: string; version: string; file: string };
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  /** Whether the run was interrupted before its end. */
  interrupted: boolean;
  /** Whether the target stopped answering, which ended the run. */
  targetLost: boolean;
  summary: Summary;
  /** Which parts of the contract the run exercised. */
  coverage: CoverageResult;
  scenarios: ScenarioResult[];
  /** What became of the known deviations, when a baseline was given. */
  baseline?: BaselineResult;
  /** What is worth knowing of the target although it is no deviation: dropped connections, rate limits. */
  notes: string[];
}

/** The known deviations of a baseline, one for each scenario that is to show one. */
export interface BaselineResult {
  file: string;
  /** Seen, and accepted. */
  known: BaselineLine[];
  /** Seen, but accepted no longer: they fail the run. */
  expired: BaselineLine[];
  /** The scenario came to its end without it. The line must go, else it would hide the fault when it comes back: they fail the run. */
  fixed: BaselineLine[];
  /** The scenario did not run, or concluded nothing of it. */
  unseen: BaselineLine[];
}

/** A deviation that is known in a scenario. */
export interface BaselineLine extends FaultParts {
  scenario: string;
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC, or `never`. */
  expires: string;
  /** Where the baseline has it. */
  place: SourcePlace;
}

export interface CoverageResult {
  total: number;
  covered: number;
  /** What no exchange exercised, with the line of the contract. */
  missing: { id: string; kind: CoverageKind; contract: SourcePlace & { pointer: string } }[];
}

export interface Summary {
  passed: number;
  deviated: number;
  /** Deviated as the baseline says, and in no other way. */
  known: number;
  observed: number;
  inconclusive: number;
  skipped: number;
  /** Requests sent, retries included. */
  requests: number;
  /** Animals that the run created on the target. */
  created: number;
}

export interface ScenarioResult {
  id: string;
  title: string;
  basis: BasisResult;
  verdict: Verdict;
  /** Why nothing was concluded, and what would conclude it. */
  reason?: string;
  /** The gap that was observed, the choice that was seen, and the answer that shows it. */
  gap?: { id: string; choice: string; evidence: string };
  durationMs: number;
  steps: StepResult[];
}

/** Where the rule stands. */
export interface BasisResult {
  text: string;
  place?: SourcePlace;
}

export interface StepResult {
  id: string;
  exchanges: ExchangeResult[];
}

/** One exchange: redacted, bounded in size. */
export interface ExchangeResult {
  /** `undefined` for a request that the contract does not have. */
  operationId: string | undefined;
  request: {
    method: string;
    /** Path and query below the base URL. */
    path: string;
    /** How the request presented itself. */
    auth: AuthForm;
    headers: Record<string, string>;
    body?: string;
  };
  /** Absent when no answer came. */
  response?: { status: number; headers: Record<string, string>; body: string };
  /** Why no answer came. */
  failure?: string;
  durationMs: number;
  findings: Finding[];
}

/** What a check found. */
export interface Finding {
  /** The check's id. */
  check: string;
  severity: 'deviation' | 'information';
  /** Which rule of the check, for telling the same fault once. */
  rule: string;
  /** Where in the message: `body/3/status`, `header/content-type`. */
  at: string;
  expected: string;
  actual: string;
  /** Where the contract states the rule. */
  contract?: SourcePlace & { pointer: string };
  /** Set when the baseline has it: why it is accepted, and until when. */
  baseline?: { state: 'known' | 'expired' } & Pick<BaselineLine, 'reason' | 'expires' | 'place'>;
}
