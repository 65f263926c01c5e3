/** A number that is not written as a plain integer (`1.0`, `1e2`, `0.5`), kept as it was written. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON as the mutation server holds it: integers are `bigint`, so that no int64 loses a digit. */
export type JsonValue = null | boolean | string | bigint | Decimal | readonly JsonValue[] | JsonObject;
/** A member that is `undefined` is not printed. */
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** How JSON is written; legal variants differ here and nowhere else. */
export interface JsonStyle {
  integer(value: bigint): string;
  text(value: string): string;
  /** What each level is indented by; empty: everything on one line. */
  indent: string;
}

export const compactStyle: JsonStyle = { integer: String, text: (value) => JSON.stringify(value), indent: '' };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Narrows to an array; `Array.isArray` alone does not narrow a readonly one. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Prints a value; every integer keeps all its digits. */
export function printJson(value: JsonValue, style: JsonStyle = compactStyle, depth = 0): string {
  if (typeof value === 'bigint') return style.integer(value);
  if (typeof value === 'string') return style.text(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Decimal) return value.text;
  if (isArray(value)) {
    return enclose(
      '[',
      value.map((item) => printJson(item, style, depth + 1)),
      ']',
      style,
      depth,
    );
  }
  const space = style.indent === '' ? '' : ' ';
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${style.text(name)}:${space}${printJson(member, style, depth + 1)}`],
  );
  return enclose('{', members, '}', style, depth);
}

function enclose(open: string, parts: string[], close: string, style: JsonStyle, depth: number): string {
  if (style.indent === '' || parts.length === 0) return open + parts.join(',') + close;
  const inner = `\n${style.indent.repeat(depth + 1)}`;
  return `${open}${inner}${parts.join(`,${inner}`)}\n${style.indent.repeat(depth)}${close}`;
}

/** Deeper than any body of this interface; keeps a hostile one from exhausting the stack. */
const deepest = 200;
const whitespace = /[\t\n\r ]*/y;
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const words: Record<string, JsonValue> = { true: true, false: false, null: null };

/** Reads a JSON text (RFC 8259, strictly); `undefined` when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  const reader = { text, at: 0 };
  try {
    const value = readValue(reader, 0);
    take(reader, whitespace);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

function readValue(reader: Reader, depth: number): JsonValue {
  if (depth > deepest) throw new SyntaxError('too deep');
  take(reader, whitespace);
  const first = reader.text[reader.at];
  if (first === '{') return readMembers(reader, depth);
  if (first === '[') return readItems(reader, depth);
  if (first === '"') return readString(reader);
  const digits = take(reader, number);
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? BigInt(digits) : new Decimal(digits);
  const literal = take(reader, word);
  if (literal === undefined) throw new SyntaxError('no value');
  return words[literal] ?? null;
}

function readMembers(reader: Reader, depth: number): JsonObject {
  const members: [string, JsonValue][] = [];
  readList(reader, '}', () => {
    take(reader, whitespace);
    const name = readString(reader);
    expect(reader, ':');
    members.push([name, readValue(reader, depth + 1)]);
  });
  // Object.fromEntries, because an assignment to `__proto__` would not become a member.
  return Object.fromEntries(members);
}

function readItems(reader: Reader, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  readList(reader, ']', () => items.push(readValue(reader, depth + 1)));
  return items;
}

function readList(reader: Reader, close: string, readOne: () => void): void {
  reader.at += 1;
  if (accept(reader, close)) return;
  do readOne();
  while (accept(reader, ','));
  expect(reader, close);
}

function readString(reader: Reader): string {
  if (reader.text[reader.at] !== '"') throw new SyntaxError('no string');
  let end = reader.at + 1;
  while (end < reader.text.length && reader.text[end] !== '"') end += reader.text[end] === '\\' ? 2 : 1;
  const literal = reader.text.slice(reader.at, end + 1);
  reader.at = end + 1;
  // JSON.parse is exact for strings, and throws the SyntaxError that parseJson expects.
  return String(JSON.parse(literal));
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function accept(reader: Reader, sign: string): boolean {
  take(reader, whitespace);
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  return true;
}

function expect(reader: Reader, sign: string): void {
  if (!accept(reader, sign)) throw new SyntaxError(`no ${sign}`);
}
