import { parse as parseLossless } from 'lossless-json';
import { remember } from './plain.js';

/** A number by its digits: `digits`, which neither begin nor end with a zero, times ten to the power of `exponent`. */
export type Digits = { isNegative: boolean; digits: string; exponent: number };

/** A number of JSON (RFC 8259 section 6), each value in one representation: see `readNumber`. */
export type JsonNumber = number | bigint | Decimal;

/** A number such as `1e400`: a frozen `function`, since code takes `typeof 'object'` for objects; one for each value. */
export class Decimal {
  declare readonly digits: Digits;

  private constructor() {}

  static of(digits: Digits): Decimal {
    const key = nameDigits(digits);
    const known = instances.get(key)?.deref();
    if (known !== undefined) return known;
    const made = Object.assign(() => undefined, { digits }) as unknown as Decimal;
    Object.freeze(Object.setPrototypeOf(made, Decimal.prototype));
    instances.set(key, new WeakRef(made));
    forgetting.register(made, key);
    return made;
  }

  valueOf(): number {
    return Number(writeDigits(this.digits));
  }

  toString(): string {
    return writeDigits(this.digits);
  }

  toJSON(): string {
    return writeDigits(this.digits);
  }
}

const instances = new Map<string, WeakRef<Decimal>>();
const forgetting = new FinalizationRegistry<string>((key) => {
  if (instances.get(key)?.deref() === undefined) instances.delete(key);
});

export const isJsonNumber = (value: unknown): value is JsonNumber =>
  typeof value === 'bigint' || Number.isFinite(value) || value instanceof Decimal;

