import type { RequestHeaders } from './message.js';
import type { Operation, Parameter } from './model.js';
import { parseNumberLiteral } from './document/json.js';

/** Typed values by parameter name; a parameter that was not sent has no entry. */
export type ParameterValues = Record<string, unknown>;

/** What the raw path, query and headers of a request state. */
export interface ParameterReading {
  path: ParameterValues;
  query: ParameterValues;
  header: ParameterValues;
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
  const reading: ParameterReading = { path: {}, query: {}, header: {}, badEscapes: [], repeated: [], unknown: [] };
  const pairs = splitQuery(raw.query, reading);
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') readPathValue(parameter, raw.pathValues[parameter.name], reading);
    else if (parameter.in === 'query') readQueryValue(parameter, pairs, options.repeated ?? 'first', reading);
    else if (parameter.in === 'header') readHeaderValue(parameter, raw.headers[parameter.name.toLowerCase()], reading);
  }
  if (pairs.length > 0) reading.unknown = findUnknown(operation, pairs);
  return reading;
}

/**
 * The value that a text states under a schema: a number, a boolean or the text
 * itself. An integer is its plain digits: how else one may be written outside
 * of JSON is open (gaps `limit-forms` and `pet-id-forms`).
 */
export function readTyped(text: string, schema: Readonly<Record<string, unknown>>): unknown {
  if (allows(schema, 'number')) return parseNumberLiteral(text) ?? text;
  if (allows(schema, 'integer')) {
    // A fraction is none in any form, so it may say so as a number.
    return DIGITS.test(text) || FRACTION.test(text) ? (parseNumberLiteral(text) ?? text) : text;
  }
  if (allows(schema, 'boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const DIGITS = /^-?\d+$/;
const FRACTION = /^-?\d+\.\d*[1-9]\d*$/;

function readPathValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  if (raw === undefined) return;
  const text = decode(raw);
  if (text === undefined) reading.badEscapes.push({ part: 'path', name: parameter.name, raw });
  else reading.path[parameter.name] = readListed(text, parameter);
}

function readQueryValue(
  parameter: Parameter,
  pairs: QueryPair[],
  policy: RepeatedPolicy,
  reading: ParameterReading,
): void {
  if (parameter.style === 'deepObject') return readDeepObject(parameter, pairs, reading);
  const values = pairs.filter((pair) => pair.name === parameter.name).map((pair) => pair.value);
  if (values.length === 0) return;
  if (isArray(parameter) && parameter.explode) {
    reading.query[parameter.name] = values.map((value) => readTyped(value, itemsOf(parameter)));
    return;
  }
  if (values.length > 1) reading.repeated.push(parameter.name);
  const chosen = policy === 'first' ? values[0] : values.at(-1);
  reading.query[parameter.name] = readListed(chosen ?? '', parameter);
}

/** `filter[name]=Rex&filter[age]=3` (OpenAPI 3.1, Style Values). */
function readDeepObject({ name, schema }: Parameter, pairs: QueryPair[], reading: ParameterReading): void {
  const properties = (schema['properties'] ?? {}) as Record<string, Readonly<Record<string, unknown>>>;
  const entries = pairs.flatMap((pair) => {
    const key = keyOfDeepObject(pair.name, name);
    return key === undefined ? [] : [[key, readTyped(pair.value, properties[key] ?? {})] as const];
  });
  if (entries.length > 0) reading.query[name] = Object.fromEntries(entries);
}

/** The key that `filter[key]` names for the parameter `filter`. */
function keyOfDeepObject(pairName: string, name: string): string | undefined {
  return pairName.startsWith(`${name}[`) && pairName.endsWith(']') ? pairName.slice(name.length + 1, -1) : undefined;
}

function readHeaderValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  if (raw !== undefined) reading.header[parameter.name] = readListed(raw, parameter);
}

/** What separates the values of an array in one text (OpenAPI 3.1, Style Values). */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** A text that holds all values of an array, or the one value of anything else. */
export function readListed(text: string, parameter: Written): unknown {
  if (!isArray(parameter)) return readTyped(text, parameter.schema);
  const texts = text === '' ? [] : text.split(SEPARATORS[parameter.style ?? ''] ?? ',');
  return texts.map((each) => readTyped(each.trim(), itemsOf(parameter)));
}

/** A schema, and the style in which its values are written. */
type Written = Pick<Parameter, 'schema'> & Partial<Pick<Parameter, 'style'>>;

function isArray({ schema }: Written): boolean {
  return allows(schema, 'array');
}

/** Whether a schema names a type, alone or in a list. */
function allows({ type }: Readonly<Record<string, unknown>>, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

function itemsOf({ schema }: Written): Readonly<Record<string, unknown>> {
  return (schema['items'] ?? {}) as Readonly<Record<string, unknown>>;
}

function findUnknown(operation: Operation, pairs: QueryPair[]): string[] {
  const inQuery = operation.parameters.filter((each) => each.in === 'query');
  const isKnown = (name: string): boolean =>
    inQuery.some((each) =>
      each.style === 'deepObject' ? keyOfDeepObject(name, each.name) !== undefined : each.name === name,
    );
  return [...new Set(pairs.map((pair) => pair.name))].filter((name) => !isKnown(name));
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
