import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import { asList, asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { Mark } from '../schemas/dialect.js';
import { WAS_SWAGGER } from '../document/upgrade.js';
import type { ValueShape } from '../model.js';
import { isJsonNumber } from '../numbers/decimal.js';
import { createContractPattern } from '../schemas/pattern.js';

export interface Property {
  name: string;
  required: boolean;
  schemaPointer: string;
}

export function hasMark(document: SourceDocument, schemaPointer: string, mark: Mark): boolean {
  const isMarked = (value: unknown): boolean => asObject(value)[mark] === true;
  return isMarked(document.at(schemaPointer)) || isMarked(resolveAt(document, schemaPointer).value);
}

export function listProperties(document: SourceDocument, schemaPointer: string): Set<string> {
  return new Set(readProperties(document, schemaPointer).map(({ name }) => name));
}

export function readProperties(document: SourceDocument, schemaPointer: string): readonly Property[] {
  const known = readKnown(document);
  const found = known.get(schemaPointer) ?? listAll(document, schemaPointer);
  known.set(schemaPointer, found);
  return found;
}

/** Making a record asks for the properties of the same few schemas thousands of times. */
const readKnown = readOnce((_document: SourceDocument) => new Map<string, readonly Property[]>());

function listAll(document: SourceDocument, schemaPointer: string): readonly Property[] {
  const found: Found = { places: new Map(), required: new Set(), visited: new Set() };
  collect(document, schemaPointer, found, true);
  return [...found.places].map(([name, place]) => ({
    name,
    required: found.required.has(name),
    schemaPointer: place,
  }));
}

interface Found {
  places: Map<string, string>;
  required: Set<string>;
  visited: Set<string>;
}

function collect(document: SourceDocument, at: string, found: Found, certain: boolean): void {
  const { value, pointer } = resolveAt(document, at);
  if (found.visited.has(pointer) || typeof value !== 'object' || value === null) return;
  found.visited.add(pointer);
  const schema = asObject(value);
  for (const name of certain ? asList(schema['required']) : []) found.required.add(String(name));
  for (const name of Object.keys(asObject(schema['properties']))) {
    found.places.set(name, `${pointer}/properties/${escapePointer(name)}`);
  }
  for (const composition of ['allOf', 'anyOf', 'oneOf']) {
    for (const index of asList(schema[composition]).keys()) {
      // What only an alternative requires is not always there.
      collect(document, `${pointer}/${composition}/${index}`, found, certain && composition === 'allOf');
    }
  }
}

/** What a text can state under a schema. With `depth` 0, the types alone. */
export function readValueShape(document: SourceDocument, pointer: string | undefined, depth?: 0): ValueShape {
  if (pointer === undefined) return { types: [] };
  if (depth === 0) return { types: [...collectTypes(document, pointer, new Set())] };
  const known = readKnownShapes(document);
  const shape = known.get(pointer) ?? new SchemaShape(document, pointer);
  known.set(pointer, shape);
  return shape;
}

const readKnownShapes = readOnce((_document: SourceDocument) => new Map<string, ValueShape>());

/** Reads its parts on demand: a schema may contain itself. */
class SchemaShape implements ValueShape {
  readonly types: readonly string[];
  readonly #document: SourceDocument;
  readonly #pointer: string;
  #ways: readonly ValueShape[] | undefined;
  #all: ValueShape | undefined;

  constructor(document: SourceDocument, pointer: string) {
    this.#document = document;
    this.#pointer = pointer;
    this.types = [...collectTypes(document, pointer, new Set())];
  }

  get ways(): readonly ValueShape[] {
    return (this.#ways ??= listWays(this.#document, this.#pointer, []).map((way) => shapeOf(this.#document, way)));
  }

  get item(): ValueShape | undefined {
    return this.#joined.item;
  }

  get fields(): ValueShape['fields'] {
    return this.#joined.fields;
  }

  get patterns(): ValueShape['patterns'] {
    return this.#joined.patterns;
  }

  get others(): ValueShape | undefined {
    return this.#joined.others;
  }

  get separator(): string | undefined {
    return this.#joined.separator;
  }

  get #joined(): ValueShape {
    return (this.#all ??= joinWays(this.ways));
  }

  fits(value: unknown): boolean {
    return this.#document.allows?.(this.#pointer, value) ?? true;
  }
}

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
    [...asList(schema[name]).keys()].map((index) =>
      listWays(document, `${pointer}/${name}/${index}`, [...above, pointer]),
    );
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
  const at = (name: string): string => `${pointer}/${name}`;
  const list = (name: string): Record<string, string> =>
    Object.fromEntries(Object.keys(asObject(schema[name])).map((key) => [key, `${at(name)}/${escapePointer(key)}`]));
  const listLeading = (name: string): Pick<Way, 'leading'> =>
    Array.isArray(schema[name]) ? { leading: schema[name].map((_, index) => `${at(name)}/${index}`) } : {};
  const { items, additionalProperties, collectionFormat } = schema;
  return {
    types: listOwnTypes(schema),
    fields: list('properties'),
    patterns: list('patternProperties'),
    ...(items === undefined || Array.isArray(items) ? {} : { item: at('items') }),
    // In older drafts a list of items is what is called prefixItems today.
    ...listLeading(Array.isArray(items) ? 'items' : 'prefixItems'),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { others: at('additionalProperties') }),
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
  return {
    ...one,
    ...other,
    types,
    fields: { ...one.fields, ...other.fields },
    patterns: { ...one.patterns, ...other.patterns },
  };
}

function unite(all: readonly Pick<ValueShape, 'types'>[]): string[] {
  return [...new Set(all.flatMap(({ types }) => types))];
}

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

function collectTypes(document: SourceDocument, at: string, visited: Set<string>): Set<string> {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer)) return new Set();
  visited.add(pointer);
  const schema = asObject(value);
  const found = new Set(listOwnTypes(schema));
  for (const parts of ['allOf', 'anyOf', 'oneOf']) {
    for (const index of asList(schema[parts]).keys()) {
      for (const type of collectTypes(document, `${pointer}/${parts}/${index}`, visited)) found.add(type);
    }
  }
  return found;
}

function listOwnTypes(schema: Record<string, unknown>): string[] {
  const stated = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (stated.length > 0) return stated;
  const values = schema['const'] === undefined ? asList(schema['enum']) : [schema['const']];
  const types = values.map(typeOfValue);
  // Beside a type they say nothing of what the value is.
  if (['properties', 'additionalProperties', 'patternProperties'].some((name) => schema[name] !== undefined))
    types.push('object');
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) types.push('array');
  return [...new Set(types)];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonNumber(value) ? 'number' : typeof value;
}

/** Whether no value is of both shapes, other than null. */
export function areApart(one: ValueShape, other: ValueShape): boolean {
  const [types, others] = [listTypes(one), listTypes(other)];
  if (types.size === 0 || others.size === 0) return false;
  return ![...types].some((type) => others.has(type));
}

function listTypes(shape: ValueShape): Set<string> {
  const types = shape.types.map((type) => (type === 'integer' ? 'number' : type));
  return new Set(types.filter((type) => type !== 'null'));
}

/** Whether a schema says that a value may be null, in the words of any version of OpenAPI. */
export function isNullable(document: SourceDocument, at: string): boolean {
  const schema = asObject(resolveAt(document, at).value);
  const { types } = readValueShape(document, at, 0);
  return schema['nullable'] === true || types.includes('null') || asList(schema['enum']).includes(null);
}
