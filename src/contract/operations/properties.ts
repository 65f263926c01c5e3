import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import { asList, asObject, asText, remember } from '../document/plain.js';
import { COMPOSITIONS, listIn, resolveAt } from '../document/references.js';
import type { Mark } from '../schemas/dialect.js';
import { WAS_SWAGGER } from '../document/upgrade.js';
import type { ValueShape } from '../model.js';
import { isJsonNumber } from '../document/json.js';
import { createContractPattern } from '../schemas/pattern.js';

export type Property = { name: string; required: boolean; schemaPointer: string };

/** Beside a property's reference, or where that leads. */
export function hasMark(document: SourceDocument, schemaPointer: string, mark: Mark): boolean {
  const isMarked = (value: unknown): boolean => asObject(value)[mark] === true;
  return isMarked(document.at(schemaPointer)) || isMarked(resolveAt(document, schemaPointer).value);
}

export const listProperties = (document: SourceDocument, schemaPointer: string): Set<string> =>
  new Set(readProperties(document, schemaPointer).map(({ name }) => name));

export const readProperties = (document: SourceDocument, schemaPointer: string): readonly Property[] =>
  propertiesOf(document)(schemaPointer);

const propertiesOf = readOnce((document: SourceDocument) =>
  remember((at: string): readonly Property[] => {
    const places = new Map<string, string>();
    const required = new Set<string>();
    const visited = new Set<string>();
    const collect = (from: string, isCertain: boolean): void => {
      const { value, pointer } = resolveAt(document, from);
      if (visited.has(pointer) || typeof value !== 'object' || value === null) return;
      visited.add(pointer);
      const schema = asObject(value);
      for (const name of isCertain ? asList(schema['required']) : []) required.add(String(name));
      for (const name of Object.keys(asObject(schema['properties'])))
        places.set(name, `${pointer}/properties/${escapePointer(name)}`);
      for (const part of listIn(schema, pointer, ['allOf'])) collect(part, isCertain);
      // What only an alternative requires is not always there.
      for (const part of listIn(schema, pointer, ['anyOf', 'oneOf'])) collect(part, false);
    };
    collect(at, true);
    return [...places].map(([name, place]) => ({ name, required: required.has(name), schemaPointer: place }));
  }),
);

export function readValueShape(document: SourceDocument, pointer: string | undefined, depth?: 0): ValueShape {
  if (pointer === undefined) return { types: [] };
  return depth === 0 ? { types: [...collectTypes(document, pointer)] } : shapesOf(document)(pointer);
}

const shapesOf = readOnce((document: SourceDocument) =>
  remember((pointer: string): ValueShape => {
    let ways: ValueShape[] | undefined;
    let joined: Omit<ValueShape, 'types'> | undefined;
    const readWays = (): ValueShape[] =>
      (ways ??= listWays(document, pointer, []).map((way) => shapeOf(document, way)));
    const parts = (['item', 'fields', 'patterns', 'others', 'separator'] as const).map(
      (name) => [name, { get: () => (joined ??= joinWays(readWays()))[name] }] as const,
    );
    return Object.defineProperties<ValueShape>(
      { types: [...collectTypes(document, pointer)] },
      {
        ...Object.fromEntries(parts),
        ways: { get: readWays },
        fits: { value: (value: unknown) => document.allows?.(pointer, value) ?? true },
      },
    );
  }),
);

interface Way {
  types: readonly string[];
  item?: string;
  leading?: readonly string[];
  fields: Readonly<Record<string, string>>;
  patterns: Readonly<Record<string, string>>;
  others?: string;
  separator?: string;
}

const MOST_WAYS = 32;

/** Each way in which a value can keep a schema: `allOf` has the parts of all, `anyOf` and `oneOf` those of one at a time. */
function listWays(document: SourceDocument, at: string, above: readonly string[]): Way[] {
  const { value, pointer } = resolveAt(document, at);
  const schema = asObject(value);
  let ways = [readOwn(document, schema, pointer)];
  if (above.includes(pointer)) return ways;
  const listWaysOf = (name: string): Way[][] =>
    listIn(schema, pointer, [name]).map((part) => listWays(document, part, [...above, pointer]));
  for (const part of [...listWaysOf('allOf'), listWaysOf('anyOf').flat(), listWaysOf('oneOf').flat()]) {
    if (part.length === 0) continue;
    const combined = ways.flatMap((way) => part.map((each) => join(way, each)));
    ways =
      combined.length <= MOST_WAYS
        ? combined
        : [combined.reduce((all, each) => ({ ...join(all, each), types: unite([all, each]) }))];
  }
  return ways;
}

