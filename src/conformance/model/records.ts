import { parsePointer } from '../../contract/document/document.js';

/**
 * Which record it is. `GET /members/4/loans/7` asks for `{ resource: 'loans', scope: ['4'], key: '7' }`; a record with an address
 * of its own (`/loans/7`) has no scope, wherever it is listed. Keys that differ in letter case alone are those of two records.
 */
export interface RecordId {
  resource: string;
  scope: readonly string[]; // The keys of its parents, as the path to it has them, the outermost first.
  key: string | number | bigint;
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
  /** It is in the order of a field, if in another than the body `usual`; in the other direction than the body `turned`, if that is given. */
  ordered?: { by: string; usual: unknown; turned?: unknown };
  distinct?: true;
  /** The bodies `in` have every record that stands here and stood in the bodies `of`, both times with the value in the field. */
  covers?: { of: unknown; in: unknown; field: string; value: unknown };
  whole?: true;
  same?: unknown;
  pages?: unknown; // These bodies, of all its pages, have each of its records once, and as it has it.
  total?: { at: string } | { header: string };
  noneRefused?: string;
  atMost?: unknown;
  /**
   * A page of so many is as long as that if the bodies `of` have so many records, or if the run has `seen` so many of a resource of
   * which nothing is removed; whether it must be, is a gap.
   */
  full?: { limit: unknown; of?: unknown; seen?: true; gap: string };
  moreThan?: unknown;
  instead?: { atMost?: unknown; /** Or as many as there usually are. */ atLeast?: unknown; usual?: unknown };
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
  /** Whether the contract has a `Link` header field in the answer, in which `rel="next"` names the next page (RFC 8288). */
  hasLink?: true;
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
  /** An address is another than that of the record, and may be one as well. */
  | { kind: 'address'; id: unknown; /** The resource. */ of: string; location: string }
  /** A record that was created is in no list. */
  | { kind: 'gone'; id: unknown; /** The resource. */ of: string; /** What else may explain it. */ or?: SwitchDoubt }
  /** A list lacks a record, which it may leave out on purpose. */
  | { kind: 'hidden'; id: unknown }
  /** A change of a record was refused as the contract documents, which may be for the state that the record is in. */
  | { kind: 'state'; id: undefined };

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
