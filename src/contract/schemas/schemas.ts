import { readDialect, type Dialect } from './dialect.js';
import { chooseByDiscriminator } from './discriminator.js';
import { escapePointer, parsePointer } from '../document/document.js';
import { splitNumberRules } from './exact-number.js';
import type { SchemaObject } from '../model.js';
import { pointerOf, referenceOf } from '../document/references.js';
import { SOURCE_POINTER } from './violation.js';

/** What preparing a document goes by. */
interface Preparation {
  dialect: Dialect;
  /** Pointers of schemas that stand where OpenAPI has none, such as those of a file of their own. */
  elsewhere: Set<string>;
}

/**
 * A copy of an OpenAPI document in which every schema is ready for Ajv: it is
 * JSON Schema 2020-12 whatever the document's version, carries the pointer at
 * which it stands in the contract, has its numbers in the hands of
 * `exactNumber`, and what is no JSON Schema is left out.
 */
export function prepareSchemas(root: unknown): Record<string, unknown> {
  const preparation: Preparation = { dialect: readDialect(root), elsewhere: new Set() };
  for (;;) {
    const prepared = prepareNode(root, '', '', preparation) as Record<string, unknown>;
    const missed = findUnprepared(prepared).filter((pointer) => !preparation.elsewhere.has(pointer));
    if (missed.length === 0) return prepared;
    for (const pointer of missed) preparation.elsewhere.add(pointer);
  }
}

/** What a schema refers to is a schema, wherever it stands. */
function findUnprepared(prepared: unknown): string[] {
  const targets = new Set(listSchemas(prepared).map((schema) => pointerOf(referenceOf(schema) ?? '')));
  return [...targets].filter((pointer): pointer is string => {
    if (pointer === undefined) return false;
    const target = parsePointer(pointer).reduce(stepInto, prepared);
    return isObject(target) && target[SOURCE_POINTER] === undefined;
  });
}

function stepInto(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
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
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Fields of a schema that are no rules: OpenAPI's own (OpenAPI 3.1, Schema Object), and names, since references go by place. */
const ANNOTATIONS = ['example', 'examples', 'xml', 'externalDocs', 'discriminator', '$id', '$schema', '$comment'];

/** What is no rule where no schema is either: examples, and the name of a file of schemas. */
const OUTSIDE_SCHEMAS = ['example', 'examples', '$id', '$schema'];

function prepareNode(value: unknown, key: string, pointer: string, preparation: Preparation): unknown {
  if (isSchemaPosition(key, pointer) || preparation.elsewhere.has(pointer)) {
    return prepareSchema(value, pointer, preparation.dialect);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => prepareNode(item, '', `${pointer}/${index}`, preparation));
  }
  if (!isObject(value)) return value;
  return mapEntries(value, (name, item) => {
    if (name.startsWith('x-') || OUTSIDE_SCHEMAS.includes(name)) return undefined;
    return prepareNode(item, name, `${pointer}/${escapePointer(name)}`, preparation);
  });
}

function isSchemaPosition(key: string, pointer: string): boolean {
  if (/^\/components\/schemas\/[^/]+$/.test(pointer)) return true;
  return key === 'schema' && !/^\/components\/[^/]+\/schema$/.test(pointer);
}

/** One schema, ready for Ajv; `pointer` is where it stands. */
export function prepareSchema(schema: unknown, pointer: string, dialect: Dialect): unknown {
  if (!isObject(schema)) return schema;
  const prepared = mapEntries(chooseByDiscriminator(dialect.translate(schema)), (name, value) => {
    if (name.startsWith('x-') || ANNOTATIONS.includes(name)) return undefined;
    return prepareKeyword(name, value, { pointer: `${pointer}/${escapePointer(name)}`, dialect });
  });
  const numeric = splitNumberRules(prepared);
  return numeric === undefined
    ? { ...prepared, [SOURCE_POINTER]: pointer }
    : { ...numeric.rest, exactNumber: numeric.rules, [SOURCE_POINTER]: pointer };
}

function prepareKeyword(name: string, value: unknown, at: { pointer: string; dialect: Dialect }): unknown {
  const { pointer, dialect } = at;
  if (SINGLE.includes(name)) return prepareSchema(value, pointer, dialect);
  if (LISTS.includes(name) && Array.isArray(value)) {
    return value.map((item, index) => prepareSchema(item, `${pointer}/${index}`, dialect));
  }
  if (MAPS.includes(name) && isObject(value)) {
    return mapEntries(value, (key, item) => prepareSchema(item, `${pointer}/${escapePointer(key)}`, dialect));
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
