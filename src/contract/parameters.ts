import { MAX_JSON_DEPTH, parseJson, parseNumberLiteral } from './document/json.js';
import { FORM, isJsonMediaType } from './media-types.js';
import type { RequestHeaders, Content, Operation, Parameter, ValueShape } from './model.js';
import { groupBy, defined } from './document/plain.js';

export interface SentValue {
  text?: string;
  list?: (as: ValueShape) => readonly SentValue[] | undefined;
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
  const found = (shape.ways ?? [shape]).flatMap((way) => {
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
  });
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

const NO_TEXT = new Set(['array', 'object', 'null']);

function readMembers(sent: SentValue, way: ValueShape): Record<string, unknown> | undefined {
  const members = sent.members?.(way);
  return members && Object.fromEntries(members.map(([name, each]) => [name, readAs(each, fieldOf(way, name))]));
}

/** An integer consists of plain digits; which other notations are allowed is open (gaps `limit-forms`...). */
function readTyped(text: string, types: readonly string[]): unknown {
  // A fraction is no integer in any form, so it may say so as a number.
  const isNumber = types.includes('number') || (types.includes('integer') && INTEGER_OR_FRACTION.test(text));
  const number = isNumber ? parseNumberLiteral(text) : undefined;
  if (number !== undefined) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const INTEGER_OR_FRACTION = /^-?\d+(?:\.\d*[1-9]\d*)?$/;

export type Written = { shape: ValueShape; style?: Parameter['style']; explode?: boolean; raw?: string };

export const separatorOf = ({ shape, style }: Written): string => shape.separator ?? SEPARATORS[style ?? ''] ?? ',';
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Whether one text states the value: it is no list, no object and has no alternatives. So are most parameters. */
export const isScalar = ({ types, ways = [] }: ValueShape): boolean =>
  ways.length <= 1 && !types.includes('array') && !types.includes('object');

export function readScalar(text: string, shape: ValueShape): unknown {
  const { types } = shape.ways?.[0] ?? shape;
  const typed = readTyped(text, types);
  return types.includes('string') && shape.fits?.(typed) === false && shape.fits(text) ? text : typed;
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

export const isA = ({ shape }: Written, type: string): boolean => shape.types.includes(type);

/** What a field of an object can be; a name such as `__proto__` is an ordinary one. */
export function fieldOf({ fields = {}, patterns = [], others }: ValueShape, name: string): ValueShape {
  if (Object.hasOwn(fields, name)) return fields[name] ?? { types: [] };
  return patterns.find(([matches]) => matches(name))?.[1] ?? others ?? { types: [] };
}

/** A parameter or a raw text with a percent escape that is not UTF-8 (RFC 3986 section 2.1). */
export type BadEscape = { part: 'path' | 'query'; name: string; raw: string };

export interface QueryPair {
  name: string;
  value: string;
  /** It in percent escapes alone, where it had any: what is escaped delimits nothing (RFC 6570 section 3.2.1). */
  raw?: string;
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

export type ParameterValues = Record<string, unknown>;

export interface ParameterReading {
  path: ParameterValues;
  query: ParameterValues;
  header: ParameterValues;
  cookie: ParameterValues;
  /** Parameters and raw texts with a percent escape that is not UTF-8 (RFC 3986 section 2.1). */
  badEscapes: BadEscape[];
  repeated: string[];
  unknown: string[];
  tooDeep: string[];
  /** Names of query parameters that were sent without a value, which the contract allows them (`allowEmptyValue`). */
  empty: string[];
}

export type RepeatedPolicy = 'first' | 'last';

/** A text that cannot be converted stays a string, so that validation reports it. */
export function readParameters(
  operation: Operation,
  raw: { pathValues: Record<string, string>; query: string; headers: RequestHeaders },
  { repeated: policy = 'first' }: { repeated?: RepeatedPolicy } = {},
): ParameterReading {
  const none = { badEscapes: [], repeated: [], unknown: [], tooDeep: [], empty: [] };
  const reading: ParameterReading = { path: {}, query: {}, header: {}, cookie: {}, ...none };
  const pairs = splitQuery(raw.query, reading.badEscapes);
  const inQuery = operation.parameters.filter((each) => each.in === 'query');
  const isCredential = (name: string): boolean =>
    operation.security.some((combination) => combination.some(({ kind, at }) => kind === 'query' && at === name));
  const isFree = (name: string): boolean => !inQuery.some((each) => isNamed(name, each)) && !isCredential(name);
  for (const parameter of operation.parameters) {
    const { in: place, name } = parameter;
    if (place === 'path') {
      const given = raw.pathValues[name];
      const text = given === undefined ? undefined : decode(given);
      if (text !== undefined)
        reading.path[name] = readStyled(text === given ? { text } : { text, raw: given }, parameter);
      else if (given !== undefined) reading.badEscapes.push({ part: 'path', name, raw: given });
    } else if (parameter.style === 'querystring') readWholeQuery(parameter, raw.query, pairs, reading);
    else if (place === 'query') readQueryValue(parameter, { pairs, policy, isFree }, reading);
    else if (place === 'header') {
      const text = raw.headers[name.toLowerCase()];
      if (text !== undefined) reading.header[name] = readText(text, parameter);
    } else readCookieValue(parameter, raw.headers['cookie'], reading);
  }
  const isUnknown = (name: string): boolean => !inQuery.some((each) => takes(each, name)) && !isCredential(name);
  if (pairs.length > 0) reading.unknown = [...new Set(pairs.map(({ name }) => name))].filter(isUnknown);
  return reading;
}

/** A path value in its style: `.1.2`, `;ids=1,2` (OpenAPI 3.1.1, Style Values). */
function readStyled({ text, raw }: { text: string; raw?: string | undefined }, parameter: Parameter): unknown {
  const { name, style, explode, shape } = parameter;
  const isMarked = (style === 'label' && text.startsWith('.')) || (style === 'matrix' && text.startsWith(';'));
  if (!isMarked) return readText(text, raw === undefined ? parameter : { ...parameter, raw });
  // The mark itself may be escaped, and then so may all others.
  const isRaw = raw !== undefined && raw[0] === text[0];
  const rest = isRaw ? raw.slice(1) : text.slice(1);
  const read = (joined: string, separator: string): unknown =>
    isRaw
      ? readAs(sentText(decode(joined) ?? joined, { ...parameter, raw: joined }, separator), shape)
      : readAs(sentText(joined, parameter, separator), shape);
  if (style === 'label') return read(rest, explode ? '.' : ',');
  const values = rest.split(';').map((each) => (each === name ? '' : each.replace(`${name}=`, '')));
  const inFields = explode && isA(parameter, 'object') && !text.startsWith(`;${name}=`);
  return read(values.join(inFields ? ';' : ','), inFields ? ';' : ',');
}

interface Pairs {
  pairs: readonly QueryPair[];
  /** Which of several values counts where only one can. A list that is written in one text may be in several: `all`. */
  policy: RepeatedPolicy | 'all';
  isFree: (name: string) => boolean;
}

export function sentInPairs(
  parameters: readonly Parameter[],
  pairs: readonly QueryPair[],
): { sent: [name: string, value: SentValue][]; rest: QueryPair[]; tooDeep: string[] } {
  const tooDeep: string[] = [];
  const isFree = (): boolean => false;
  const sent = parameters.flatMap((parameter): [string, SentValue][] => {
    const found = findSent(parameter, { pairs, policy: 'all', isFree }, tooDeep);
    return found === undefined ? [] : [[parameter.name, found]];
  });
  const found = parameters.filter(({ name }) => sent.some(([each]) => each === name));
  return { sent, tooDeep, rest: pairs.filter(({ name }) => !found.some((each) => takes(each, name))) };
}

function readQueryValue(parameter: Parameter, from: Pairs, reading: ParameterReading): void {
  const { name, explode, allowsEmpty, shape } = parameter;
  if (parameter.style === 'form' && isScalar(shape)) return readScalarInQuery(parameter, from, reading);
  const sent = findSent(parameter, from, reading.tooDeep);
  if (sent === undefined) return;
  if (allowsEmpty === true && sent.text === '') return void reading.empty.push(name);
  const value = readAs(sent, shape);
  reading.query[name] = value;
  const isOne = !explode || !Array.isArray(value);
  if (isOne && from.pairs.filter((pair) => isNamed(pair.name, parameter)).length > 1) reading.repeated.push(name);
}

function readScalarInQuery(
  { name, shape, allowsEmpty }: Parameter,
  { pairs, policy }: Pairs,
  reading: ParameterReading,
) {
  const texts = pairs.flatMap((pair) => (pair.name === name ? [pair.value] : []));
  const text = texts.at(policy === 'last' ? -1 : 0);
  if (text === undefined) return;
  if (allowsEmpty === true && text === '') return void reading.empty.push(name);
  reading.query[name] = readScalar(text, shape);
  if (texts.length > 1) reading.repeated.push(name);
}

/** The fields of a form that the contract writes in a style of its own, as parameters of a query are. */
export function listStyled({ encoding = {}, shape }: Pick<Content, 'encoding' | 'shape'>): Parameter[] {
  const at = { in: 'query', required: false, pointer: '', schema: {}, schemaPointer: undefined } as const;
  return Object.entries(encoding).flatMap(([name, { style, explode }]) =>
    style === undefined
      ? []
      : [{ ...at, name, shape: fieldOf(shape, name), style, explode: explode ?? style === 'form' }],
  );
}

function readWholeQuery(
  { name, shape, encoding, mediaType = '' }: Parameter,
  query: string,
  pairs: readonly QueryPair[],
  reading: ParameterReading,
): void {
  if (query === '') return;
  if (mediaType.startsWith(FORM)) {
    const styled = listStyled({ shape, ...(encoding === undefined ? {} : { encoding }) });
    const { sent, rest, tooDeep } = sentInPairs(styled, pairs);
    reading.tooDeep.push(...tooDeep);
    const members = [...(sentMembers(rest).members?.(shape) ?? []), ...sent];
    return void (reading.query[name] = readAs({ members: () => members }, shape));
  }
  const text = decode(query) ?? query;
  reading.query[name] = isJsonMediaType(mediaType) ? readText(text, { shape, style: 'json' }) : text;
  // They are no pairs, so none of them has an escape of its own.
  reading.badEscapes = reading.badEscapes.filter(({ part }) => part !== 'query');
}

function findSent(parameter: Parameter, from: Pairs, tooDeep: string[]): SentValue | undefined {
  if (parameter.style === 'deepObject') return findDeepObject(parameter.name, from.pairs, tooDeep);
  const pairs = from.pairs.filter((pair) => isNamed(pair.name, parameter));
  const { explode, style, shape } = parameter;
  if (pairs.length === 0) {
    // The fields that its schema names, and where it is a map, all that are free.
    const isField = (name: string): boolean =>
      isRuled(shape, name) || (shape.others !== undefined && from.isFree(name));
    const members = isSpread(parameter) ? from.pairs.filter(({ name }) => isField(name)) : [];
    return members.length === 0 ? undefined : sentMembers(members);
  }
  const all = pairs.map(({ value, raw }) => sentText(value, { style, explode, ...(raw === undefined ? {} : { raw }) }));
  const sent = (from.policy === 'last' ? all.at(-1) : all[0]) ?? {};
  if (pairs.length === 1 && !explode) return sent;
  // What was escaped in one of several values is data.
  const { encoded: _encoded, ...first } = sent;
  if (explode) return { ...first, list: () => pairs.map(({ value }) => sentText(value, {})) };
  return from.policy === 'all' ? { ...first, list: (as) => all.flatMap((each) => each.list?.(as) ?? []) } : first;
}

const isNamed = (given: string, { name, shape, explode }: Parameter): boolean =>
  given === name || (explode && given === `${name}[]` && shape.types.includes('array'));

const isSpread = ({ style, explode, shape }: Parameter): boolean =>
  (style === 'form' || style === 'cookie') && explode && shape.types.includes('object');

function sentMembers(members: readonly QueryPair[]): SentValue {
  const byName = groupBy(members, ({ name }) => name);
  return { members: () => [...byName].map(([name, same]) => [name, sentTexts(same.map(({ value }) => value))]) };
}

const isRuled = ({ fields = {}, patterns = [] }: ValueShape, name: string): boolean =>
  Object.hasOwn(fields, name) || patterns.some(([matches]) => matches(name));

function sentTexts(values: readonly string[]): SentValue {
  const all = values.map((value) => sentText(value, {}));
  return { ...all[0], list: () => all };
}

/** The texts of a deepObject by their names: `f[a]=1&f[b][]=2`. */
type Tree = { texts: string[]; below: Map<string, Tree> };

/** `filter[name]=Rex&filter[tags][]=a` (OpenAPI 3.1.1, Style Values; what is nested deeper as most servers read it). */
function findDeepObject(name: string, pairs: readonly QueryPair[], tooDeep: string[]): SentValue | undefined {
  const root: Tree = { texts: [], below: new Map() };
  for (const pair of pairs) {
    const keys = keysOfDeepObject(pair.name, name) ?? [];
    if (keys.length > MAX_JSON_DEPTH) tooDeep.push(name);
    if (keys.length === 0 || keys.length > MAX_JSON_DEPTH) continue;
    let at = root;
    for (const given of keys) {
      // Nothing stands for the next item: `tags[]`.
      const key = given === '' ? String(at.below.size) : given;
      const next = at.below.get(key) ?? { texts: [], below: new Map<string, Tree>() };
      at.below.set(key, next);
      at = next;
    }
    at.texts.push(pair.value);
  }
  return root.below.size === 0 ? undefined : sentTree(root);
}

function keysOfDeepObject(pairName: string, name: string): string[] | undefined {
  if (!pairName.startsWith(`${name}[`) || !pairName.endsWith(']')) return undefined;
  return pairName.slice(name.length + 1, -1).split('][');
}

function sentTree({ texts, below }: Tree): SentValue {
  if (below.size === 0) return sentTexts(texts);
  const members = [...below].map(([key, tree]) => [key, sentTree(tree)] as const);
  const isList = members.every(([key]) => /^\d+$/.test(key));
  const items = members.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, item]) => item);
  return { members: () => members, list: () => (isList ? items : undefined) };
}

/** RFC 6265 section 4.2.1. Each value of a list may be a cookie of its own, and each field of an object. */
function readCookieValue(parameter: Parameter, raw: string | undefined, reading: ParameterReading): void {
  // In the style `cookie` nothing is escaped or joined (OpenAPI 3.2.0, Style Values).
  const isPlain = parameter.style === 'cookie';
  const pairs = (raw ?? '').split(';').map((each): QueryPair => {
    const [name = '', ...rest] = each.trim().split('=');
    const value = rest.join('=');
    const decoded = isPlain ? value : (decode(value) ?? value);
    return decoded === value ? { name, value } : { name, value: decoded, raw: value };
  });
  const named = pairs.filter(({ name }) => name === parameter.name);
  const by = { policy: 'first', isFree: () => false } as const;
  const sent =
    named.length === 1 && !isPlain
      ? findSent({ ...parameter, explode: false }, { pairs: named, ...by }, [])
      : findSent(parameter, { pairs, ...by }, []);
  if (sent !== undefined) reading.cookie[parameter.name] = readAs(sent, parameter.shape);
}

function takes(parameter: Parameter, name: string): boolean {
  if (parameter.style === 'querystring') return true;
  if (parameter.style === 'deepObject') return keysOfDeepObject(name, parameter.name) !== undefined;
  if (isNamed(name, parameter)) return true;
  if (!isSpread(parameter)) return false;
  const { fields, others } = parameter.shape;
  // An object whose fields the contract does not name may have any.
  return fields === undefined || others !== undefined || isRuled(parameter.shape, name);
}
