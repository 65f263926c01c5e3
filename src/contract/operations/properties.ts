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
  const listParts = (name: string): Way[][] =>
    listIn(schema, pointer, [name]).map((part) => listWays(document, part, [...above, pointer]));
  for (const part of [...listParts('allOf'), listParts('anyOf').flat(), listParts('oneOf').flat()]) {
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
