import { parseJson, parseNumberLiteral } from './document/json.js';
import type { Parameter, ValueShape } from './model.js';
import { defined } from './document/plain.js';

export interface SentValue {
  /** It as one text. */
  text?: string;
  /** It as a list; `undefined` if it cannot be one. */
  list?: (as: ValueShape) => readonly SentValue[] | undefined;
  /** It as an object; `undefined` if it cannot be one. */
  members?: (as: ValueShape) => readonly (readonly [name: string, value: SentValue])[] | undefined;
  json?: { value: unknown };
  /** It with delimiters that were escaped, as many clients escape them: read where the other reading is not valid. */
  encoded?: SentValue;
}

/** The first reading by the schema's alternatives that is valid: lists, objects, numbers, texts; else the first. */
export function readAs(sent: SentValue, shape: ValueShape): unknown {
  const value = readStrictly(sent, shape);
  const fits = (each: unknown): boolean => shape.fits?.(each) ?? true;
  if (sent.encoded === undefined || fits(value)) return value;
  const other = readStrictly(sent.encoded, shape);
  return fits(other) ? other : value;
}

function readStrictly(sent: SentValue, shape: ValueShape): unknown {
  if (sent.json !== undefined) return sent.json.value;
  const found = (shape.ways ?? [shape]).flatMap((way) => listReadings(sent, way));
  if (found.length === 0) return sent.text ?? readMembers(sent, shape) ?? null;
  if (found.length === 1) return found[0];
  const ordered = found.sort((one, other) => rank(one) - rank(other));
  return ordered.find((value) => shape.fits?.(value) ?? true) ?? ordered[0];
}

function rank(value: unknown): number {
  if (Array.isArray(value)) return 0;
  if (typeof value === 'string') return 3;
  return typeof value === 'object' ? 1 : 2;
}

function listReadings(sent: SentValue, way: ValueShape): unknown[] {
  const { types } = way;
  const readings: unknown[] = [];
  const list = types.includes('array') ? sent.list?.(way) : undefined;
  if (list !== undefined)
    readings.push(list.map((each, index) => readAs(each, way.leading?.[index] ?? way.item ?? { types: [] })));
  const members = types.includes('object') ? readMembers(sent, way) : undefined;
  if (members !== undefined) readings.push(members);
  const { text } = sent;
  if (text === undefined || (types.length > 0 && types.every((type) => NO_TEXT.has(type)))) return readings;
  const typed = readTyped(text, types);
  readings.push(typed);
  if (typed !== text && types.includes('string')) readings.push(text);
  return readings;
}

const NO_TEXT = new Set(['array', 'object', 'null']);

function readMembers(sent: SentValue, way: ValueShape): Record<string, unknown> | undefined {
  const members = sent.members?.(way);
  return members && Object.fromEntries(members.map(([name, each]) => [name, readAs(each, fieldOf(way, name))]));
}

