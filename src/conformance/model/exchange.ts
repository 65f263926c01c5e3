import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { Violation } from '../../contract/schemas/violation.js';

/**
 * A form of a message that every server has to read, and that few clients choose: the target with its origin (RFC 9112 section 3.2.2),
 * field names in capitals or in lower case (RFC 9110 section 5.1), no space before a value and some behind it (RFC 9112 section 5), the head in two
 * packets (RFC 9112 section 2), the body once it is asked for (RFC 9110 section 10.1.1), or in chunks with a trailer or with an
 * extension (RFC 9112 sections 7.1.2 and 7.1.1).
 */
export type MessageForm =
  | 'absolute'
  | 'capitals'
  | 'lowerCase'
  | 'otherSpaces'
  | 'headInPieces'
  | 'expect'
  | 'trailer'
  | 'chunkExtension';

/** A way to write JSON; `scenarios/cases/json-forms.yaml` says by which rule it is the same, and who writes so. */
export type JsonForm =
  | 'white-space'
  | 'escaped-names'
  | 'escaped-values'
  | 'exponents'
  | 'reversed'
  | 'ascii'
  | 'escaped-signs';

/** Those of which the body has no length before it. */
export const IN_CHUNKS: ReadonlySet<MessageForm | undefined> = new Set(['trailer', 'chunkExtension'] as const);

/** A field that nobody knows. */
export const TRAILER = 'X-No-Such-Trailer';

export interface WireRequest {
  method: string;
  target: string; // Path and query, sent unchanged.
  /** A list of values is sent as several fields with the same name. */
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Uint8Array | undefined;
  /** The length of the first part of the body, if it is sent in two writes. Default: one write. */
  cutAt?: number | undefined;
  form?: MessageForm | undefined;
  /** Whether it may be sent twice. Default: if its method is idempotent (RFC 9110 section 9.2.2). */
  repeatable?: boolean | undefined;
  alone?: boolean | undefined; // Whether it goes out on its own connection. Default: if it must not be sent twice.
  shown?: ShownInRequest | undefined;
  /** The same with those that were given, of an operation for which the contract asks for none. */
  withGiven?: (Pick<ShownInRequest, 'of' | 'show'> & { alone: readonly ShownAlone[] }) | undefined;
}

export interface ShownAlone extends Pick<ShownInRequest, 'show'> {
  scheme: string;
}

export interface ShownInRequest {
  names: readonly string[]; // The names under which they were given; empty for the API key.
  isValid: boolean;
  of: string;
  /** The same request with other values, by the names; without any, it shows none. */
  show: (values: Readonly<Record<string, string>> | undefined) => Pick<WireRequest, 'target' | 'headers'>;
}

export type WireAnswer = Answered | Unanswered;

export interface Answered {
  kind: 'answered';
  status: number;
  headers: Readonly<Record<string, string>>; // By lower-case name.
  bytes: Uint8Array; // The content, decoded from its Content-Encoding; if it was cut off, what came of it.
  unlabelled?: string; // How it was encoded although no Content-Encoding says so (RFC 9110 section 8.4).
  /** How the body ended before it was complete, as a sentence without a full stop. Default: it is complete. */
  cutOff?: string;
  /** The status without credentials, of an operation for which the contract asks for none: it was asked again with them. */
  withoutCredentials?: number;
  startedAt?: string; // When the request went out: ISO 8601.
  durationMs: number;
}

export type FailureReason =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'dropped'
  | 'no-http'
  | 'too-large'
  | 'bad-encoding'
  | 'incomplete'
  /** A problem of the proxy, which says nothing about the target. */
  | 'proxy'
  /** Ended by the caller; it says nothing about the target. */
  | 'interrupted'
  /** This process could not run while it waited (`send-politely.ts`); it says nothing about the target. */
  | 'starved'
  /** The target was unavailable meanwhile (`run.ts`); it says nothing about what was asked. */
  | 'unavailable';

export interface Unanswered {
  kind: 'unanswered';
  reason: FailureReason;
  detail: string; // What happened, as a sentence without a full stop.
  startedAt?: string;
  durationMs: number;
}

export function hasBegun(answer: WireAnswer): boolean {
  return answer.kind === 'answered' || ['incomplete', 'too-large', 'bad-encoding'].includes(answer.reason);
}

/** Whether a request changes nothing (RFC 9110 section 9.2.1). */
export function isReading({ method }: Pick<WireRequest, 'method'>): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

export function isRepeatable({ method, repeatable }: WireRequest): boolean {
  return repeatable ?? (method !== 'POST' && method !== 'PATCH');
}

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** What is not there may be answered with 403, so that nobody can tell what there is (RFC 9110 section 15.5.4). */
export const saysAbsent = (status: number): boolean => status === 403 || isNotFoundStatus(status);

/** Whether a status says that what was asked for is not there, or no more (RFC 9110 sections 15.5.5 and 15.5.11). */
export const isNotFoundStatus = (status: number): boolean => status === 404 || status === 410;

/** A body, read as JSON; of one that was cut off, what came may be no JSON for that reason alone. */
export type AnswerBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown; /** Why it is none, where it is plain what was meant. */ problem?: string }
  | { kind: 'unreadable'; problem: string }
  /** JSON that is nested deeper than a run reads. */
  | { kind: 'too-deep'; deepest: number }
  | { kind: 'cut-off' };

export interface SentRequest {
  method: string;
  shownAs: string; // Path and query below the base URL, with the template's name in place of a valid id.
  target?: string;
  operation: Operation | undefined;
  authorized: boolean;
  showsUnasked?: boolean; // Whether credentials were shown although the operation asks for none. Default: no.
  lacks?: LackedScopes | undefined;
  query: ParameterValues; // Query values with the contract's types; empty if the query is malformed on purpose.
  path: ParameterValues;
  validParameters: boolean;
  violations: readonly Violation[];
  bodyLength: number; // In bytes.
  json: unknown;
}

export type LackedScopes = { scheme: string; scopes: readonly string[] };

export interface BrokenOnPurpose {
  at: string; // Where in the request: `body/name`; `body` alone for what is no JSON.
  rule: string;
  expected?: string; // What the contract requires, in words; absent where it is no value that is wrong.
  actual: string;
}

/**
 * A value that stands for itself, whatever it looks like: what a target, its contract or a user says, and what the run
 * itself puts into a request. Only what a scenario file states is a template.
 */
export class Literal {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
