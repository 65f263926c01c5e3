// Values as a line of a report shows them.
import { cutText, printJson } from '../../contract/document/json.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listRecords(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

const MOST_SHOWN = 160;
const MOST_BEFORE = 30;

/** A value as JSON, or `absent`, cut to fit a line of a report. */
export function show(value: unknown): string {
  return value === undefined ? 'absent' : cutText(printJson(value), MOST_SHOWN);
}

/** Two different values, both cut around their first difference. */
export function showPair(expected: unknown, actual: unknown): { expected: string; actual: string } {
  const print = (value: unknown): string => (value === undefined ? 'absent' : printJson(value));
  return showDifference(print(expected), print(actual));
}

/** Two texts, cut around their first difference in the same way, so that they never look alike. */
export function showDifference(expected: string, actual: string, most = MOST_SHOWN) {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const isShort = expected.length <= most && actual.length <= most;
  const from = isShort ? 0 : Math.max(0, at - Math.min(MOST_BEFORE, Math.floor(most / 3)));
  const cut = (text: string): string => {
    const start = from > 0 && /[\uDC00-\uDFFF]/.test(text[from] ?? '') ? from - 1 : from;
    const part = text.slice(start, start + most).replace(/[\uD800-\uDBFF]$/, '');
    return `${start > 0 ? '…' : ''}${part}${start + most < text.length ? '…' : ''}`;
  };
  const shown = { expected: cut(expected), actual: cut(actual) };
  if (shown.expected === shown.actual || blur(shown.expected) !== blur(shown.actual)) return shown;
  const spellBeyondAscii = (text: string): string => text.replace(/[^\x20-\x7E]/gu, spell);
  return { expected: spellBeyondAscii(shown.expected), actual: spellBeyondAscii(shown.actual) };
}

function blur(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Cf}|\p{Cc}/gu, '');
  return visible.replace(/\s+/gu, ' ');
}

/** A sentence in which characters without a width, and spaces beyond ASCII, can be seen. Every report spells out control characters. */
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
