import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { parsePointer } from '../../contract/document/document.js';

/** A form of a message that every server has to read, and that few clients choose. */
export type MessageForm =
  | 'absolute' // The target with its origin (RFC 9112 section 3.2.2).
  | 'capitals' // Field names (RFC 9110 section 5.1).
  | 'lowerCase'
  | 'otherSpaces' // None before a value, and some behind it (RFC 9112 section 5).
  | 'headInPieces' // The head in two packets (RFC 9112 section 2).
  | 'expect' // The body once it is asked for (RFC 9110 section 10.1.1).
  | 'trailer' // In chunks (RFC 9112 section 7.1.2).
  | 'chunkExtension'; // RFC 9112 section 7.1.1.

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
  headers: Readonly<Record<string, string | readonly string[]>>; // Of a list, each value is a field of its own.
  body: Uint8Array | undefined;
  cutAt?: number | undefined; // The length of the first of two writes of the body. Default: one write.
  form?: MessageForm | undefined;
  repeatable?: boolean | undefined; // Whether it may be sent twice. Default: if idempotent (RFC 9110 section 9.2.2).
  alone?: boolean | undefined; // Whether it goes out on its own connection. Default: if it must not be sent twice.
  shown?: ShownInRequest | undefined;
  /** The same with those that were given, of an operation that asks for none; `alone` with one of them. */
  withGiven?: Pick<ShownInRequest, 'of' | 'show'> & { alone: (Pick<ShownInRequest, 'show'> & { scheme: string })[] };
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
  cutOff?: string; // How the body ended too early, as a sentence without a full stop. Default: it is complete.
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
  | 'proxy' // Of these, the first three say nothing about the target.
  | 'interrupted' // By the caller.
  | 'starved' // This process could not run while it waited (`send-politely.ts`).
  | 'unavailable'; // The target was, meanwhile (`run.ts`); it says nothing about what was asked.

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

export function isRedirect(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && answer.status >= 300 && answer.status < 400;
}

/** What is not there may be answered with 403, so that nobody can tell what there is (RFC 9110 section 15.5.4). */
export const saysAbsent = (status: number): boolean => status === 403 || isNotFoundStatus(status);

/** Whether a status says that what was asked for is not there, or no more (RFC 9110 sections 15.5.5 and 15.5.11). */
export const isNotFoundStatus = (status: number): boolean => status === 404 || status === 410;

/** A body, read as JSON; of one that was cut off, what came may be no JSON for that reason alone. */
export type AnswerBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown; problem?: string } // Why it is none, where it is plain what was meant.
  | { kind: 'unreadable'; problem: string }
  | { kind: 'too-deep'; deepest: number } // Than a run reads.
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