function readOwn(document: SourceDocument, schema: Record<string, unknown>, pointer: string): Way {
  const map = (name: string): Record<string, string> => {
    const keys = Object.keys(asObject(schema[name]));
    return Object.fromEntries(keys.map((key) => [key, `${pointer}/${name}/${escapePointer(key)}`]));
  };
  const { items, additionalProperties, collectionFormat } = schema;
  const leading = Array.isArray(items) ? 'items' : 'prefixItems';
  return {
    types: listOwnTypes(schema),
    fields: map('properties'),
    patterns: map('patternProperties'),
    ...(items === undefined || Array.isArray(items) ? {} : { item: `${pointer}/items` }),
    ...(Array.isArray(schema[leading]) ? { leading: listIn(schema, pointer, [leading]) } : {}),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { others: `${pointer}/additionalProperties` }),
    // OpenAPI 3 has no such keyword.
    ...(document.at(`/${WAS_SWAGGER}`) === undefined ? {} : { separator: SEPARATORS[asText(collectionFormat) ?? ''] }),
  };
}

/** Swagger 2.0, Items Object. */
const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' };

function join(one: Way, other: Way): Way {
  const common = one.types.filter(
    (type) => other.types.includes(type) || (type === 'integer' && other.types.includes('number')),
  );
  const narrowed = other.types.filter((type) => type === 'integer' && one.types.includes('number'));
  const types =
    one.types.length === 0
      ? other.types
      : other.types.length === 0
        ? one.types
        : [...new Set([...common, ...narrowed])];
  const fields = { ...one.fields, ...other.fields };
  return { ...one, ...other, types, fields, patterns: { ...one.patterns, ...other.patterns } };
}

const unite = (all: readonly Pick<ValueShape, 'types'>[]): string[] => [...new Set(all.flatMap(({ types }) => types))];

function shapeOf(
  document: SourceDocument,
  { types, item, leading, fields, patterns, others, separator }: Way,
): ValueShape {
  const read = (pointer: string): ValueShape => readValueShape(document, pointer);
  const entries = Object.entries(fields).map(([name, at]): [string, ValueShape] => [name, read(at)]);
  return {
    types,
    item: item === undefined ? undefined : read(item),
    leading: leading?.map(read),
    fields: entries.length === 0 ? undefined : Object.fromEntries(entries),
    patterns: Object.entries(patterns).map(([source, at]) => {
      const pattern = createContractPattern(source, 'u');
      return [(name) => pattern.test(name), read(at)];
    }),
    others: others === undefined ? undefined : read(others),
    separator,
  };
}

function joinWays(ways: readonly ValueShape[]): ValueShape {
  const items = ways.flatMap(({ item }) => item ?? []);
  const fields = Object.assign({}, ...ways.map((way) => way.fields ?? {})) as NonNullable<ValueShape['fields']>;
  return {
    types: [],
    item: items.length < 2 ? items[0] : { types: unite(items), ways: items.flatMap((item) => item.ways ?? [item]) },
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    patterns: ways.flatMap(({ patterns = [] }) => patterns),
    others: ways.find(({ others }) => others !== undefined)?.others,
    separator: ways.find(({ separator }) => separator !== undefined)?.separator,
  };
}

function collectTypes(document: SourceDocument, at: string, found = new Set<string>(), visited = new Set<string>()) {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer)) return found;
  visited.add(pointer);
  const schema = asObject(value);
  for (const type of listOwnTypes(schema)) found.add(type);
  for (const part of listIn(schema, pointer, COMPOSITIONS)) collectTypes(document, part, found, visited);
  return found;
}

function listOwnTypes(schema: Record<string, unknown>): string[] {
  const stated = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (stated.length > 0) return stated;
  const values = schema['const'] === undefined ? asList(schema['enum']) : [schema['const']];
  const types = values.map((value) => {
    if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array';
    return isJsonNumber(value) ? 'number' : typeof value;
  });
  // Beside a type they say nothing of what the value is.
  if (['properties', 'additionalProperties', 'patternProperties'].some((name) => schema[name] !== undefined))
    types.push('object');
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) types.push('array');
  return [...new Set(types)];
}

/** Whether no value is of both shapes, other than null. */
export function areApart(one: ValueShape, other: ValueShape): boolean {
  const [types, others] = [one, other].map((shape) => {
    const plain = shape.types.map((type) => (type === 'integer' ? 'number' : type));
    return plain.filter((type) => type !== 'null');
  }) as [string[], string[]];
  return types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type));
}

