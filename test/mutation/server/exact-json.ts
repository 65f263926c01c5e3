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
  const print = (member: JsonValue): string => printJson(member, style, depth + 1);
  const space = style.indent === '' ? '' : ' ';
  const parts = isArray(value)
    ? value.map(print)
    : Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [`${style.text(name)}:${space}${print(member)}`],
      );
  const [open, close] = isArray(value) ? '[]' : '{}';
  if (style.indent === '' || parts.length === 0) return `${open}${parts.join(',')}${close}`;
  const inner = `\n${style.indent.repeat(depth + 1)}`;
  return `${open}${inner}${parts.join(`,${inner}`)}\n${style.indent.repeat(depth)}${close}`;
}

/** Deeper than any body of this interface; keeps a hostile one from exhausting the stack. */
const deepest = 200;
/** Texts, which stay, and whatever may be a number. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const number = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Stands before the digits of a number while `JSON.parse` reads them as a text; no text of a test begins so. */
const mark = 'a number, exactly: ';

/** Reads a JSON text (RFC 8259, strictly); `undefined` when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return restore(JSON.parse(text.replace(tokens, (token) => (number.test(token) ? `"${mark}${token}"` : token))));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function restore(value: unknown, depth = 0): JsonValue {
  if (depth > deepest) throw new SyntaxError('too deep');
  if (Array.isArray(value)) return value.map((item) => restore(item, depth + 1));
  if (typeof value === 'object' && value !== null)
    // Object.fromEntries, because an assignment to `__proto__` would not become a member.
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member, depth + 1)]));
  if (typeof value !== 'string' || !value.startsWith(mark)) return value as JsonValue;
  const digits = value.slice(mark.length);
  return /^-?\d+$/.test(digits) ? BigInt(digits) : new Decimal(digits);
}