/** A value that stands for itself, whatever it looks like: only what a scenario file states is a template. */
export class Literal {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** `GET /members/4/loans/7` asks for `{ resource: 'loans', scope: ['4'], key: '7' }`, `GET /loans/7` has no scope. */
export interface RecordId {
  resource: string;
  scope: readonly string[]; // The keys of its parents, as the path to it has them, the outermost first.
  key: string | number | bigint; // Those that differ in letter case alone are keys of two records.
}

/** The text form of a record id: equal for the same record, whether its key is a text or a number. */
export function printRecordId({ resource, scope, key }: RecordId): string {
  return [resource, ...scope, String(key)].join('\n');
}

export interface RecordPlace {
  at: string; // Pointer from the body to the record, or the list of records.
  keyProperty: string;
  resource?: string;
  keyKind?: 'integer' | 'uuid' | 'text';
  fields: readonly string[];
  defaults?: Readonly<Record<string, unknown>>; // What those of them are that an answer leaves out.
  sets?: readonly string[]; // Those of them with items that are each there once: their order says nothing.
  tidied?: readonly string[];
  optional?: readonly string[];
  isPart?: true;
  choices?: readonly string[];
}

const RULES =
  'key new-key limit full filter more present once absent distinct same covers total refused location parent order';
const OWN_RULES = new Set(RULES.split(' '));
const OF_FIELD = ' changed';

/** The rule that a field is as it was sent: its name, and more where a rule has that name. */
export function ruleOfField(field: string): string {
  return OWN_RULES.has(field) ? `${field}${OF_FIELD}` : field;
}

export const isOfField = (rule: string): boolean => !OWN_RULES.has(rule);

export function fieldOfRule(rule: string): string {
  return rule.endsWith(OF_FIELD) ? rule.slice(0, -OF_FIELD.length) : rule;
}

export interface RecordRule extends RecordPlace {
  like?: unknown;
  except?: unknown;
  key?: unknown;
  notKey?: unknown;
  keyAmong?: unknown;
  without?: unknown; // What the record was before it was replaced by one without the fields that are `dropped`.
  dropped?: readonly string[];
  unlike?: Readonly<Record<string, unknown>>; // What a client gave to fields of which only the service decides.
  taken?: { of: unknown; names: readonly string[] }; // These fields are not all as they were sent for another record.
  states?: Readonly<Record<string, unknown>>; // What fields are that no request named, where the record shows them.
  removed?: unknown;
}

export interface RecordsRule extends RecordPlace {
  has?: { key: unknown; like?: unknown }[];
  hasOwn?: { like: unknown }; // It has every record that nothing has changed since the run created it like this one.
  lacks?: unknown[];
  removed?: unknown;
  every?: Readonly<Record<string, unknown>>;
  among?: Readonly<Record<string, readonly unknown[]>>;
  ordered?: { by: string; usual: unknown; turned?: unknown }; // In another order than `usual`, reversed from `turned`.
  distinct?: true;
  /** The bodies `in` have every record that stands here and stood in the bodies `of`, both times with the value in the field. */
  covers?: { of: unknown; in: unknown; field: string; value: unknown };
  whole?: true;
  same?: unknown;
  pages?: unknown; // These bodies, of all its pages, have each of its records once, and as it has it.
  total?: { at: string } | { header: string };
  noneRefused?: string;
  atMost?: unknown;
  /** If the bodies `of` have so many, or the run has `seen` so many; whether a page must be full then, is a gap. */
  full?: { limit: unknown; of?: unknown; seen?: true; gap: string };
  moreThan?: unknown;
  instead?: { atMost?: unknown; atLeast?: unknown; usual?: unknown };
  switches?: readonly Switch[];
  page?: AskedPage;
}

export interface Invented {
  of: string;
  at: string;
  fields: readonly string[];
  references: readonly string[];
  choices: readonly string[]; // Those whose value the contract lists: one may need another value beside it.
  needs: string; // What would tell a rule of the service's own from a defect: a noun phrase.
}

export type GuessedKey = { of: string; property: string };

/** At most this many pages are read of a list that others may have filled. */
export const MOST_PAGES = 40;

/** How a list is read page by page. Members of its answers are named by pointers into the body. */
export interface PageWalk {
  kind: 'offset' | 'page' | 'cursor';
  parameter: string | undefined;
  first: number; // What it is for the first page; of a cursor, nothing.
  at: string;
  total?: string | undefined;
  totalHeader?: string | undefined; // The header field with the number of all records, in lower case.
  cursorAt?: string | undefined;
  linkAt?: string | undefined;
  hasLink?: true; // Whether the contract has a `Link` header field there, with the next page (RFC 8288).
  cursorOf?: string | undefined; // The property of a record that is the cursor after it: `starting_after`.
  moreAt?: string | undefined;
  length?: number;
  atMost: number;
  isForAll?: boolean; // Whether its records are asked for in pages of any length, and not the pages.
  follows?: string; // A pattern of the list's path, if the links of its answers are followed as they are.
  from?: string; // A reference to the body of the first page: only the page after it is asked for.
  beyond?: readonly number[]; // The statuses with which a page beyond the last may be refused.
}

export interface AskedPage {
  turn: unknown; // The value of the parameter; `null` for none.
  link?: string | undefined;
  before: readonly unknown[];
  lastLength?: number | undefined;
  totals?: readonly unknown[];
  isAnnounced?: boolean;
  isLast: boolean;
  walk: PageWalk;
}

export type Doubt =
  | SwitchDoubt
  | MoveDoubt
  | OwnDoubt
  | { kind: 'address'; id: unknown; of: string; location: string } // Another than the record's, but maybe one too.
  | { kind: 'gone'; id: unknown; of: string; or?: SwitchDoubt } // A record that was created is in no list.
  | { kind: 'hidden'; id: unknown } // A list lacks a record, which it may leave out on purpose.
  | { kind: 'state'; id: undefined }; // A change was refused, maybe for the state that the record is in.

export type MoveDoubt = { kind: 'move'; id: unknown; field: string; expected: unknown };
export type OwnDoubt = { kind: 'own'; id: unknown; field: string; value: unknown };

/** A parameter of a list that may choose records, or add some, or show a field. */
export type Switch = { parameter: string; field?: string | undefined; values: readonly unknown[]; usual?: unknown };

export interface SwitchDoubt {
  kind: 'switch';
  id: unknown; // The key of the record that the list lacks; `undefined` for another finding.
  hidden?: string | undefined;
  switches: readonly Switch[];
  at: string;
  keyProperty: string;
  turns?: string | undefined;
}

/** Longer than any key that fits an address; a target whose keys are longer must not fill the memory. */
const MOST_LETTERS = 8000;

export function readPathKey(value: unknown): string | number | bigint | undefined {
  if (typeof value === 'string') return value.length > MOST_LETTERS ? undefined : value;
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

export function followPointer(body: unknown, pointer: string): unknown {
  const step = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return parsePointer(pointer).reduce(step, body);
}

export const resourceOf = (id: string): string => id.split('/')[0] ?? '';
