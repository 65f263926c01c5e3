import type { About, Asks, AuthForm } from './scenario.js';
import type { BrokenOnPurpose } from './exchange.js';
import type { CoverageKind } from '../../contract/coverage.js';
import type { GapKind } from '../../contract/gaps/gaps.js';
import type { ProfileAnswer } from '../../contract/gaps/profile.js';
import type { SourcePlace } from '../../errors.js';
import type { SecurityScheme } from '../../contract/model.js';

/** Raised when readers have to change. */
export const RESULT_VERSION = 2;

export type Verdict = 'passed' | 'deviated' | 'known' | 'observed' | 'inconclusive' | 'skipped';

export interface RunResult {
  version: typeof RESULT_VERSION;
  /** The base URL, without credentials. */
  target: string;
  contract: {
    title: string;
    version: string;
    file: string;
    /** Oddities of the document with their places: what of it is dropped, not judged, or read in another way. */
    notes?: string[];
  };
  /** Why no resource was tested, although the contract has some: a run that says so is no success. */
  untested?: string;
  /** Absent where the contract has none, or the selection is about none. */
  resources?: ResourcesResult;
  /** The beginning of a command that repeats scenarios. Default: the name of the program and the target. */
  command?: string;
  shell?: ShellWords;
  shard?: Shard;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  interrupted: boolean;
  targetLost: boolean;
  lostBecause?: string;
  /** Whether the target was lost since no credential was left that it accepts: what follows says nothing about it. */
  credentialsExpired?: true;
  outOfTime: boolean;
  requestLimit?: RequestLimitResult;
  summary: Summary;
  coverage: CoverageResult;
  /** What is wrong with the target, each defect once; those that the baseline accepts are marked. */
  problems: Problem[];
  scenarios: ScenarioResult[];
  baseline?: BaselineResult;
  gaps: GapResult[];
  drift?: DriftResult;
  /** What is worth knowing about the target although it is not a deviation: dropped connections, rate limits. */
  notes: string[];
  /** The records of the run's own that are still there: none if it is absent. */
  leftBehind?: LeftBehind[];
}

/** `tested`: of which a record was seen, and something was concluded. */
export type ResourcesResult = { tested: string[]; untested: { name: string; why: string }[] };

/** `wanted`: about how many it would have sent without a limit. */
export type RequestLimitResult = { most: number; wanted: number; leftOut: number };

export interface BaselineResult {
  file: string;
  known: BaselineLine[];
  /** Seen, but no longer accepted: they fail the run. */
  expired: BaselineLine[];
  /** The scenario finished without it. They fail the run, since an entry that stays would hide the problem when it returns. */
  fixed: BaselineLine[];
  /** The scenario did not run, or concluded nothing about it. */
  unseen: BaselineLine[];
}

export interface BaselineLine extends ProblemParts {
  scenario: string;
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC, or `never`. */
  expires: string;
  place: SourcePlace;
  entry?: { firstLine: number; lastLine: number };
}

export interface GapResult {
  id: string;
  kind: GapKind;
  question: string;
  contract: SourcePlace & { pointer: string };
  /** For a choice: its name, or `other`; for a value: the number or text, or `none`; for an observation: what was seen, sorted; for each: `not-observed`. */
  answer: ProfileAnswer;
  meaning: string;
  /** The exchange that shows it, the same from run to run; for `not-observed`, the reason. */
  evidence: string;
}

/** What differs from a profile: `changes` are drift, the rest is worth a note. */
export interface DriftResult {
  profile: { file: string; target?: string; date?: string };
  changes: GapChange[];
  notes: GapChange[];
}

export type GapChange = { id: string; before: ProfileAnswer; now: ProfileAnswer };

export interface CoverageResult {
  total: number;
  covered: number;
  /** What no exchange exercised, with its line; `sent` marks a value that was sent, though no answer could show a mistake. */
  missing: { id: string; kind: CoverageKind; contract: SourcePlace & { pointer: string }; sent?: true }[];
}

/** The scenarios by their verdicts, and what they cost. */
export interface Summary extends Record<Verdict, number> {
  /** Those that fail the run. */
  problems: number;
  /** With the retries. */
  requests: number;
  created: number;
  /** How many of each kind, where any was created. */
  createdOf?: CreatedOf[];
}

export interface ScenarioResult {
  id: string;
  title: string;
  basis: BasisResult;
  about?: About;
  verdict: Verdict;
  reason?: string;
  /** Set if a scenario that deviated could not be judged to its end: the step whose answer was in the way. */
  blockedAt?: string;
  aboutGap?: string;
  gap?: { id: string; choice: string; evidence: string };
  durationMs: number;
  steps: StepResult[];
}

export type BasisResult = { text: string; place?: SourcePlace };

export interface StepResult {
  id: string;
  /** Absent where it is a record that should be there, or none. */
  asks?: Asks;
  exchanges: ExchangeResult[];
}

