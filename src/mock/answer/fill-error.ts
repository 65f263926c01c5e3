import { isJsonNumber } from '../../contract/numbers/decimal.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { cutText } from '../../contract/document/json.js';
import { fillLocations } from './fill-locations.js';

/** The content for an error body that the document itself describes. */
export interface ErrorWords {
  message: string;
  code: string;
  status: number;
  /** What is wrong with the request, one by one. */
  violations: readonly Violation[];
}

/** Names of fields that tell a person what is wrong, the likeliest first. */
const MESSAGE_NAMES = [
  'message',
  'detail',
  'errormessage',
  'errordescription',
  'errormsg',
  'msg',
  'description',
  'reason',
  'details',
  'errordetail',
  'text',
  'error',
];
/** Where there is no such field, these have all that a client reads. */
const ONLY_NAMES = ['errors', 'faultstring'];
/** This field names the kind of error; if there is no other, the message goes here, and else into any text. */
const LAST_RESORT = ['title'];
const STATUS_NAMES = ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode'];
const CODE_NAMES = ['code', 'errorcode'];

/** A settable field of a body, at any depth. */
interface Slot {
  holder: Record<string, unknown>;
  key: string;
  /** The name without signs, in lower case. */
  plain: string;
  depth: number;
}

const MOST_DEEP = 4;

/**
 * Puts the content of an error into the matching fields of a body. `isRight` judges the body after each
 * change; one that breaks the contract is undone. Returns whether the message found a place.
 */
export function fillError(body: unknown, words: ErrorWords, isRight: () => boolean): boolean {
  const slots = listSlots(body, 0);
  if (Array.isArray(body) && isText(body))
    slots.push({ holder: body as unknown as Record<string, unknown>, key: '0', plain: 'message', depth: 0 });
  for (const slot of slots) {
    if (STATUS_NAMES.includes(slot.plain)) set(slot, fitNumber(slot, words.status) ?? words.status, isRight);
    if (CODE_NAMES.includes(slot.plain)) setCode(slot, words, isRight);
  }
  if (fillLocations(body, words, isRight)) return true;
  const isPlaced = (names: readonly string[]): boolean =>
    names.some((name) =>
      slots
        .filter(({ plain, holder, key }) => plain === name && isText(holder[key]))
        .some((slot) => setMessage(slot, words.message, isRight)),
    );
  const others = slots.map(({ plain }) => plain).filter((plain) => ![...STATUS_NAMES, ...CODE_NAMES].includes(plain));
  return [MESSAGE_NAMES, ONLY_NAMES, LAST_RESORT, others].some(isPlaced);
}

/** Whole, or as much of it as the field takes. */
function setMessage(slot: Slot, message: string, isRight: () => boolean): boolean {
  const isList = Array.isArray(slot.holder[slot.key]);
  return [message.length, ...LENGTHS.filter((length) => length < message.length)].some((length) => {
    const text = cutText(message, length);
    return set(slot, isList ? [text] : text, isRight);
  });
}

/** The usual bounds of short texts, in characters. */
const LENGTHS = [255, 200, 128, 100, 80, 64, 50, 40, 32, 30, 20];

/** Where a document lists its codes, a general one is better than that of another status. */
function setCode(slot: Slot, words: ErrorWords, isRight: () => boolean): void {
  const number = fitNumber(slot, words.status);
  if (set(slot, number ?? words.code, isRight) || number !== undefined) return;
  const names = [words.code, ...(words.status < 500 ? GENERAL_CODES : []), ...LAST_CODES];
  names.flatMap(spellCode).some((code) => set(slot, code, isRight));
}

const GENERAL_CODES =
  'bad_request invalid_request validation_error validation_failed invalid_argument client_error'.split(' ');
const LAST_CODES = 'internal_error internal_server_error server_error error unknown_error unknown other'.split(' ');

/** `bad_request`, `BAD_REQUEST`, `bad-request`, `badRequest`, `BadRequest`. */
function spellCode(code: string): string[] {
  const camel = code.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return [code, code.toUpperCase(), code.replaceAll('_', '-'), camel, camel.charAt(0).toUpperCase() + camel.slice(1)];
}

/** A text, or a list of them. */
function isText(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
  );
}

function fitNumber({ holder, key }: Slot, status: number): unknown {
  const known = holder[key];
  if (isJsonNumber(known)) return status;
  return typeof known === 'string' && /^\d{3}$/.test(known) ? String(status) : undefined;
}

function set({ holder, key }: Slot, value: unknown, isRight: () => boolean): boolean {
  const before = holder[key];
  holder[key] = value;
  if (isRight()) return true;
  if (before === undefined) delete holder[key];
  else holder[key] = before;
  return false;
}

/** The shallowest first. */
function listSlots(body: unknown, depth: number): Slot[] {
  if (typeof body !== 'object' || body === null || depth > MOST_DEEP) return [];
  if (Array.isArray(body)) return listSlots(body[0], depth + 1);
  const holder = body as Record<string, unknown>;
  const own = Object.keys(holder).map((key) => ({
    holder,
    key,
    plain: key.toLowerCase().replace(/[^a-z]/g, ''),
    depth,
  }));
  return [...own, ...own.flatMap(({ key }) => listSlots(holder[key], depth + 1))].toSorted((a, b) => a.depth - b.depth);
}
