import { escapePointer } from './document.js';
import { splitNumberRules } from './exact-number.js';
import type { SchemaObject } from './operations.js';
import { SOURCE_POINTER } from './violation.js';

/**
 * A copy of an OpenAPI document in which every schema is ready for Ajv: it
 * carries the pointer at which it stands in the contract, its numbers are in
 * the hands of `exactNumber`, and what is no JSON Schema is left out.
 */
export function prepareSchemas(root: unknown): Record<string, unknown> {
  return prepareNode(root, '', '') as Record<string, unknown>;
}

/** The name under which Ajv knows the prepared copy. */
export const PREPARED = 'contract';

/** A schema that is the one at a pointer into the prepared copy. */
export function referTo(pointer: string): { $ref: string } {
  return { $ref: `${PREPARED}#${encodeURI(pointer)}` };
}

/** Every prepared schema, with those that it is made of before it. */
export function listSchemas(node: unknown): PreparedSchema[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(listSchemas);
  return typeof (node as SchemaObject)[SOURCE_POINTER] === 'string' ? [...inside, node as PreparedSchema] : inside;
}

/** Whether a schema names a property that every object inherits, such as `constructor`. */
export function namesInherited(prepared: unknown): boolean {
  const isInherited = (name: string): boolean => name in Object.prototype;
  return listSchemas(prepared).some(
    ({ properties, required }) =>
      Object.keys(properties ?? {}).some(isInherited) || (Array.isArray(required) && required.some(isInherited)),
  );
}

export interface PreparedSchema extends SchemaObject {
  readonly [SOURCE_POINTER]: string;
}

const SINGLE = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
/** OpenAPI's own fields of a schema (OpenAPI 3.1, Schema Object): no rules. */
const ANNOTATIONS = ['example', 'examples', 'xml', 'externalDocs', 'discriminator'];

function prepareNode(value: unknown, key: string, pointer: string): unknown {
  if (isSchemaPosition(key, pointer)) return prepareSchema(value, pointer);
  if (Array.isArray(value)) return value.map((item, index) => prepareNode(item, '', `${pointer}/${index}`));
  if (!isObject(value)) return value;
  return mapEntries(value, (name, item) => {
    if (name.startsWith('x-') || name === 'example' || name === 'examples') return undefined;
    return prepareNode(item, name, `${pointer}/${escapePointer(name)}`);
  });
}

function isSchemaPosition(key: string, pointer: string): boolean {
  if (/^\/components\/schemas\/[^/]+$/.test(pointer)) return true;
  return key === 'schema' && !/^\/components\/[^/]+\/schema$/.test(pointer);
}

/** One schema, ready for Ajv; `pointer` is where it stands. */
export function prepareSchema(schema: unknown, pointer: string): unknown {
  if (!isObject(schema)) return schema;
  const prepared = mapEntries(schema, (name, value) => {
    if (name.startsWith('x-') || ANNOTATIONS.includes(name)) return undefined;
    return prepareKeyword(name, value, `${pointer}/${escapePointer(name)}`);
  });
  const numeric = splitNumberRules(prepared);
  return numeric === undefined
    ? { ...prepared, [SOURCE_POINTER]: pointer }
    : { ...numeric.rest, exactNumber: numeric.rules, [SOURCE_POINTER]: pointer };
}

function prepareKeyword(name: string, value: unknown, pointer: string): unknown {
  if (SINGLE.includes(name)) return prepareSchema(value, pointer);
  if (LISTS.includes(name) && Array.isArray(value)) {
    return value.map((item, index) => prepareSchema(item, `${pointer}/${index}`));
  }
  if (MAPS.includes(name) && isObject(value)) {
    return mapEntries(value, (key, item) => prepareSchema(item, `${pointer}/${escapePointer(key)}`));
  }
  return value;
}

function mapEntries(source: SchemaObject, change: (key: string, value: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(source).map(([key, value]) => [key, change(key, value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