/** Whether a schema says that a value may be null, in the words of any version of OpenAPI. */
export function isNullable(document: SourceDocument, at: string): boolean {
  const schema = asObject(resolveAt(document, at).value);
  const { types } = readValueShape(document, at, 0);
  return schema['nullable'] === true || types.includes('null') || asList(schema['enum']).includes(null);
}

type MarkedMember = { at: string; name: string; schemaPointer: string };

/** The part of a contract by which alternatives are told apart. */
interface Judging {
  document: SourceDocument;
  validate: { value: (schemaPointer: string, value: unknown) => readonly unknown[] };
}

const MOST_FOUND = 20;

/** Members that the schema marks, at any depth, in all alternatives that fit (OpenAPI 3.0.3, Schema Object). */
export const findMarked = (contract: Judging, schemaPointer: string, value: unknown, mark: Mark): MarkedMember[] =>
  findAll(contract, schemaPointer, value, mark).slice(0, MOST_FOUND);

export function leaveOutMarked(contract: Judging, schemaPointer: string, value: unknown, mark: Mark): unknown {
  const found = findAll(contract, schemaPointer, value, mark);
  return found.length === 0 ? value : leaveOut(value, '', new Set(found.map(({ at }) => at)));
}

function leaveOut(value: unknown, at: string, places: ReadonlySet<string>): unknown {
  if (![...places].some((place) => place.startsWith(`${at}/`))) return value;
  if (Array.isArray(value)) return value.map((each, index) => leaveOut(each, `${at}/${index}`, places));
  const members = Object.entries(asObject(value)).flatMap(([name, each]) => {
    const place = `${at}/${escapePointer(name)}`;
    return places.has(place) ? [] : [[name, leaveOut(each, place, places)] as const];
  });
  return Object.fromEntries(members);
}

function findAll({ document, validate }: Judging, root: string, whole: unknown, mark: Mark): MarkedMember[] {
  const mayHave = HOLDERS[mark](document);
  const walk = (schemaPointer: string, value: unknown, at: string): MarkedMember[] => {
    if (typeof value !== 'object' || value === null || !mayHave(schemaPointer)) return [];
    const { pointer, value: found } = resolveAt(document, schemaPointer);
    const schema = asObject(found);
    const members = listMembers(schema, pointer, value).flatMap(([name, member, within]) => {
      const place = `${at}/${escapePointer(name)}`;
      const isMarked = member !== null && hasMark(document, within, mark);
      return isMarked ? [{ at: place, name, schemaPointer: within }] : walk(within, member, place);
    });
    const parts = listIn(schema, pointer, ['allOf']).flatMap((part) => walk(part, value, at));
    const alternatives = ['anyOf', 'oneOf'].flatMap((keyword) => {
      const fitting = listIn(schema, pointer, [keyword]).filter((each) => validate.value(each, value).length === 0);
      const [first = [], ...others] = fitting.map((each) => walk(each, value, at));
      return first.filter((one) => others.every((each) => each.some((other) => other.at === one.at)));
    });
    return [...members, ...parts, ...alternatives];
  };
  return walk(root, whole, '');
}

function listMembers(schema: Record<string, unknown>, pointer: string, value: object): [string, unknown, string][] {
  if (Array.isArray(value)) {
    const placed = asList(schema['prefixItems']).length;
    return value.map((item, index) => [
      String(index),
      item,
      index < placed ? `${pointer}/prefixItems/${index}` : `${pointer}/items`,
    ]);
  }
  const properties = asObject(schema['properties']);
  return Object.entries(value).map(([name, member]) => {
    const isNamed = Object.hasOwn(properties, name);
    return [name, member, `${pointer}/${isNamed ? `properties/${escapePointer(name)}` : 'additionalProperties'}`];
  });
}

const createFinder = (mark: Mark): ((document: SourceDocument) => (schemaPointer: string) => boolean) =>
  readOnce((document: SourceDocument) =>
    remember((from: string) => {
      const visited = new Set<string>();
      const waiting = [from];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (hasMark(document, at, mark)) return true;
        const { pointer, value } = resolveAt(document, at);
        if (visited.has(pointer)) continue;
        visited.add(pointer);
        const schema = asObject(value);
        waiting.push(...listIn(schema, pointer, [...COMPOSITIONS, 'prefixItems']));
        for (const name of Object.keys(asObject(schema['properties'])))
          waiting.push(`${pointer}/properties/${escapePointer(name)}`);
        for (const keyword of ['items', 'additionalProperties'])
          if (typeof schema[keyword] === 'object') waiting.push(`${pointer}/${keyword}`);
      }
      return false;
    }),
  );
