/** How a value came to differ from what it was, as far as the two tell. */

/** Ways in which services change a text, the most telling first. */
const WAYS: readonly (readonly [string, (before: string, after: string) => boolean])[] = [
  ['lose the spaces around them', (before, after) => before.trim() === after],
  ['are lower-cased', (before, after) => before.toLowerCase() === after],
  ['are upper-cased', (before, after) => before.toUpperCase() === after],
  ['are normalised', (before, after) => before.normalize('NFC') === after.normalize('NFC')],
  ['are escaped as HTML', (before, after) => after !== before && unescapeHtml(after) === before],
  ['lose their tags', (before, after) => before.replace(/<[^>]*>/g, '') === after],
  ['are cut', (before, after) => after.length < before.length && before.startsWith(after.replace(/(…|\.{3})$/, ''))],
  ['lose their accents', (before, after) => removeMarks(before) === after],
  ['lose spaces', (before, after) => before.replace(/\s+/g, ' ').trim() === after.trim()],
  ['are decoded as in a URL', (before, after) => decodeUrl(before) === after],
  ['are decoded in another encoding', (before, after) => /[ÃÂâð]|\uFFFD/.test(after) && !/[ÃÂâð]|\uFFFD/.test(before)],
];

/** `are lower-cased`, `past 2^53 are rounded`; `undefined` when it is none of the known ways. Both as JSON. */
export function describeChange(expected: string, actual: string): string | undefined {
  return describeTextChange(expected, actual) ?? describeNumberChange(expected, actual);
}

function describeTextChange(expected: string, actual: string): string | undefined {
  const [before, after] = [readText(expected), readText(actual)];
  if (before === undefined || after === undefined || before === after) return undefined;
  return WAYS.find(([, fits]) => fits(before, after))?.[0];
}

export const ROUNDED = 'past 2^53 are rounded';

/** Whether a number is what a double makes of the greatest that an int64 can have, or of the least. */
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

/** The text or number that a finding begins with, without its source: `"Rex", as it was sent`. */
export function withoutSource(text: string): string {
  return text.replace(
    /, (?:as it was sent|as when it was created|as in the answer before|as the scenario states)$/,
    '',
  );
}

function isPastSafe(value: bigint): boolean {
  return value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER);
}

/** Within what a double rounds such a number by. */
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

/** What may have been cut for the report is compared as far as it goes. */
function readText(json: string): string | undefined {
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
