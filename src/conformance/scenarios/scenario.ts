import type { SourcePlace } from '../../errors.js';

/** How a step presents itself (`#/components/securitySchemes/apiKey`). */
export type AuthForm = (typeof AUTH_FORMS)[number];

export const AUTH_FORMS = [
  'valid',
  'missing',
  'wrong',
  'empty',
  'truncated',
  'extended',
  'prefixed',
  'otherCase',
  'otherScheme',
  'bareKey',
  'lowerCaseScheme',
  'lowerCaseField',
  'firstOfTwo',
  'lastOfTwo',
  'amongOthers',
  'quoted',
  'beyondAscii',
  'wordUndefined',
  'wordNull',
  'star',
  'twoFields',
] as const;

/** A list of scenarios, tables expanded: one entry for each case. */
export interface Scenario {
  /** `<file>/<scenario>` or `<file>/<scenario>[<case>]`, stable across releases. */
  id: string;
  /** What holds when the scenario passes, as a sentence without a full stop. */
  title: string;
  /** Where the contract says so: a pointer into it (`#/paths/...`), an RFC, or a URL; of a gap, the place that leaves it open. */
  basis: string;
  /** The gap that the scenario observes. */
  gap: string | undefined;
  /** Scenarios that must have passed (or been observed) for this one to conclude anything. */
  dependsOn: string[];
  /** Ids or globs of scenarios that run before this one, whatever becomes of them. */
  after: string[];
  /** The values of the table's row, `$case.<name>`. */
  case: Readonly<Record<string, unknown>>;
  /** The names of such values that the scenario refers to. */
  columns: ReadonlySet<string>;
  steps: Step[];
  place: SourcePlace;
  /** Whether it came with this package. */
  isShipped: boolean;
  /** Whether its basis is a place of the contract that ships, rather than of the contract of the run. */
  hasShippedBasis: boolean;
  /** Why it means nothing under the contract, a sentence without a full stop; it is skipped. */
  leftOut: string | undefined;
}

/** One exchange and what to expect of it. Values may hold references, see template.ts. */
export interface Step {
  id: string;
  /** The operation to call; `undefined` when `request` names a method and a path that the contract does not have. */
  operationId: string | undefined;
  request: { method: string; path: string } | undefined;
  auth: AuthForm;
  /** By name, as the contract names them. `null` leaves one out. */
  parameters: Readonly<Record<string, unknown>>;
  /** A query as it is sent, for what `parameters` cannot say. */
  query: string | undefined;
  /** Further header fields, or a reference to some; `null` leaves out one that is sent otherwise. */
  headers: Readonly<Record<string, string | null>> | string;
  requestBody: StepBody | undefined;
  /** Runs the step for each item of a referenced list, or for at most so many, spread evenly with both ends; of a list of numbers, those `below` another. */
  each: { in: string; below?: string | undefined; atMost: number } | undefined;
  /** Tries names (`$each#/name`) until the longest that is taken is known; `to` is the longest that is tried. */
  search: { to: number; atMost: number } | undefined;
  /** Sends the step so many times at the same time, each like the others. */
  atOnce: number | undefined;
  /** What the contract has to say of the request for the step to mean something. */
  requires: 'valid' | 'invalid' | undefined;
  expect: Expectation | undefined;
  assume: Assumption | undefined;
  /** For what the contract leaves open: the first that fits is the choice seen. */
  outcomes: Outcome[] | undefined;
  /** Repeats from the named step until expectations about what other clients see are met, at most `--settle`. */
  retryFrom: string | undefined;
  /** Repeats as often as this instead, so that a deviation is one that every round ended in. */
  rounds: number | undefined;
  /** Names for parts of the answer: `$response.body#/id`. */
  outputs: Readonly<Record<string, string>>;
}

/** A body as JSON, as text or as bytes. */
export interface StepBody {
  json?: unknown;
  text?: string;
  base64?: string;
  /** White space after the JSON, up to so many bytes. */
  padTo?: number;
  /** Sent in two writes, cut within a letter: under a length that is told before, or each as a chunk (RFC 9112 section 7.1). */
  cut?: 'pieces' | 'chunks';
  /** Default: `application/json`; `null` sends no Content-Type. */
  mediaType?: string | null;
}

/** What must hold of an answer; each entry is judged by the check of its name. */
export interface Expectation {
  /** `200`, `4XX` or a list of these. */
  status?: StatusPattern | StatusPattern[];
  /** JSON Schema by header name. */
  headers?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the body. */
  body?: unknown;
  /** The body is this pet, every field exact. */
  equals?: unknown;
  /** The list holds these pets, every field exact; only those with `status` when it is given. */
  contains?: { pets: unknown; status?: unknown };
  /**
   * The list has as many pets as `limit` and the longer list `of` allow. Where `of` has no more than the limit,
   * nothing is concluded, unless `whole` says that the list is to have all of them.
   */
  page?: { limit: unknown; of: unknown; whole?: boolean };
  /** The list holds just those pets of the unfiltered list `all` that have `status`. */
  covers?: { all: unknown; status: unknown };
  /** The pet is in this list, if there is one and the list is shorter than `limit`. */
  listed?: { in: unknown; limit: unknown };
  /** The list has no pet that this earlier list did not have, but those that the run created. */
  nothingNew?: { since: unknown };
  /** Every pet of the list has these values in these fields. */
  every?: Readonly<Record<string, unknown>>;
  /** No pet of the list has one of the names that were refused in this run. */
  noRefusedPets?: boolean;
}

export type StatusPattern = number | string;

/** What must hold for a scenario to conclude anything. */
export interface Assumption extends Expectation {
  /** What would make it hold, as a sentence without a full stop. */
  otherwise: string;
  /** Default: `inconclusive`. */
  verdict?: 'inconclusive' | 'skipped';
  /** Whether more pets in the collection would make it hold. Default: `false`. */
  lacksPets?: boolean;
}

/** One behaviour that the contract leaves open. */
export interface Outcome {
  /** The name of the choice, as in `gaps.yaml`; absent where the answer tells nothing. */
  choice?: string;
  /** What would tell, for an answer that tells nothing: a sentence without a full stop. */
  needs?: string;
  /** Whether more pets in the collection would. Default: `false`. */
  lacksPets?: boolean;
  /** What must hold beside the answer for it to show the choice: a value, by a reference, and its JSON Schema. */
  given?: { of: unknown; is: unknown }[];
  status?: StatusPattern | StatusPattern[];
  headers?: Readonly<Record<string, unknown>>;
  body?: unknown;
}
