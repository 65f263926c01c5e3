import { cutText } from '../../contract/document/cut-text.js';
import { parseJsonBytes, printJson } from '../../contract/document/json.js';
import { showDifference } from './show-difference.js';
import type { Doubt } from '../model/doubt.js';
import { sameJson } from '../../contract/document/same-json.js';

/** The contract's fields of a pet (`#/components/schemas/Pet`). A server may add others. */
export const PET_FIELDS = ['id', 'name', 'categoryId', 'status'] as const;

/** What a client decides about a pet (`#/components/schemas/NewPet`). */
export const SENT_FIELDS = ['name', 'categoryId', 'status'] as const;

/** A pet as it was received: any JSON object. */
export type ReceivedPet = Readonly<Record<string, unknown>>;

/** One field in which two representations of a pet differ. */
export interface FieldDifference {
  field: string;
  expected: string;
  actual: string;
  /** Set if a pet has another status than before, which may have changed by itself. */
  doubt: Doubt | undefined;
}

/**
 * The pets in a list; `undefined` if the body is not a list. One in an envelope, or by id, is none that the contract
 * allows, which is told by the check of the body; what it shows of pets is no less true.
 */
export function asList(shown: unknown): ReceivedPet[] | undefined {
  const items = asItems(shown);
  if (items === undefined) return undefined;
  const list = listsOfItems.get(items) ?? readItems(items);
  listsOfItems.set(items, list);
  return list;
}

/** Every check reads the same answer, which may be as long as a server likes. */
const listsOfItems = new WeakMap<readonly unknown[], ReceivedPet[]>();

function readItems(items: readonly unknown[]): ReceivedPet[] {
  // A list of ids alone shows which pets there are, and no more of them.
  return items.every(isId) ? items.map((id) => ({ id })) : items.filter(isPet);
}

/** Whether an item of a list is no pet but the id of one, of any size. */
export function isId(item: unknown): boolean {
  return Number.isInteger(item) || typeof item === 'bigint';
}

/** The items of a list, among which some may be no pets; see {@link asList}. */
export function asItems(shown: unknown): readonly unknown[] | undefined {
  const body = readText(shown);
  // A list in a list of its own is that list.
  if (Array.isArray(body)) return Array.isArray(body[0]) && body.length === 1 ? asItems(body[0]) : body;
  if (!isPet(body) || OF_ONE.some((field) => field in body)) return undefined;
  const members = Object.values(body);
  const lists = members.filter((member) => Array.isArray(member));
  if (lists.length === 1) return lists[0];
  return members.length > 0 && members.every(isPet) ? members : undefined;
}

/** What a pet, or an Error body, has at once. */
const OF_ONE = [...PET_FIELDS, 'code', 'message'] as const;

/** A pet in an answer, and where: `body`, `body/0`. */
export interface PlacedPet {
  pet: ReceivedPet;
  at: string;
}

/**
 * The pet in an answer that should be one; `undefined` if there is none. One in a list of its own, in an envelope or in a
 * text is not what the contract allows, which is told by the check of the body; it is that pet all the same.
 */
export function findOnePet(shown: unknown): PlacedPet | undefined {
  const body = readText(shown);
  const isOnly = Array.isArray(body) && body.length === 1;
  const within = isOnly || (isPet(body) && !OF_ONE.some((field) => field in body)) ? Object.entries(body) : [];
  const found = within.filter((entry): entry is [string, ReceivedPet] => isPet(entry[1]) && looksLikePet(entry[1]));
  const [only] = found;
  if (only !== undefined && found.length === 1) return { pet: only[1], at: `body/${only[0]}` };
  return isPet(body) ? { pet: body, at: 'body' } : undefined;
}

/** Whether its successes should be one pet. */
export function answersOnePet(operationId: string | undefined): boolean {
  return operationId === 'createPet' || operationId === 'getPet';
}

/** A pet in an answer that should be one, or the value that stands in its place. */
export function readOnePet(body: unknown): unknown {
  return findOnePet(body)?.pet ?? body;
}

/** A record within a pet of another contract, such as its category, has an id and a name too. */
function looksLikePet(record: ReceivedPet): boolean {
  return 'id' in record && PET_FIELDS.filter((field) => field in record).length > 2;
}

/** What a text of JSON says; any other text, and any other value, is itself. */
function readText(body: unknown): unknown {
  if (typeof body !== 'string' || !/^\s*[[{]/.test(body)) return body;
  const parsed = parseJsonBytes(Buffer.from(body));
  return parsed.ok ? parsed.value : body;
}

/** {@link asList}, where a list was asked for: one pet, then, is a list of it. */
export function readAskedList(shown: unknown): ReceivedPet[] | undefined {
  const body = readText(shown);
  return asList(body) ?? (isPet(body) && body['id'] !== undefined ? [body] : undefined);
}

export function isPet(value: unknown): value is ReceivedPet {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A pet as an answer shows it, with what it leaves out as that was sent. */
export function completePet(shown: ReceivedPet, sent: unknown): ReceivedPet {
  const missing = SENT_FIELDS.filter((field) => shown[field] === undefined && isPet(sent) && sent[field] !== undefined);
  return { ...shown, ...Object.fromEntries(missing.map((field) => [field, (sent as ReceivedPet)[field]])) };
}

/** The contract's fields in which two representations differ; an absent field differs from a present one. */
export function comparePets(
  expected: ReceivedPet,
  actual: ReceivedPet,
  fields: readonly string[] = PET_FIELDS,
): FieldDifference[] {
  return fields
    .filter((field) => !sameJson(expected[field], actual[field]))
    .map((field) => {
      const shown = showPair(expected[field], actual[field]);
      return {
        field,
        expected: shown.expected,
        actual: shown.actual,
        doubt: doubtStatus(field, expected, actual),
      };
    });
}

/** A missing status has not changed by itself: there is no new one. */
export function doubtStatus(field: string, expected: ReceivedPet, actual: ReceivedPet): Doubt | undefined {
  if (field !== 'status' || actual[field] === undefined) return undefined;
  return { kind: 'status', id: actual['id'], expected: expected[field] };
}

/** A value as JSON, or `absent`, cut to fit a line of a report. */
export function show(value: unknown): string {
  return value === undefined ? 'absent' : cutText(printJson(value), MAX_SHOWN);
}

/** Two different values, both cut around their first difference. */
export function showPair(expected: unknown, actual: unknown): { expected: string; actual: string } {
  return showDifference(print(expected), print(actual));
}

function print(value: unknown): string {
  return value === undefined ? 'absent' : printJson(value);
}

const MAX_SHOWN = 160;