export function readDigits(literal: string): Digits {
  const [mantissa = '', exponentText = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  // Counted by hand: `/0+$/` takes quadratic time on a megabyte of zeros with a digit behind them.
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  const digits = all.slice(0, end);
  // A zero has no sign, and no power of ten makes it another number.
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  const exponent = Number(exponentText) - fraction.length + (all.length - digits.length);
  return { isNegative: literal.startsWith('-'), digits, exponent };
}

/** A `double` stands for the shortest decimal that it is nearest to (ECMAScript, Number::toString): 0.1 is a tenth. */
export const digitsOf = (value: JsonNumber): Digits =>
  value instanceof Decimal ? value.digits : readDigits(String(value));

/** A name that equal numbers share, and no others. */
export const nameDigits = ({ isNegative, digits, exponent }: Digits): string =>
  digits === '' ? '0' : `${isNegative ? '-' : ''}${digits}e${exponent}`;

const MOST_ZEROS = 20;

function writeDigits({ isNegative, digits, exponent }: Digits): string {
  const sign = isNegative ? '-' : '';
  const point = digits.length + exponent;
  if (exponent >= 0 && exponent <= MOST_ZEROS) return `${sign}${digits}${'0'.repeat(exponent)}`;
  if (exponent < 0 && point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (exponent < 0 && point >= -MOST_ZEROS) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.slice(0, 1)}${fraction}e${point - 1}`;
}

/** Whether a number is whole, in any notation (JSON Schema 2020-12 validation, section 6.1.1). */
export function isWhole(value: JsonNumber): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  return typeof value === 'bigint' || value.digits.exponent >= 0;
}

/** Below 0 if `one` is less than `other`, 0 if they are the same number, and above 0 if it is greater. */
export function compareNumbers(one: JsonNumber, other: JsonNumber): number {
  // Two doubles are in the order of the decimals that they stand for; a double up to 2^53 and an integer past it, too.
  const isExact = (value: number | bigint): boolean =>
    typeof value === 'number' && (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value));
  const isNative = typeof one === typeof other && typeof one !== 'function';
  if (isNative || (!(one instanceof Decimal) && !(other instanceof Decimal) && (isExact(one) || isExact(other))))
    return one < other ? -1 : one > other ? 1 : 0;
  // YAML has an infinity, so a bound of a contract may be one.
  if (one === Infinity || other === -Infinity) return 1;
  if (one === -Infinity || other === Infinity) return -1;
  return compareDigits(digitsOf(one), digitsOf(other));
}

function compareDigits(one: Digits, other: Digits): number {
  const [sign = 0, ofOther = 0] = [one, other].map((each) => (each.digits === '' ? 0 : each.isNegative ? -1 : 1));
  if (sign !== ofOther || sign === 0) return sign - ofOther;
  const size = one.digits.length + one.exponent - (other.digits.length + other.exponent);
  if (size !== 0) return sign * Math.sign(size);
  return sign * (one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0);
}

interface Step extends Digits {
  whole: number | undefined;
  scale: number;
}

/** Every whole number of up to so many digits is a `double`, and no two decimals of so many are the same one. */
const DIGITS_OF_A_DOUBLE = 15;
const BELOW = 10 ** DIGITS_OF_A_DOUBLE;

/** By their digits (JSON Schema 2020-12 validation, section 6.2.1): 0.07 is one of 0.01. In linear time. */
export function isMultipleOf(value: JsonNumber, of: JsonNumber): boolean {
  const step = findStep(of);
  if (typeof value !== 'number' || step.whole === undefined) return isMultipleByDigits(digitsOf(value), step);
  const scaled = Math.round(value * step.scale);
  if (Math.abs(scaled) >= BELOW) return isMultipleByDigits(digitsOf(value), step);
  // As many digits as this state one decimal each, so a value that is not this one has more places than the step.
  return scaled / step.scale === value && scaled % step.whole === 0;
}

const findStep = remember((of: JsonNumber): Step => {
  const found = digitsOf(of);
  const { digits, exponent } = found;
  const isShort = digits !== '' && digits.length + Math.max(0, exponent) <= DIGITS_OF_A_DOUBLE;
  const isPlain = isShort && exponent >= -DIGITS_OF_A_DOUBLE;
  const whole = isPlain ? Number(`${digits}e${Math.max(0, exponent)}`) : undefined;
  return { ...found, whole, scale: isPlain ? Number(`1e${Math.max(0, -exponent)}`) : 1 };
}, 1000);

function isMultipleByDigits(value: Digits, step: Digits): boolean {
  if (value.digits === '') return true;
  // The last digit of the value is not zero, so it cannot be ten times anything.
  if (step.digits === '' || value.exponent < step.exponent) return false;
  const of = BigInt(step.digits);
  let rest = 0n;
  for (let at = 0; at < value.digits.length; at += AT_ONCE) {
    const part = value.digits.slice(at, at + AT_ONCE);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % of;
  }
  return (rest * remainderOfPower(value.exponent - step.exponent, of)) % of === 0n;
}

/** So many digits at a time: the whole as one `bigint` would take more than time in proportion. */
const AT_ONCE = 15;

function remainderOfPower(power: number, of: bigint): bigint {
  let rest = 1n;
  let square = 10n % of;
  for (let left = power; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) rest = (rest * square) % of;
    square = (square * square) % of;
  }
  return rest;
}

/** The exact sum of the decimals that two doubles stand for, as the nearest `double`: 28.83 and 0.01 make 28.84. */
export function addExactly(one: number, other: number): number {
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return one + other;
  const [a, b] = [digitsOf(one), digitsOf(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  // Doubles of so different sizes add up to the larger one.
  if (Math.max(a.exponent, b.exponent) - exponent > MOST_APART) return one + other;
  return Number(`${scaleTo(a, exponent) + scaleTo(b, exponent)}e${exponent}`);
}

const MOST_APART = 40;

function scaleTo({ isNegative, digits, exponent }: Digits, to: number): bigint {
  const scaled = BigInt(digits) * 10n ** BigInt(digits === '' ? 0 : exponent - to);
  return isNegative ? -scaled : scaled;
}

/** So many steps, as the nearest `double` to the exact product. */
export function timesStep(count: number, step: number): number {
  const { isNegative, digits, exponent } = digitsOf(step);
  return Number(`${BigInt(count) * BigInt(isNegative ? `-${digits}` : digits)}e${exponent}`);
}

/** An int64: a `number` if it is a safe integer, else a `bigint`. One value has one representation, so `===` works. */
export type Int64 = number | bigint;

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** Values nested deeper than this are refused: no petstore needs them, and printing them would overflow the stack. */
export const MAX_JSON_DEPTH = 64;

export type JsonResult =
  | { ok: true; value: unknown }
  | { ok: false; problem: { kind: 'not-utf8' | 'malformed' | 'too-deep' | 'too-far'; message: string } };

const failed = (kind: (JsonResult & { ok: false })['problem']['kind'], message: string): JsonResult => ({
  ok: false,
  problem: { kind, message },
});

/** Parses JSON (RFC 8259) exactly: past 2^53 a `bigint`, `1e400` a {@link Decimal}. Of equal names the last counts. */
export const parseJson = (text: string): JsonResult => parseJsonWithin(text, MAX_JSON_DEPTH);

export function parseJsonWithin(text: string, maxDepth: number): JsonResult {
  if (isTooDeep(text, maxDepth)) return failed('too-deep', `the JSON is nested more than ${maxDepth} levels deep`);
  try {
    return {
      ok: true,
      value: /[\d.]{16}|\d[eE]/.test(text)
        ? parseLossless(text, null, { parseNumber: readNumber, onDuplicateKey: ({ newValue }) => newValue })
        : JSON.parse(text),
    };
  } catch (error) {
    if (error instanceof TooFar) return failed('too-far', error.message);
    if (!(error instanceof SyntaxError)) throw error;
    const isEmpty = text.trim() === '';
    return failed('malformed', isEmpty ? 'the JSON text is empty' : `the JSON is malformed: ${error.message}`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** {@link parseJson} for UTF-8 bytes. A byte order mark at the start is skipped (RFC 8259 section 8.1 allows that). */
export function parseJsonBytes(bytes: Uint8Array, maxDepth: number = MAX_JSON_DEPTH): JsonResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return failed('not-utf8', 'the bytes are not valid UTF-8');
  }
  return parseJsonWithin(text, maxDepth);
}

export const printPlain = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? null));

/** Prints JSON with every `bigint` and {@link Decimal} as its digits. */
export function printJson(value: unknown): string {
  // JSON.stringify throws on a bigint; checking first is cheaper than using the exact printer for everything.
  if (!holdsExactNumber(value)) return JSON.stringify(value);
  return printExactly(value) ?? 'null';
}

function printExactly(value: unknown): string | undefined {
  if (isExactNumber(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => printExactly(item) ?? 'null').join()}]`;
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return JSON.stringify(value);
  let fields = '';
  for (const name of Object.keys(value)) {
    const text = printExactly((value as Record<string, unknown>)[name]);
    if (text !== undefined) fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${fields}}`;
}

export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyJson(field)])) as T;
}

export const jsonBody = (value: unknown): { value: unknown; text: string } => ({ value, text: printJson(value) });

export function normalizeInteger(value: bigint): Int64 {
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : value;
}

/** The exact value of a JSON number literal (RFC 8259 section 6), if the text is one. `1.0` and `1e2` are integers. */
export const parseNumberLiteral = (text: string): JsonNumber | undefined =>
  NUMBER_LITERAL.test(text) && !isTooFar(text) ? readNumber(text) : undefined;

const NUMBER_LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const isTooFar = (literal: string): boolean => literal.length > 16 && /[eE][+-]?0*[1-9]\d{15}/.test(literal);

class TooFar extends Error {}

/** Enough for any int64 and some more, and few enough that `1e999999999` is not written out. */
const MAX_DIGITS = 40;

function readNumber(literal: string): JsonNumber {
  const isDigits = !/[.eE]/.test(literal);
  if (isDigits && literal.length <= MAX_DIGITS)
    return literal.length < 16 ? Number(literal) : normalizeInteger(BigInt(literal));
  if (literal.length < 16 && !/[eE]/.test(literal)) return Number(literal);
  const double = Number(literal);
  if (String(double) === literal && !Number.isInteger(double)) return double;
  if (isTooFar(literal))
    throw new TooFar(`a number's power of ten has more than 15 digits: ${cutText(literal, MAX_SHOWN)}`);
  const digits = readDigits(literal);
  if (digits.digits.length + digits.exponent <= MAX_DIGITS && digits.exponent >= 0)
    return normalizeInteger(BigInt(`${digits.isNegative ? '-' : ''}${digits.digits}${'0'.repeat(digits.exponent)}`));
  // As short as possible, or with all 17 digits, is how programs write a `double` (IEEE 754, 5.12.2).
  const isDouble = Number.isFinite(double) && double !== 0 && digits.digits.length <= 17;
  const written = [String(double), ...(Number.isInteger(double) ? [] : [double.toPrecision(17)])];
  const standsFor = (text: string): boolean => nameDigits(readDigits(text)) === nameDigits(digits);
  return isDouble && written.some(standsFor) ? double : Decimal.of(digits);
}

const isExactNumber = (value: unknown): value is bigint | Decimal =>
  typeof value === 'bigint' || (typeof value === 'function' && value instanceof Decimal);

export function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object') return isExactNumber(value);
  if (value === null) return false;
  for (const key in value) {
    if (holdsExactNumber((value as Record<string, unknown>)[key])) return true;
  }
  return false;
}