const HOLDERS = { readOnly: createFinder('readOnly'), writeOnly: createFinder('writeOnly') };

/** A value without the members that only requests have; the value itself if it has none of them. */
export type Hide = (value: unknown) => unknown;

export function readHide(document: SourceDocument, answer: string, requests: readonly string[]): Hide | undefined {
  const root = readShape([[answer], requests], { document, known: new Map() });
  return hidesAny(root, new Set()) ? (value) => hide(value, root) : undefined;
}

/** JSON Pointers to the schemas of one value: in answers, and in requests. */
type Places = readonly [shown: readonly string[], sent: readonly string[]];

interface Shape {
  hidden: ReadonlySet<string>;
  members: ReadonlyMap<string, () => Shape>;
  others: () => Shape;
  items: () => Shape;
}

function readShape(places: Places, shapes: { document: SourceDocument; known: Map<string, Shape> }): Shape {
  const { document, known } = shapes;
  const [shown, sent] = [listParts(places[0], document), listParts(places[1], document)];
  const id = `${shown.join(' ')}\n${sent.join(' ')}`;
  const found = known.get(id);
  if (found !== undefined) return found;
  const [ofShown, ofSent] = [mapMembers(shown, document), mapMembers(sent, document)];
  const names = [...new Set([...ofShown.keys(), ...ofSent.keys()])];
  const isMarked = (at: string): boolean => hasMark(document, at, 'writeOnly');
  const placesOf = (name: string): Places => [ofShown.get(name) ?? [], ofSent.get(name) ?? []];
  const placesBelow = (keywords: readonly string[]): Places => [
    listBelow(shown, keywords, document),
    listBelow(sent, keywords, document),
  ];
  const shape: Shape = {
    hidden: new Set(names.filter((name) => (ofShown.get(name) ?? ofSent.get(name))?.some(isMarked))),
    members: new Map(names.map((name) => [name, () => readShape(placesOf(name), shapes)])),
    others: () => readShape(placesBelow(OF_MEMBERS), shapes),
    items: () => readShape(placesBelow(OF_ITEMS), shapes),
  };
  known.set(id, shape);
  return shape;
}

const OF_MEMBERS = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];
const OF_ITEMS = ['items', 'prefixItems', 'unevaluatedItems', 'contains'];
const PARTS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];

function listParts(pointers: readonly string[], document: SourceDocument): string[] {
  const parts = new Set<string>();
  const visit = (at: string): void => {
    const { value, pointer } = resolveAt(document, at);
    if (parts.has(pointer) || typeof value !== 'object' || value === null) return;
    parts.add(pointer);
    for (const part of listBelow([pointer], PARTS, document)) visit(part);
  };
  for (const pointer of pointers) visit(pointer);
  return [...parts];
}

function mapMembers(parts: readonly string[], document: SourceDocument): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const part of parts)
    for (const name of Object.keys(asObject(asObject(document.at(part))['properties'])))
      places.set(name, [...(places.get(name) ?? []), `${part}/properties/${escapePointer(name)}`]);
  return places;
}

function listBelow(parts: readonly string[], keywords: readonly string[], document: SourceDocument): string[] {
  return parts.flatMap((part) =>
    keywords.flatMap((keyword) => {
      const value = asObject(document.at(part))[keyword];
      if (typeof value !== 'object' || value === null) return [];
      const at = `${part}/${keyword}`;
      if (Array.isArray(value)) return asList(value).map((_, index) => `${at}/${index}`);
      const isMap = keyword === 'patternProperties' || keyword === 'dependentSchemas';
      return isMap ? Object.keys(value).map((name) => `${at}/${escapePointer(name)}`) : [at];
    }),
  );
}

function hidesAny(shape: Shape, visited: Set<Shape>): boolean {
  if (visited.has(shape)) return false;
  visited.add(shape);
  if (shape.hidden.size > 0) return true;
  return [...shape.members.values(), shape.others, shape.items].some((read) => hidesAny(read(), visited));
}

function hide(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => hide(item, shape.items()));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // A number past a double is no object of JSON.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const before = Object.entries(value) as [string, unknown][];
  const after = before
    .filter(([name]) => !shape.hidden.has(name))
    .map(([name, member]): [string, unknown] => [name, hide(member, (shape.members.get(name) ?? shape.others)())]);
  const isSame = after.length === before.length && after.every(([, member], index) => member === before[index]?.[1]);
  return isSame ? value : Object.fromEntries(after);
}
