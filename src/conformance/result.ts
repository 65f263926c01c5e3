import type { CoverageKind } from '../contract/coverage-items.js';
import type { GapKind } from '../contract/gaps/gaps.js';
import type { ProfileAnswer } from '../contract/gaps/profile.js';
import type { SourcePlace } from '../errors.js';
import type { KnownAs, ProblemParts } from './problems/problem-parts.js';
import type { Problem } from './problems/problem.js';
import type { AuthForm } from './scenarios/scenario.js';

/** The version of the result's shape, raised when a reader would have to change. */
export const RESULT_VERSION = 2;

export type Verdict = 'passed' | 'deviated' | 'known' | 'observed' | 'inconclusive' | 'skipped';

/** Everything a run came to. Data only: what the reports are written from. */
export interface RunResult {
  version: typeof RESULT_VERSION;
  /** The base URL that was asked, without credentials. */
  target: string;
  contract: { title: string; version: string; file: string };
  /** What a command that runs scenarios of it again begins with. Default: the name of the program and the target. */
  command?: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  /** Whether the run was interrupted before its end. */
  interrupted: boolean;
  /** Whether the target stopped answering, which ended the run. */
  targetLost: boolean;
  /** Whether the time that the run was given was over before its end. */
  outOfTime: boolean;
  summary: Summary;
  /** Which parts of the contract the run exercised. */
  coverage: CoverageResult;
  /** What is wrong with the target, each thing once; those that the baseline accepts are marked. */
  problems: Problem[];
  scenarios: ScenarioResult[];
  /** What became of the known deviations, when a baseline was given. */
  baseline?: BaselineResult;
  /** Every point that the contract leaves open, with what the run came to. */
  gaps: GapResult[];
  /** What differs from the profile that the run was given. */
  drift?: DriftResult;
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
  /** The scenario came to its end without it. The line must go, else it would hide the problem when it comes back: they fail the run. */
  fixed: BaselineLine[];
  /** The scenario did not run, or concluded nothing of it. */
  unseen: BaselineLine[];
}

/** A deviation that is known in a scenario. */
export interface BaselineLine extends ProblemParts {
  scenario: string;
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC, or `never`. */
  expires: string;
  /** Where the baseline has it. */
  place: SourcePlace;
}

/** A point that the contract leaves open, and what the target does there. */
export interface GapResult {
  id: string;
  kind: GapKind;
  question: string;
  /** The place of the contract that leaves it open. */
  contract: SourcePlace & { pointer: string };
  /**
   * Of a choice: its name, or `other`. Of a value: the number or text, or
   * `none`. Of an observation: what was seen, sorted. Of each: `not-observed`.
   */
  answer: ProfileAnswer;
  /** The answer in words. */
  meaning: string;
  /** The exchange that shows it, the same from run to run; of what was not observed: why. */
  evidence: string;
}

/** What differs from a profile: `changes` are drift, the rest is worth a note. */
export interface DriftResult {
  /** The file of the profile, and what it says of itself. */
  profile: { file: string; target?: string; date?: string };
  changes: GapChange[];
  notes: GapChange[];
}

/** One gap, before and now. */
export interface GapChange {
  id: string;
  before: ProfileAnswer;
  now: ProfileAnswer;
}

export interface CoverageResult {
  total: number;
  covered: number;
  /** What no exchange exercised, with the line of the contract. */
  missing: { id: string; kind: CoverageKind; contract: SourcePlace & { pointer: string } }[];
}

export interface Summary {
  /** What is wrong with the target and fails the run, each thing once. */
  problems: number;
  passed: number;
  deviated: number;
  /** Deviated as the baseline says, and in no other way. */
  known: number;
  observed: number;
  inconclusive: number;
  skipped: number;
  /** Requests sent, retries included. */
  requests: number;
  /** Pets that the run created on the target. */
  created: number;
}

export interface ScenarioResult {
  id: string;
  title: string;
  basis: BasisResult;
  verdict: Verdict;
  /** Why nothing was concluded, and what would conclude it. */
  reason?: string;
  /** The gap that the scenario is about. */
  aboutGap?: string;
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
  /** When the request went out: ISO 8601. */
  startedAt?: string;
  durationMs: number;
  findings: Finding[];
}

/** What a target does where the contract leaves it open. */
export interface GapChoice {
  id: string;
  choice: string;
}

/** What a check found. */
export interface Finding {
  /** The check's id. */
  check: string;
  severity: 'deviation' | 'information';
  /** Which rule of the check, for telling the same problem once. */
  rule: string;
  /** Where in the message: `body/3/status`, `header/content-type`. */
  at: string;
  expected: string;
  actual: string;
  /** How many further findings of this kind in the same answer are left out. Default: none. */
  more?: number;
  /** Where the contract states the rule. */
  contract?: SourcePlace & { pointer: string };
  /** The choice of a gap that it shows: worth a look, and a deviation with `--strict` alone. */
  gap?: GapChoice;
  /** Set when the baseline has it: why it is accepted, and until when. */
  baseline?: KnownAs;
}
