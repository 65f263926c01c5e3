import type { Finding } from '../model/result.js';
import { readSpelled } from '../judge/show-difference.js';

/** How a value came to differ from its former one, as far as the two show. */

/**
 * A way in which services change a text: its description, and a function that gives equal results for a text and its
 * changed form.
 */
type Way = readonly [string, (before: string) => string | undefined, ((after: string) => string)?];

export const CUT = 'are cut';
export const MISDECODED = 'are decoded in another encoding';
const BEYOND_ASCII = /[^\0-\x7F]/;

/** Bytes of UTF-8 read one by one, or what stands for those that cannot be read. */
const MISREAD = /[ÃÂâð]|[\u00C2-\u00F4][\u0080-\u00BF]|\uFFFD/;

/** The most specific first. */
const WAYS: readonly Way[] = [
  ['lose the spaces around them', (before) => before.trim()],
  ['are lower-cased', (before) => before.toLowerCase()],
  ['are upper-cased', (before) => before.toUpperCase()],
  ['are normalised', (before) => before.normalize('NFKC'), (after) => after.normalize('NFKC')],
  ['are escaped as HTML', (before) => before, unescapeHtml],
  ['lose their tags', (before) => before.replace(/<[^>]*>/g, '')],
  [CUT, (before) => before],
  ['lose their accents', removeMarks],
  ['lose spaces', (before) => before.replace(/\s+/g, ' ').trim(), (after) => after.trim()],
  ['are decoded as in a URL', decodeUrl],
  [MISDECODED, (before) => (MISREAD.test(before) ? undefined : '')],
];

/**
 * `are lower-cased`, `past 2^53 are rounded`; `undefined` if the change is none of the known ones. Both values are
 * JSON.
 */
export function describeChange(expected: string, actual: string): string | undefined {
  return describeTextChange(expected, actual) ?? describeNumberChange(expected, actual);
}

function describeTextChange(shownBefore: string, shownAfter: string): string | undefined {
  const [before, after] = [readText(shownBefore), readText(shownAfter)];
  if (before === undefined || after === undefined || before === after) return undefined;
  // Any text can become an empty one.
  if (before === '' || after === '') return undefined;
  // Texts that a report has cut are compared as far as they go.
  const isCut = shownBefore.endsWith('…') && shownAfter.endsWith('…');
  return WAYS.find((way) => fits(way, before, after, isCut))?.[0];
}

function fits([name, change, undo]: Way, before: string, after: string, isCut: boolean): boolean {
  if (name === CUT) return after !== '' && after.length < before.length && begins(before, after);
  const changed = change(before);
  if (changed === '' && before !== '') return MISREAD.test(after) && (isCut || isAsciiKept(before, after));
  const seen = undo?.(after) ?? after;
  if (changed === undefined || !isCut) return changed === seen;
  const length = Math.min(changed.length, seen.length) - 1;
  return length >= SHORTEST && changed.slice(0, length) === seen.slice(0, length);
}

/** Whether one text may be the other in another encoding: letters beyond ASCII became others, and the rest stayed. */
export function mayBeMisdecoded(expected: string, actual: string): boolean {
  const [before, after] = [expected, actual].map(readText);
  if (before === undefined || after === undefined || !BEYOND_ASCII.test(before)) return false;
  return isCutShort(expected, actual) || isAsciiKept(before, after);
}

/** What is the same in all usual encodings is decoded alike; of others, the lower byte alone may be left. */
function isAsciiKept(before: string, after: string): boolean {
  const lower = before.replace(/[^\0-\x7F]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) % 0x100));
  return [before, lower].map(readAscii).includes(readAscii(after));
}

function readAscii(text: string): string {
  return text.replace(/[^\0-\x7F]/g, '');
}

/** Whether a text is the beginning of another, with or without dots after it. */
function begins(before: string, after: string): boolean {
  return before.startsWith(after.replace(/(…|\.{3})$/, ''));
}

/** Whether a report shows only a part of one of them. */
function isCutShort(...shown: string[]): boolean {
  return shown.some((text) => text.startsWith('…') || text.endsWith('…'));
}

/** Shorter texts may be equal by chance. */
const SHORTEST = 4;

export const ROUNDED = 'past 2^53 are rounded';

/** Whether a number is the double nearest to the greatest or the least int64. */
export function isRoundedMost(text: string): boolean {
  const value = readInteger(text);
  return value !== undefined && BigInt.asIntN(64, value) !== value && Math.abs(Number(value)) === 2 ** 63;
}

/** How a number changed. */
function describeNumberChange(expected: string, actual: string): string | undefined {
  const [before, after] = [readInteger(expected), readInteger(actual)];
  if (before === undefined || after === undefined) return undefined;
  if (isPastSafe(before) && isRounded(before, after)) return ROUNDED;
  if (BigInt.asIntN(32, before) === after || BigInt.asUintN(32, before) === after) return 'past 2^31 wrap around';
  return undefined;
}

/** The value that was expected, as JSON. */
export function valueOf({ value, expected }: Pick<Finding, 'value' | 'expected'>): string {
  return value ?? expected;
}

function isPastSafe(value: bigint): boolean {
  return value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER);
}

/** The precision of a double at such a number. */
function isRounded(before: bigint, after: bigint): boolean {
  const difference = before > after ? before - after : after - before;
  return difference <= 1024n || readDouble(Number(before)) === after;
}

function readInteger(text: string): bigint | undefined {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return /^-?\d+(\.\d+)?e\+?\d+$/.test(text) ? readDouble(Number(text)) : undefined;
}

/** A target may write numbers that no double holds, and fractions with an exponent. */
function readDouble(double: number): bigint | undefined {
  return Number.isInteger(double) ? BigInt(double) : undefined;
}

/** Texts that the report may have cut are compared as far as they go. */
function readText(shown: string): string | undefined {
  const json = readSpelled(shown);
  if (json.startsWith('…')) return readText(`"${json.slice(1)}`);
  if (!json.startsWith('"')) return undefined;
  try {
    return JSON.parse(json.endsWith('…') ? `${json.slice(0, -1).replace(/\\[^"\\]?$/, '')}"` : json) as string;
  } catch {
    return undefined;
  }
}

function decodeUrl(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function unescapeHtml(text: string): string {
  const names: Record<string, string> = {
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    amp: '&',
  };
  return text.replace(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|(lt|gt|quot|apos|amp));/gi, (_, hex, digits, name) =>
    name === undefined ? String.fromCodePoint(Number(hex === undefined ? digits : `0x${hex}`)) : (names[name] ?? ''),
  );
}

function removeMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}
