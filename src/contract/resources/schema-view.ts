import { parsePointer, stepInto, type SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { readProperties, type Property, readValueShape } from '../operations/properties.js';
import { plainName } from './words.js';

export interface SchemaView {
  document: SourceDocument;
  /** The actual place of a schema: after references, and without wrappers around a single schema. */
  settle(pointer: string): string;
  properties(pointer: string): ReadonlyMap<string, Property>;
  /** Its properties by {@link plainName}. */
  plainProperties(pointer: string): ReadonlyMap<string, Property>;
  /** The property with a name, preferably the exact one, else in another style of writing. */
  findProperty(pointer: string, name: string): Property | undefined;
  /** Whether every alternative describes a property. */
  isCertain(pointer: string, name: string): boolean;
  /** The JSON types that a value may have, without `null`. */
  types(pointer: string): readonly string[];
  items(pointer: string): string | undefined;
  /** The schema of the values of an object that has others than its properties. */
  values(pointer: string): string | undefined;
  schema(pointer: string): Record<string, unknown>;
}

export function createSchemaView(source: SourceDocument): SchemaView {
  const document = rememberValues(source);
  const settle = remember((pointer) => settleAt(document, pointer));
  const properties = remember(
    (pointer) => new Map(readProperties(document, pointer).map((property) => [property.name, property])),
  );
  const plain = remember((pointer) => {
    const named = [...properties(pointer).values()].toReversed();
    return new Map(named.map((property) => [plainName(property.name), property]));
  });
  const types = remember((pointer) => readValueShape(document, pointer, 0).types.filter((type) => type !== 'null'));
  const items = remember((pointer) => findItems(document, pointer));
  return {
    document,
    settle,
    properties: (pointer) => properties(settle(pointer)),
    plainProperties: (pointer) => plain(settle(pointer)),
    findProperty(pointer, name) {
      const at = settle(pointer);
      return properties(at).get(name) ?? plain(at).get(plainName(name));
    },
    isCertain: (pointer, name) => isCertain(document, settle(pointer), name),
    types: (pointer) => types(settle(pointer)),
    items: (pointer) => items(settle(pointer)),
    values(pointer) {
      const at = settle(pointer);
      const schema = asObject(asObject(document.at(at))['additionalProperties']);
      return Object.keys(schema).length === 0 ? undefined : `${at}/additionalProperties`;
    },
    schema: (pointer) => asObject(document.at(settle(pointer))),
  };
}

/** A document that finds each value through its parent, since most pointers share their beginning. */
function rememberValues(source: SourceDocument): SourceDocument {
  const known = new Map<string, unknown>([['', source.root]]);
  const at = (pointer: string): unknown => {
    if (known.has(pointer)) return known.get(pointer);
    const cut = pointer.lastIndexOf('/');
    const [key = ''] = parsePointer(pointer.slice(cut));
    const value = cut === -1 ? source.at(pointer) : stepInto(at(pointer.slice(0, cut)), key);
    known.set(pointer, value);
    return value;
  };
  return { ...source, at };
}

function remember<T>(find: (pointer: string) => T): (pointer: string) => T {
  const known = new Map<string, T>();
  return (pointer) => {
    if (known.has(pointer)) return known.get(pointer) as T;
    const found = find(pointer);
    known.set(pointer, found);
    return found;
  };
}

const SAYS_NOTHING = new Set(['title', 'description', 'type', 'nullable', 'example', 'examples', 'deprecated', 'xml']);

function settleAt(document: SourceDocument, from: string): string {
  const visited = new Set<string>();
  for (let at = from; ;) {
    const { value, pointer } = resolveAt(document, at);
    const inside = visited.has(pointer) ? undefined : findOnlyPart(asObject(value), document, pointer);
    if (inside === undefined) return pointer;
    visited.add(pointer);
    at = inside;
  }
}

function findOnlyPart(schema: Record<string, unknown>, document: SourceDocument, at: string): string | undefined {
  const telling = Object.keys(schema).filter((name) => !SAYS_NOTHING.has(name) && !name.startsWith('x-'));
  const [composition = ''] = telling;
  if (telling.length !== 1 || !['allOf', 'anyOf', 'oneOf'].includes(composition)) return undefined;
  const parts = [...asList(schema[composition]).keys()].map((index) => `${at}/${composition}/${index}`);
  const real = composition === 'allOf' ? parts : parts.filter((part) => !isNull(resolveAt(document, part).value));
  return real.length === 1 ? real[0] : undefined;
}

function isNull(value: unknown): boolean {
  const { type, enum: choices } = asObject(value);
  return type === 'null' || (Array.isArray(choices) && choices.length === 1 && choices[0] === null);
}

function findItems(document: SourceDocument, at: string): string | undefined {
  const { value, pointer } = resolveAt(document, at);
  const schema = asObject(value);
  if (schema['items'] !== undefined) return Array.isArray(schema['items']) ? undefined : `${pointer}/items`;
  const parts = asList(schema['allOf']).map((_, index) => findItems(document, `${pointer}/allOf/${index}`));
  return parts.find((part) => part !== undefined);
}

function isCertain(document: SourceDocument, at: string, name: string, depth = 0): boolean {
  const { value, pointer } = resolveAt(document, at);
  const schema = asObject(value);
  if (Object.hasOwn(asObject(schema['properties']), name)) return true;
  if (depth > MAX_DEPTH) return false;
  const has = (part: string): boolean => isCertain(document, part, name, depth + 1);
  const partsOf = (composition: string): string[] =>
    [...asList(schema[composition]).keys()].map((index) => `${pointer}/${composition}/${index}`);
  if (partsOf('allOf').some(has)) return true;
  return ['oneOf', 'anyOf'].some((composition) => {
    const parts = partsOf(composition).filter((part) => !isNull(resolveAt(document, part).value));
    return parts.length > 0 && parts.every(has);
  });
}

const MAX_DEPTH = 8;
