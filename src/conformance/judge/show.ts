import { cutText } from '../../contract/document/cut-text.js';
import { printJson } from '../../contract/document/json.js';

/** A record as an answer shows it: any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records of a list; `undefined` if the value is no list. */
export function listRecords(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
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

/** How much of a value to show, and of that at most before the place at which two begin to differ. */
const MOST = 160;
const BEFORE = 30;

/** Two texts, cut around their first difference in the same way, so that they never look alike. */
export function showDifference(expected: string, actual: string, most = MOST): { expected: string; actual: string } {
  const at = findDifference(expected, actual);
  const from =
    expected.length <= most && actual.length <= most ? 0 : Math.max(0, at - Math.min(BEFORE, Math.floor(most / 3)));
  const shown = { expected: window(expected, from, most), actual: window(actual, from, most) };
  if (!looksAlike(shown.expected, shown.actual)) return shown;
  return { expected: spellLetters(shown.expected), actual: spellLetters(shown.actual) };
}

function findDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

function window(text: string, from: number, most: number): string {
  const start = from > 0 && /[\uDC00-\uDFFF]/.test(text[from] ?? '') ? from - 1 : from;
  const part = text.slice(start, start + most).replace(/[\uD800-\uDBFF]$/, '');
  return `${start > 0 ? '…' : ''}${part}${start + most < text.length ? '…' : ''}`;
}

/**
 * Whether two texts differ only in ways that nobody sees, if at all: normal forms, kinds of space, letters without a
 * width.
 */
function looksAlike(one: string, other: string): boolean {
  return one !== other && blur(one) === blur(other);
}

function blur(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}|\p{Cc}/gu, '')
    .replace(/\s+/gu, ' ');
}

/** Characters beyond ASCII as code points. */
function spellLetters(text: string): string {
  return text.replace(/[^\x20-\x7E]/gu, spell);
}

/**
 * A sentence in which each character can be seen that has no width, or is a space other than that of ASCII. What steers
 * a terminal or a log, every report spells out.
 */
export function spellUnseen(text: string): string {
  return text.replace(/(?![\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF])\p{Cf}|(?! )\p{Zs}/gu, spell);
}

/** {@link spellUnseen} for a value, where spaces may be too many, or stand at the edge of a text. */
export function spellValue(value: string): string {
  return spellUnseen(value).replace(/^" +| +"(?=$|,)| {2,}/g, (spaces) => spaces.replaceAll(' ', spell));
}

function spell(letter: string): string {
  return `‹U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`;
}