/** An integer consists of plain digits; which other notations are allowed is open (gaps `limit-forms`...). */
function readTyped(text: string, types: readonly string[]): unknown {
  // A fraction is no integer in any form, so it may say so as a number.
  const isNumber =
    types.includes('number') || (types.includes('integer') && (DIGITS.test(text) || FRACTION.test(text)));
  const number = isNumber ? parseNumberLiteral(text) : undefined;
  if (number !== undefined) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const DIGITS = /^-?\d+$/;
const FRACTION = /^-?\d+\.\d*[1-9]\d*$/;

export type Written = { shape: ValueShape; style?: Parameter['style']; explode?: boolean; raw?: string };

export function separatorOf({ shape, style }: Written): string {
  return shape.separator ?? SEPARATORS[style ?? ''] ?? ',';
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Whether one text states the value: it is no list, no object and has no alternatives. So are most parameters. */
export function isScalar({ types, ways }: ValueShape): boolean {
  return ways === undefined && !types.includes('array') && !types.includes('object');
}

export function readScalar(text: string, { types, fits }: ValueShape): unknown {
  const typed = readTyped(text, types);
  if (typed === text || !types.includes('string')) return typed;
  return fits?.(typed) === false && fits(text) ? text : typed;
}

export function readText(text: string, written: Written): unknown {
  if (written.style !== 'json' && isScalar(written.shape)) return readScalar(text, written.shape);
  return readAs(sentText(text, written), written.shape);
}

/** What a text may be, by the style in which it is written. */
export function sentText(text: string, { style, explode, raw }: Omit<Written, 'shape'>, separator?: string): SentValue {
  if (style === 'json') {
    const parsed = parseJson(text);
    // A text that is not JSON stays a text, so that validation reports it.
    return { json: { value: parsed.ok ? parsed.value : text } };
  }
  const decodePart = (part: string): { text: string; raw?: string } => ({ text: decode(part) ?? part, raw: part });
  const split = (shape: ValueShape): { text: string; raw?: string }[] => {
    const by = separator ?? separatorOf({ shape, ...defined({ style }) });
    if (text === '') return [];
    // A blank and `|` cannot be in a URL as they are, so each of them separates also where it is escaped.
    if (raw !== undefined && [',', '.', ';'].includes(by)) return raw.split(by).map(decodePart);
    return text.split(by).map((each) => ({ text: each }));
  };
  const isEscaped = raw !== undefined && !/[,;=]/.test(raw) && !(separator === '.' && raw.includes('.'));
  return {
    text,
    ...(isEscaped ? { encoded: sentText(text, defined({ style, explode }), separator) } : {}),
    list: (as) => split(as).map((each) => sentText(each.text.trim(), defined({ raw: each.raw?.trim() }))),
    members(as) {
      if (text === '') return as.types.includes('string') ? undefined : [];
      // OpenAPI does not say how a list contains an object; many clients send JSON.
      if (style === undefined && text.startsWith('{')) {
        const parsed = parseJson(text);
        if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return undefined;
        return Object.entries(parsed.value).map(([name, value]) => [name, { json: { value } }]);
      }
      const parts = split(as);
      if (parts.length < 2 && !(explode === true && text.includes('='))) return undefined;
      // `x,1,y,2`, or exploded `x=1,y=2`.
      if (explode !== true)
        return parts.flatMap((key, index) =>
          index % 2 === 0 ? [[key.text, sentText(parts[index + 1]?.text ?? '', {})] as const] : [],
        );
      return parts.map((part) => {
        const { raw: escaped = part.text } = part;
        const [key = '', ...rest] = escaped
          .split('=')
          .map((each) => (escaped === part.text ? each : decodePart(each).text));
        return [key, sentText(rest.join('='), {})];
      });
    },
  };
}

export function isA({ shape }: Written, type: string): boolean {
  return shape.types.includes(type);
}

/** What a field of an object can be; a name such as `__proto__` is an ordinary one. */
export function fieldOf({ fields = {}, patterns = [], others }: ValueShape, name: string): ValueShape {
  if (Object.hasOwn(fields, name)) return fields[name] ?? { types: [] };
  return patterns.find(([isNamed]) => isNamed(name))?.[1] ?? others ?? { types: [] };
}

/** A parameter or a raw text with a percent escape that is not UTF-8 (RFC 3986 section 2.1). */
export type BadEscape = { part: 'path' | 'query'; name: string; raw: string };

/** A name and its value, decoded. */
export interface QueryPair {
  name: string;
  value: string;
  /** It in percent escapes alone, where it had any: what is escaped delimits nothing (RFC 6570 section 3.2.1). */
  raw?: string;
  /** Whether its sender says that the value is JSON. */
  isJson?: true;
}

export function splitQuery(query: string, badEscapes: BadEscape[]): QueryPair[] {
  const pairs: QueryPair[] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals === -1 ? part : part.slice(0, equals);
    const name = decode(rawName.includes('+') ? rawName.replaceAll('+', ' ') : rawName);
    const raw = equals === -1 ? '' : part.slice(equals + 1).replaceAll('+', '%20');
    const value = decode(raw);
    if (name !== undefined && value !== undefined) pairs.push(raw === value ? { name, value } : { name, value, raw });
    else badEscapes.push({ part: 'query', name: name ?? rawName, raw: part });
  }
  return pairs;
}

/** `undefined` for a percent escape that is not UTF-8. */
export function decode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
