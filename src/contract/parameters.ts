import { MAX_JSON_DEPTH } from './document/json.js';
import type { RequestHeaders } from './message.js';
import type { Operation, Parameter, ValueShape } from './model.js';
import { decode, splitQuery, type BadEscape, type QueryPair } from './query-pairs.js';
import { fieldOf, isA, itemOf, readText, readTyped } from './read-text.js';

/** Typed values by parameter name; a parameter that was not sent has no entry. */
export type ParameterValues = Record<string, unknown>;

/** The values in the raw path, query and headers of a request. */
export interface ParameterReading {
  path: ParameterValues;
  query: ParameterValues;
  header: ParameterValues;
  cookie: ParameterValues;
  /** Parameters and raw texts with a percent escape that is not UTF-8 (RFC 3986 section 2.1). */
  badEscapes: BadEscape[];
  /** Names of query parameters that occur more than once although they are not arrays. */
  repeated: string[];
  /** Names of query parameters that the operation does not have. */
  unknown: string[];
  /** Names of query parameters that are nested deeper than any body may be. */
  tooDeep: string[];
}

/** Which of several values of a parameter counts. */
export type RepeatedPolicy = 'first' | 'last';

/**
 * Converts raw strings to the types in the contract. A text that cannot be converted stays a string, so that validation
 * reports it.
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
    tooDeep: [],
  };
  const pairs = splitQuery(raw.query, reading.badEscapes);
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') readPathValue(parameter, raw.pathValues[parameter.name], reading);
    else if (parameter.in === 'query') readQueryValue(parameter, pairs, options.repeated ?? 'first', reading);
    else if (parameter.in === 'header') readHeaderValue(parameter, raw.headers[parameter.name.toLowerCase()], reading);
    else readCookieValue(parameter, raw.headers['cookie'], reading);
  }
  if (pairs.length > 0) reading.unknown = findUnknown(operation, pairs);
  return reading;
}

function readPathValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  if (raw === undefined) return;
  const text = decode(raw);
  if (text === undefined) reading.badEscapes.push({ part: 'path', name: parameter.name, raw });
  else reading.path[parameter.name] = readStyled(text, parameter);
}

/** A path value in its style: `.1.2`, `;ids=1,2` (OpenAPI 3.1.1, Style Values). */
function readStyled(text: string, parameter: Parameter): unknown {
  const { name, style, explode } = parameter;
  if (style === 'label' && text.startsWith('.')) {
    return readText(text.slice(1), parameter, explode ? '.' : ',');
  }
  if (style !== 'matrix' || !text.startsWith(';')) return readText(text, parameter);
  const plain = text.slice(1).replaceAll(`;${name}=`, ',').replace(`${name}=`, '');
  return readText(plain, parameter, explode && isA(parameter, 'object') ? ';' : ',');
}

/** What parameters of a query have, and the pairs that belong to none of them. */
export function readPairs(
  parameters: readonly Parameter[],
  pairs: readonly QueryPair[],
): { values: ParameterValues; rest: QueryPair[]; tooDeep: string[] } {
  const reading: QueryReading = { query: {}, repeated: [], tooDeep: [] };
  for (const parameter of parameters) readQueryValue(parameter, pairs, 'first', reading);
  const found = parameters.filter(({ name }) => Object.hasOwn(reading.query, name));
  const { query: values, tooDeep } = reading;
  return { values, tooDeep, rest: pairs.filter(({ name }) => !found.some((each) => takes(each, name))) };
}

type QueryReading = Pick<ParameterReading, 'query' | 'repeated' | 'tooDeep'>;

function readQueryValue(
  parameter: Parameter,
  pairs: readonly QueryPair[],
  policy: RepeatedPolicy,
  reading: QueryReading,
): void {
  if (parameter.style === 'deepObject') return readDeepObject(parameter, pairs, reading);
  const values = pairs.filter((pair) => isNamed(pair.name, parameter)).map((pair) => pair.value);
  if (values.length === 0) {
    if (isSpread(parameter)) readSpread(parameter, pairs, reading);
    return;
  }
  if (isA(parameter, 'array') && parameter.explode) {
    reading.query[parameter.name] = values.map((value) => readText(value, { shape: itemOf(parameter) }));
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

function readSpread({ name, shape }: Parameter, pairs: readonly QueryPair[], reading: QueryReading): void {
  const fields = shape.fields ?? {};
  const entries = pairs.flatMap((pair) => {
    const field = Object.hasOwn(fields, pair.name) ? fields[pair.name] : undefined;
    return field === undefined ? [] : [[pair.name, readTyped(pair.value, field)] as const];
  });
  if (entries.length > 0) reading.query[name] = Object.fromEntries(entries);
}

/** `filter[name]=Rex&filter[tags][]=a` (OpenAPI 3.1.1, Style Values; what is nested deeper as most servers read it). */
function readDeepObject({ name, shape }: Parameter, pairs: readonly QueryPair[], reading: QueryReading): void {
  const holder: Record<string, unknown> = {};
  for (const pair of pairs) {
    const keys = keysOfDeepObject(pair.name, name);
    if (keys === undefined) continue;
    if (keys.length > MAX_JSON_DEPTH) reading.tooDeep.push(name);
    else putDeep(holder, [name, ...keys], { text: pair.value, shape: { types: [], fields: { [name]: shape } } });
  }
  if (Object.hasOwn(holder, name)) reading.query[name] = holder[name];
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
  const inside = fieldOf(shape, key);
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined;
  // An index, or nothing, stands for an item: `tags[]`, `items[0][price]`. A choice of list or object is one by its key.
  const isList = inside.types.includes('array') && (!inside.types.includes('object') || /^\d*$/.test(rest[0] ?? ''));
  if (rest.length > 0 && !isList) {
    const next = asHolder(known);
    define(holder, key, next);
    return putDeep(next, rest, { text, shape: inside });
  }
  if (!isList) return define(holder, key, readTyped(text, inside));
  const items = Array.isArray(known) ? (known as unknown[]) : [];
  putItem(items, rest, { text, shape: inside.item ?? { types: [] } });
  define(holder, key, items);
}

/** `items[0][price]`: the parts of one item have the same index. */
function putItem(
  items: unknown[],
  [index = '', ...rest]: readonly string[],
  { text, shape }: { text: string; shape: ValueShape },
): void {
  if (rest.length === 0) return void items.push(readTyped(text, shape));
  const at = /^\d+$/.test(index) ? Math.min(Number(index), items.length) : items.length;
  const item = asHolder(items[at]);
  items[at] = item;
  putDeep(item, rest, { text, shape });
}

function asHolder(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Keeps a name such as `__proto__` an ordinary one. */
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

function findUnknown(operation: Operation, pairs: QueryPair[]): string[] {
  const inQuery = operation.parameters.filter((each) => each.in === 'query');
  const names = [...new Set(pairs.map((pair) => pair.name))];
  return names.filter((name) => !inQuery.some((each) => takes(each, name)) && !isCredential(operation, name));
}

function isCredential({ security }: Operation, name: string): boolean {
  return security.some((combination) => combination.some(({ kind, at }) => kind === 'query' && at === name));
}

/** Whether a name in a query belongs to this parameter. */
function takes(parameter: Parameter, name: string): boolean {
  if (parameter.style === 'deepObject') return keysOfDeepObject(name, parameter.name) !== undefined;
  if (isNamed(name, parameter)) return true;
  if (!isSpread(parameter)) return false;
  const { fields } = parameter.shape;
  // An object whose fields the contract does not name may have any.
  return fields === undefined || Object.hasOwn(fields, name);
}
