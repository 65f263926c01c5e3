import { parseJson, parseNumberLiteral } from './document/json.js';
import type { Parameter, ValueShape } from './model.js';

/**
 * The value that a text states: a number, a boolean or the text itself. An integer consists of plain digits; which
 * other notations are allowed outside JSON is open (gaps `limit-forms` and `pet-id-forms`).
 */
export function readTyped(text: string, { types }: ValueShape): unknown {
  if (types.includes('number')) return parseNumberLiteral(text) ?? text;
  if (types.includes('integer')) {
    // A fraction is none in any form, so it may say so as a number.
    return DIGITS.test(text) || FRACTION.test(text) ? (parseNumberLiteral(text) ?? text) : text;
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const DIGITS = /^-?\d+$/;
const FRACTION = /^-?\d+\.\d*[1-9]\d*$/;

/** What separates the values of an array in one text (OpenAPI 3.1.1, Style Values). */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** How a value is written in one text, and which values are possible. */
export interface Written {
  shape: ValueShape;
  style?: Parameter['style'];
  explode?: boolean;
}

/** A text with all values of an array or an object, or with a single value. */
export function readText(text: string, written: Written, separator?: string): unknown {
  const { style, shape, explode } = written;
  if (style === 'json') return readJson(text);
  const split = (): string[] => (text === '' ? [] : text.split(separator ?? SEPARATORS[style ?? ''] ?? ','));
  if (isA(written, 'array')) return split().map((each) => readTyped(each.trim(), itemOf(written)));
  if (text === '' && isA(written, 'object') && !isA(written, 'string')) return {};
  if (!isA(written, 'object') || !/[,=|{]/.test(text)) return readTyped(text, shape);
  // OpenAPI does not say how a list contains an object; many clients send JSON.
  if (style === undefined && text.startsWith('{')) return readJson(text);
  return readFields(split(), written, { joined: explode === true });
}

/** `x,1,y,2`, or exploded `x=1,y=2`. */
function readFields(texts: readonly string[], { shape }: Written, { joined }: { joined: boolean }): unknown {
  const read = (key: string, text: string): readonly [string, unknown] => [key, readTyped(text, fieldOf(shape, key))];
  if (joined) {
    return Object.fromEntries(texts.map((each) => read(each.split('=')[0] ?? '', each.replace(/^[^=]*=?/, ''))));
  }
  const keys = texts.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(keys.map((key, index) => read(key, texts[index * 2 + 1] ?? '')));
}

/** A text that is not JSON stays a text, so that validation reports it. */
function readJson(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

/** Whether a value may be of a type. */
export function isA({ shape }: Written, type: string): boolean {
  return shape.types.includes(type);
}

/** What a field of an object can be; a name such as `__proto__` is an ordinary one. */
export function fieldOf({ fields = {} }: ValueShape, name: string): ValueShape {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? { types: [] };
}

/** What the items of an array can be. */
export function itemOf({ shape }: Written): ValueShape {
  return shape.item ?? { types: [] };
}
