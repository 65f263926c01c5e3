import { parseJson, parseNumberLiteral } from './document/json.js';
import type { RequestHeaders } from './message.js';
import type { Operation, Parameter, ValueShape } from './model.js';

/** Typed values by parameter name; a parameter that was not sent has no entry. */
export type ParameterValues = Record<string, unknown>;

/** What the raw path, query and headers of a request state. */
export interface ParameterReading {
  path: ParameterValues;
  query: ParameterValues;
  header: ParameterValues;
  cookie: ParameterValues;
  /** Parameters and raw texts with a percent escape that is no UTF-8 (RFC 3986 section 2.1). */
  badEscapes: { part: 'path' | 'query'; name: string; raw: string }[];
  /** Names of query parameters that stand more than once although they are no arrays. */
  repeated: string[];
  /** Names of query parameters that the operation does not have. */
  unknown: string[];
}

/** Which of several values of one parameter counts. */
export type RepeatedPolicy = 'first' | 'last';

interface QueryPair {
  name: string;
  value: string;
}

/**
 * Turns raw strings into values of the types that the contract gives. What
 * does not read as that type stays a string, so that validation names it.
 */
export function readParameters(
  operation: Operation,
  raw: { pathValues: Record<string, string>; query: string; headers: RequestHeaders },
  options: { repeated?: RepeatedPolicy } = {},
): ParameterReading {
  const reading: ParameterReading = {
    path: {},
    query: {},
    header: {},
    cookie: {},
    badEscapes: [],
    repeated: [],
    unknown: [],
  };
  const pairs = splitQuery(raw.query, reading);
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') readPathValue(parameter, raw.pathValues[parameter.name], reading);
    else if (parameter.in === 'query') readQueryValue(parameter, pairs, options.repeated ?? 'first', reading);
    else if (parameter.in === 'header') readHeaderValue(parameter, raw.headers[parameter.name.toLowerCase()], reading);
    else readCookieValue(parameter, raw.headers['cookie'], reading);
  }
  if (pairs.length > 0) reading.unknown = findUnknown(operation, pairs);
  return reading;
}

/**
 * The value that a text states: a number, a boolean or the text itself. An
 * integer is its plain digits: how else one may be written outside of JSON is
 * open (gaps `limit-forms` and `pet-id-forms`).
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

function readPathValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  if (raw === undefined) return;
  const text = decode(raw);
  if (text === undefined) reading.badEscapes.push({ part: 'path', name: parameter.name, raw });
  else reading.path[parameter.name] = readStyled(text, parameter);
}

/** A path value as its style writes it: `.1.2`, `;ids=1,2` (OpenAPI 3.1.1, Style Values). */
function readStyled(text: string, parameter: Parameter): unknown {
  const { name, style, explode } = parameter;
  if (style === 'label' && text.startsWith('.')) {
    return readText(text.slice(1), parameter, explode ? '.' : ',');
  }
  if (style !== 'matrix' || !text.startsWith(';')) return readText(text, parameter);
  const plain = text.slice(1).replaceAll(`;${name}=`, ',').replace(`${name}=`, '');
  return readText(plain, parameter, explode && isA(parameter, 'object') ? ';' : ',');
}

function readQueryValue(
  parameter: Parameter,
  pairs: QueryPair[],
  policy: RepeatedPolicy,
  reading: ParameterReading,
): void {
  if (parameter.style === 'deepObject') return readDeepObject(parameter, pairs, reading);
  const values = pairs.filter((pair) => isNamed(pair.name, parameter)).map((pair) => pair.value);
  if (values.length === 0) {
    if (isSpread(parameter)) readSpread(parameter, pairs, reading);
    return;
  }
  if (isA(parameter, 'array') && parameter.explode) {
    reading.query[parameter.name] = values.map((value) => readTyped(value, itemOf(parameter)));
    return;
  }
  if (values.length > 1) reading.repeated.push(parameter.name);
  const chosen = policy === 'first' ? values[0] : values.at(-1);
  reading.query[parameter.name] = readText(chosen ?? '', parameter);
}

/** Many clients write `ids[]` for each value of an array. */
function isNamed(given: string, { name, shape, explode }: Parameter): boolean {
  return given === name || (explode && given === `${name}[]` && shape.types.includes('array'));
}

/** Whether each field of an object is a query parameter of its own. */
function isSpread({ style, explode, shape }: Parameter): boolean {
  return style === 'form' && explode && shape.types.includes('object');
}

function readSpread({ name, shape }: Parameter, pairs: QueryPair[], reading: ParameterReading): void {
  const fields = shape.fields ?? {};
  const entries = pairs.flatMap((pair) => {
    const field = Object.hasOwn(fields, pair.name) ? fields[pair.name] : undefined;
    return field === undefined ? [] : [[pair.name, readTyped(pair.value, field)] as const];
  });
  if (entries.length > 0) reading.query[name] = Object.fromEntries(entries);
}