function isTooDeep(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false;
  const [backslash, quote, openBracket, closeBracket, openBrace, closeBrace] = [0x5c, 0x22, 0x5b, 0x5d, 0x7b, 0x7d];
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === backslash) at++;
      else if (char === quote) inString = false;
    } else if (char === quote) inString = true;
    else if (char === openBracket || char === openBrace) {
      if (++depth > maxDepth) return true;
    } else if (char === closeBracket || char === closeBrace) depth--;
  }
  return false;
}

const MAX_SHOWN = 80;

export function shorten(value: unknown): string {
  if (value === undefined) return 'nothing';
  return cutText(printJson(value), MAX_SHOWN);
}

export function cutText(text: string, most: number): string {
  // V8 keeps a whole text in memory as long as a part of it is used, and the whole may be a body of megabytes.
  const copy = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le');
  return text.length <= most ? text : `${copy(text.slice(0, most - 1))}…`;
}

/** Whether two JSON values are the same: numbers by value (`1e300` is `1e+300`), objects without regard to order. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return (
    mayBeWrittenOtherwise(one) && mayBeWrittenOtherwise(other) && writeCanonically(one) === writeCanonically(other)
  );
}

/** The same to all digits of an int64, and for other numbers to those of a `double` (RFC 8259 section 6). */
export function sameToADouble(one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true;
  if (!isJsonNumber(one) || !isJsonNumber(other)) return false;
  const isInt64 = (value: JsonNumber): boolean =>
    isWhole(value) && compareNumbers(value, INT64_MIN) >= 0 && compareNumbers(value, INT64_MAX) <= 0;
  if (isInt64(one) && isInt64(other)) return false;
  return Number.isFinite(Number(one)) && Number(one) === Number(other);
}

/** The key of a JSON value in a `Map` or a `Set`: equal for equal values. */
export const keyOfJson = (value: unknown): unknown =>
  mayBeWrittenOtherwise(value) ? `${NO_TEXT_OF_JSON}${writeCanonically(value)}` : value;

const NO_TEXT_OF_JSON = '\0json ';

/** Objects, and numbers so large that our own code may have a `double` where JSON has a `bigint`. */
function mayBeWrittenOtherwise(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return (typeof value === 'object' && value !== null) || typeof value === 'bigint';
}

function writeCanonically(value: unknown): string {
  if (isJsonNumber(value)) return nameDigits(digitsOf(value));
  if (Array.isArray(value)) return `[${value.map(writeCanonically).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${writeCanonically(field)}`).join()}}`;
}