export interface ExchangeResult {
  /** `undefined` for a request that the contract does not define. */
  operationId: string | undefined;
  request: {
    method: string;
    /** Path and query below the base URL. */
    path: string;
    /** The path that stands above it in place of the base URL's, for an operation with a server of its own. */
    base?: string;
    auth: AuthForm;
    /** Absent where it showed the API key alone, as a bearer token. */
    credentials?: ShownCredential[];
    headers: Record<string, string>;
    body?: string;
    /** At most three. */
    breaks?: BrokenOnPurpose[];
    /** Set when it asks for a record that no answer had shown by then. */
    asksUnknown?: true;
    asksFor?: 'created' | 'shown';
  };
  response?: { status: number; headers: Record<string, string>; body: string };
  failure?: string;
  /** When the request went out: ISO 8601. */
  startedAt?: string;
  durationMs: number;
  /** Set when the request went out for another scenario, and its answer serves this one too. */
  shared?: true;
  findings: Finding[];
}

export type GapChoice = { id: string; choice: string };

export interface Finding {
  check: string;
  severity: 'deviation' | 'information';
  rule: string;
  /** Where in the message: `body/3/status`, `header/content-type`. */
  at: string;
  expected: string;
  actual: string;
  /** The statuses that were expected, where the status is wrong: `200`, `4XX`. */
  wanted?: readonly string[];
  /** The value that was expected, where `expected` says where it comes from too. */
  value?: string;
  /** Whether it was expected since an earlier answer has it, which may be the wrong one. */
  isOfAnswers?: true;
  /** How many further findings of this kind in the same answer are left out. Default: none. */
  more?: number;
  /** Default: that of the scenario. */
  resource?: string;
  contract?: SourcePlace & { pointer: string };
  /** The choice of a gap that it shows: worth a look, and a deviation only with `--strict`. */
  gap?: GapChoice;
  baseline?: KnownAs;
}

/** One defect of the target, reported once, however many scenarios and answers show it. */
export interface Problem {
  /** The same in every run for the same cause. */
  id: string;
  /** A sentence without a full stop. */
  headline: string;
  cause: ProblemCause;
  /** The operations that show it, in the order in which they did; empty for requests that the contract does not have. */
  operations: string[];
  answers: number;
  /** The ids of those that show it; the one about the rule comes first. */
  scenarios: string[];
  shown: ShownFinding;
  /** The expected and the actual value of the example; they never look alike. */
  expected: string;
  actual: string;
  /** Where the contract states the rule, with the first of its lines if its file can be read. */
  contract?: SourcePlace & { pointer: string; excerpt?: string };
  /** Set if it kept others from being seen: a sentence without a full stop on what could not be judged. */
  hides?: string;
  /**
   * Failures that it subsumes, and further ones of its own: the id that each would have by itself, what did not hold, and in how
   * many responses: ``filter `status` of listPets``. Nothing is said of their cause.
   */
  also?: { id: string; what: string; answers: number }[];
  baseline?: KnownAs;
}

export interface ProblemCause {
  check: string;
  rule: string;
  /** The part of a message: `body/id`, `header/content-type`. */
  place?: string;
  operation?: string;
  expected?: string;
  actual?: string;
}

/** The place of a finding in the result: `scenarios` by id, `steps` by id, then by index. */
export type ShownFinding = { scenario: string; step: string; exchange: number; finding: number };

/** The same in every run for the same rule, broken at the same place of the same operation, whatever records are stored. */
export interface ProblemParts {
  /** Absent for a request that the contract does not have. */
  operation?: string | undefined;
  check: string;
  rule: string;
  /** The place in the message, with a star for every index. */
  at: string;
  /** A status identifies the wrong answer only together with the expected one. */
  expected?: string | undefined;
  actual?: string | undefined;
}

type KnownAs = Pick<BaselineLine, 'reason' | 'expires' | 'place'> & { state: 'known' | 'expired' };

export type CreatedOf = { one: string; many: string; count: number };

export interface LeftBehind extends CreatedOf {
  /** Why they are left, after a comma: `since the contract has no operation to remove one`. */
  why: string;
  /** As far as they are known, at most a hundred, and none that is a secret. */
  keys: string[];
  /** Their addresses below the target's URL, in the order of the keys; absent where the keys are secrets, or there is none. */
  addresses?: string[];
  /** Whether a DELETE at such an address removes one, as far as the contract says. */
  removable?: boolean;
  /** What texts in them contain that no others do; absent where the run has made none, or no list shows them. */
  mark?: string;
}

/** One part of a run that several CI jobs share: the second of four is `{ index: 2, of: 4 }`. */
export type Shard = { index: number; of: number };

export interface ShownCredential extends Pick<SecurityScheme, 'kind' | 'at'> {
  /** The name under which it was given; absent for the API key. */
  of?: string;
  /** Set for the user of a Basic pair that has no password. */
  lacksPassword?: true;
}

/** What stands for a secret within double quotes of a shell: `$PETSTORE_API_KEY`. Header fields in lower case. */
export type ShellWords = { apiKey: string; credentials: Record<string, string>; headers: Record<string, string> };

export const NOW_AND_THEN = 'now and then';
