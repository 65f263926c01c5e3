import { escapePointer, type SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { ValueShape } from '../model.js';
import { readProperties } from './properties.js';
import { isJsonNumber } from '../numbers/decimal.js';

/** How deep the shape of a value is read; no style of OpenAPI writes deeper ones. */
const DEPTH = 3;

/** What a text can state under the schema at a pointer, through `$ref` and the schemas it is made of. */
export function readValueShape(
  document: SourceDocument,
  pointer: string | undefined,
  depth: number = DEPTH,
): ValueShape {
  if (pointer === undefined) return { types: [] };
  const types = [...collectTypes(document, pointer, new Set())];
  if (depth === 0) return { types };
  const items = types.includes('array') ? findItems(document, pointer) : undefined;
  const fields = types.includes('object') ? readProperties(document, pointer) : [];
  return {
    types,
    ...(items === undefined ? {} : { item: readValueShape(document, items, depth - 1) }),
    ...(fields.length === 0 ? {} : { fields: readFields(document, fields, depth - 1) }),
  };
}

function readFields(
  document: SourceDocument,
  fields: ReturnType<typeof readProperties>,
  depth: number,
): Record<string, ValueShape> {
  return Object.fromEntries(
    fields.map(({ name, schemaPointer }) => [name, readValueShape(document, schemaPointer, depth)]),
  );
}

function collectTypes(document: SourceDocument, at: string, visited: Set<string>): Set<string> {
  const { value, pointer } = resolveAt(document, at);
  const found = new Set<string>();
  if (visited.has(pointer)) return found;
  visited.add(pointer);
  const schema = asObject(value);
  for (const type of [schema['type']].flat()) if (typeof type === 'string') found.add(type);
  for (const choice of found.size === 0 ? asList(schema['enum']) : []) found.add(typeOfValue(choice));
  // Beside a type they say nothing of what the value is.
  if (schema['type'] === undefined && schema['properties'] !== undefined) found.add('object');
  if (schema['type'] === undefined && schema['items'] !== undefined) found.add('array');
  for (const parts of ['allOf', 'anyOf', 'oneOf']) {
    for (const index of asList(schema[parts]).keys()) {
      for (const type of collectTypes(document, `${pointer}/${parts}/${index}`, visited)) found.add(type);
    }
  }
  return found;
}

function typeOfValue(value: unknown): string {
  return isJsonNumber(value) ? 'number' : typeof value;
}

function findItems(document: SourceDocument, at: string): string | undefined {
  const { value, pointer } = resolveAt(document, at);
  const schema = asObject(value);
  if (schema['items'] !== undefined) return `${pointer}/${escapePointer('items')}`;
  const parts = asList(schema['allOf']).map((_, index) => findItems(document, `${pointer}/allOf/${index}`));
  return parts.find((part) => part !== undefined);
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
