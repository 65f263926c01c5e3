import { LosslessNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { cutText } from './cut-text.js';

/**
 * An int64 as it travels through this package: a `number` when it is a safe
 * integer, else a `bigint`. One value has one representation, so `===`, `Map`
 * keys and `Set` members work. The common case is a plain number and pays nothing.
 */
export type Int64 = number | bigint;

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** Values nested deeper than this are refused: no petstore needs them, and printing them would overflow the stack. */
export const MAX_JSON_DEPTH = 64;

/** Why a text is not usable JSON. */
export interface JsonProblem {
  kind: 'not-utf8' | 'malformed' | 'too-deep';
  /** A sentence without a full stop. */
  message: string;
}

export type JsonResult = { ok: true; value: unknown } | { ok: false; problem: JsonProblem };

/**
 * Parses JSON (RFC 8259) with every integer exact: past 2^53 it becomes a `bigint`. A number that neither `number` nor
 * `bigint` holds exactly (`1.00000000000000000001`, `1e400`) becomes a `LosslessNumber`, which no int64 schema accepts.
 * If a name is repeated, the last value counts, as in `JSON.parse`.
 */
export function parseJson(text: string): JsonResult {
  return parseJsonWithin(text, MAX_JSON_DEPTH);
}

/** {@link parseJson} for a text that may be nested this deeply. */
export function parseJsonWithin(text: string, maxDepth: number): JsonResult {
  if (isTooDeep(text, maxDepth)) {
    return failed('too-deep', `the JSON is nested more than ${maxDepth} levels deep`);
  }
  try {
    return { ok: true, value: mayRound(text) ? parseExactly(text) : JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return failed('malformed', text.trim() === '' ? 'the JSON text is empty' : describeSyntax(error));
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** {@link parseJson} for UTF-8 bytes. A byte order mark at the start is skipped (RFC 8259 section 8.1 allows that). */
export function parseJsonBytes(bytes: Uint8Array): JsonResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return failed('not-utf8', 'the bytes are not valid UTF-8');
  }
  return parseJson(text);
}

/** Prints JSON with every `bigint` and `LosslessNumber` as its digits. */
export function printJson(value: unknown): string {
  // JSON.stringify throws on a bigint; checking first is cheaper than using the exact printer for everything.
  if (!holdsExactNumber(value)) return JSON.stringify(value);
  return stringifyLossless(value) ?? 'null';
}

/** A {@link JsonBody} of a value. */
export function jsonBody(value: unknown): { value: unknown; text: string } {
  return { value, text: printJson(value) };
}

/** The one representation of an integer, see {@link Int64}. */
export function normalizeInteger(value: bigint): Int64 {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/**
 * The exact value of a JSON number literal (RFC 8259 section 6); `undefined` if the text is not such a literal. `1.0`
 * and `1e2` are integers.
 */
export function parseNumberLiteral(text: string): number | bigint | LosslessNumber | undefined {
  return NUMBER_LITERAL.test(text) ? readNumber(text) : undefined;
}

/** Whether a JSON number literal states a whole number, however large: `1e400` does, `1.5` does not. */
export function isWholeLiteral(literal: string): boolean {
  const { significant, zeros } = splitLiteral(literal);
  return significant === '' || zeros >= 0;
}

const NUMBER_LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A `double` holds every literal of 15 significant digits exactly enough to tell integers; longer ones and exponents may round. */
function mayRound(text: string): boolean {
  return /[\d.]{16}|\d[eE]/.test(text);
}

function parseExactly(text: string): unknown {
  return parseLossless(text, null, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Enough for any int64 and some more, and few enough that `1e999999999` is not written out. */
const MAX_DIGITS = 40;

function readNumber(literal: string): number | bigint | LosslessNumber {
  if (literal.length < 16 && !/[eE]/.test(literal)) return Number(literal);
  const integer = readInteger(literal);
  if (integer !== undefined) return normalizeInteger(integer);
  const double = Number(literal);
  // A fraction that a double rounds to an integer must not count as one.
  return Number.isInteger(double) || !Number.isFinite(double) ? new LosslessNumber(literal) : double;
}

/** The integer that a literal states, in any notation; `undefined` for a fraction or too many digits. */
function readInteger(literal: string): bigint | undefined {
  // A megabyte of digits need not be analysed: there are too many.
  if (literal.length > MAX_DIGITS + 1 && !/[.eE]/.test(literal)) return undefined;
  const { significant, zeros } = splitLiteral(literal);
  if (significant === '') return 0n;
  if (zeros < 0 || significant.length + zeros > MAX_DIGITS) return undefined;
  const magnitude = BigInt(significant + '0'.repeat(zeros));
  return literal.startsWith('-') ? -magnitude : magnitude;
}

/** A literal without its sign, as `significant` times ten to the power of `zeros`; `significant` is `''` for zero. */
export function splitLiteral(literal: string): { significant: string; zeros: number } {
  const [mantissa = '', exponentText = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.slice(0, digits.length - countTrailingZeros(digits));
  const zeros = Number(exponentText) - fraction.length + (digits.length - significant.length);
  return { significant, zeros };
}

/** Counted by hand: `/0+$/` takes quadratic time on a megabyte of zeros with a digit behind them. */
function countTrailingZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.length - end;
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof LosslessNumber) return true;
  for (const key in value) {
    if (holdsExactNumber((value as Record<string, unknown>)[key])) return true;
  }
  return false;
}

function isTooDeep(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) inString = false;
    } else if (char === QUOTE) inString = true;
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
      if (++depth > maxDepth) return true;
    } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--;
  }
  return false;
}

const ZERO = 0x30;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function failed(kind: JsonProblem['kind'], message: string): JsonResult {
  return { ok: false, problem: { kind, message } };
}

function describeSyntax(error: SyntaxError): string {
  return `the JSON is malformed: ${error.message}`;
}

const MAX_SHOWN = 80;

/** A value as JSON, cut so that a log line stays a line. */
export function shorten(value: unknown): string {
  if (value === undefined) return 'nothing';
  return cutText(printJson(value), MAX_SHOWN);
}