/** `filter[name]=Rex&filter[tags][]=a` (OpenAPI 3.1.1, Style Values; what is nested deeper as most servers read it). */
function readDeepObject({ name, shape }: Parameter, pairs: QueryPair[], reading: ParameterReading): void {
  const value: Record<string, unknown> = {};
  for (const pair of pairs) {
    const keys = keysOfDeepObject(pair.name, name);
    if (keys !== undefined) putDeep(value, keys, { text: pair.value, shape });
  }
  if (Object.keys(value).length > 0) reading.query[name] = value;
}

/** The keys that `filter[a][b]` names for the parameter `filter`. */
function keysOfDeepObject(pairName: string, name: string): string[] | undefined {
  if (!pairName.startsWith(`${name}[`) || !pairName.endsWith(']')) return undefined;
  return pairName.slice(name.length + 1, -1).split('][');
}

function putDeep(
  holder: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
  { text, shape }: { text: string; shape: ValueShape },
): void {
  const inside: ValueShape = shape.fields?.[key] ?? { types: [] };
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (rest.length > 0 && !inside.types.includes('array')) {
    const next = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {};
    define(holder, key, next);
    return putDeep(next, rest, { text, shape: inside });
  }
  if (!inside.types.includes('array')) return define(holder, key, readTyped(text, inside));
  const item = readTyped(text, inside.item ?? { types: [] });
  define(holder, key, Array.isArray(known) ? [...(known as unknown[]), item] : [item]);
}

/** A name such as `__proto__` is one like any other. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function readHeaderValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  if (raw !== undefined) reading.header[parameter.name] = readText(raw, parameter);
}

/** RFC 6265 section 4.2.1. */
function readCookieValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  const pair = raw?.split(';').find((each) => each.trim().startsWith(`${parameter.name}=`));
  if (pair === undefined) return;
  const text = pair.trim().slice(parameter.name.length + 1);
  reading.cookie[parameter.name] = readText(decode(text) ?? text, parameter);
}

/** What separates the values of an array in one text (OpenAPI 3.1.1, Style Values). */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** How a value stands in one text, and what it can be. */
export interface Written {
  shape: ValueShape;
  style?: Parameter['style'];
  explode?: boolean;
}

/** A text that holds all values of an array or an object, or the one value of anything else. */
export function readText(text: string, written: Written, separator?: string): unknown {
  const { style, shape, explode } = written;
  if (style === 'json') return readJson(text);
  const split = (): string[] => (text === '' ? [] : text.split(separator ?? SEPARATORS[style ?? ''] ?? ','));
  if (isA(written, 'array')) return split().map((each) => readTyped(each.trim(), itemOf(written)));
  if (!isA(written, 'object') || !/[,=|]/.test(text)) return readTyped(text, shape);
  return readFields(split(), written, { joined: explode === true });
}

/** `x,1,y,2`, or exploded `x=1,y=2`. */
function readFields(texts: readonly string[], { shape }: Written, { joined }: { joined: boolean }): unknown {
  const read = (key: string, text: string): readonly [string, unknown] => [
    key,
    readTyped(text, shape.fields?.[key] ?? { types: [] }),
  ];
  if (joined) {
    return Object.fromEntries(texts.map((each) => read(each.split('=')[0] ?? '', each.replace(/^[^=]*=?/, ''))));
  }
  const keys = texts.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(keys.map((key, index) => read(key, texts[index * 2 + 1] ?? '')));
}

/** What is no JSON stays a text, so that validation names it. */
function readJson(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

function isA({ shape }: Written, type: string): boolean {
  return shape.types.includes(type);
}

function itemOf({ shape }: Written): ValueShape {
  return shape.item ?? { types: [] };
}

function findUnknown(operation: Operation, pairs: QueryPair[]): string[] {
  const inQuery = operation.parameters.filter((each) => each.in === 'query');
  return [...new Set(pairs.map((pair) => pair.name))].filter((name) => !inQuery.some((each) => takes(each, name)));
}

/** Whether a name in a query is of this parameter. */
function takes(parameter: Parameter, name: string): boolean {
  if (parameter.style === 'deepObject') return keysOfDeepObject(name, parameter.name) !== undefined;
  if (isNamed(name, parameter)) return true;
  if (!isSpread(parameter)) return false;
  const { fields } = parameter.shape;
  // Of an object whose fields nobody names, any may come.
  return fields === undefined || Object.hasOwn(fields, name);
}

/** Pairs of a query as forms write it: `&` between them, `+` for a space. */
function splitQuery(query: string, reading: ParameterReading): QueryPair[] {
  const pairs: QueryPair[] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals === -1 ? part : part.slice(0, equals);
    const name = decodeForm(rawName);
    const value = equals === -1 ? '' : decodeForm(part.slice(equals + 1));
    if (name !== undefined && value !== undefined) pairs.push({ name, value });
    else reading.badEscapes.push({ part: 'query', name: name ?? rawName, raw: part });
  }
  return pairs;
}

function decodeForm(raw: string): string | undefined {
  return decode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

function decode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
