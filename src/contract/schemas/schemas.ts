import type { OpenApiNode } from '../document/openapi-nodes.js';
import { escapePointer, parsePointer } from '../document/document.js';
import type { SchemaObject } from '../model.js';
import { translateSchema, type Dialect } from './dialect.js';
import { addNull, addNullAlternative, allowsNull } from './nullable.js';
import { splitNumberRules } from './exact-number.js';
import { isAnnotation, isRule } from './keywords.js';
import { SOURCE_POINTER } from './source-pointer.js';

/**
 * The schemas of an OpenAPI document, each at its place and ready for Ajv: JSON
 * Schema 2020-12 whatever the document's version, annotated with its pointer in the
 * contract, with `exactNumber` for numbers, and without anything that is not a rule.
 */
export function prepareSchemas(nodes: readonly OpenApiNode[], dialect: Dialect): Record<string, unknown> {
  const prepared: Record<string, unknown> = {};
  const schemas = nodes
    .filter(({ type }) => type === 'Schema')
    .map((node) => ({ node, path: parsePointer(node.pointer) }));
  // Preparing a schema prepares everything inside it, so the outer ones come first.
  for (const { node, path } of schemas.sort((a, b) => a.path.length - b.path.length)) {
    if (!isPrepared(prepared, path)) put(prepared, path, prepareSchema(node.value, node.pointer, { dialect }));
  }
  return prepared;
}

function isPrepared(prepared: unknown, path: readonly string[]): boolean {
  const found = path.reduce<unknown>(stepInto, prepared);
  return isObject(found) && found[SOURCE_POINTER] !== undefined;
}

/** What a JSON value has under a key. */
export function stepInto(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.at(-1) ?? '';
  let at = root;
  for (const key of path.slice(0, -1)) {
    if (!isObject(stepInto(at, key)) && !Array.isArray(stepInto(at, key))) define(at, key, {});
    at = stepInto(at, key) as Record<string, unknown>;
  }
  define(at, last, value);
}

/** A name such as `__proto__` is a property like any other. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The name under which Ajv knows the prepared schemas. */
export const PREPARED = 'contract';

/** A schema that refers to the one at a pointer into the prepared schemas. */
export function referTo(pointer: string): { $ref: string } {
  return { $ref: `${PREPARED}#${encodeURI(pointer)}` };
}

/** Every prepared schema, with its subschemas before it. */
export function listSchemas(node: unknown): PreparedSchema[] {
  const found: PreparedSchema[] = [];
  collect(node, found);
  return found;
}

function collect(node: unknown, found: PreparedSchema[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const inside of Object.values(node)) collect(inside, found);
  if (typeof (node as SchemaObject)[SOURCE_POINTER] === 'string') found.push(node as PreparedSchema);
}

/** Whether a schema names a property that every object inherits, such as `constructor`. */
export function namesInherited(schemas: readonly PreparedSchema[]): boolean {
  const isInherited = (name: string): boolean => name in Object.prototype;
  return schemas.some(
    ({ properties, required }) =>
      Object.keys(properties ?? {}).some(isInherited) || (Array.isArray(required) && required.some(isInherited)),
  );
}

export interface PreparedSchema extends SchemaObject {
  readonly [SOURCE_POINTER]: string;
}

const SINGLE = new Set(
  'items additionalProperties unevaluatedProperties unevaluatedItems not if then else contains propertyNames'.split(
    ' ',
  ),
);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Not a rule, but kept: with it, a violation of several alternatives is reported as one of the alternative that was meant. */
const TELLING = 'discriminator';

/** What is needed to prepare a schema. */
export interface Preparation {
  dialect: Dialect;
  /** Keeps fields that are neither rule nor annotation, so that Ajv refuses them. Default: they are left out. */
  keepsUnknown?: boolean;
}

/** One schema, ready for Ajv; `pointer` is where it stands. A part of one that null fits allows null as well. */
export function prepareSchema(schema: unknown, pointer: string, by: Preparation, isOfNullable = false): unknown {
  if (!isObject(schema)) return schema;
  const isNullable = isOfNullable || allowsNull(schema, by.dialect);
  const translated = translateSchema(schema, by.dialect);
  const rules: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isNullable ? addNull(translated) : translated)) {
    if (value === undefined || !isKept(name, by)) continue;
    const at = `${pointer}/${escapePointer(name)}`;
    rules[name] =
      isNullable && name === 'allOf' && Array.isArray(value)
        ? value.map((part, index) => prepareSchema(part, `${at}/${index}`, by, true))
        : prepareKeyword(name, value, at, by);
  }
  // Ajv sees what `if` evaluates only beside `then` (JSON Schema 2020-12 Core, section 10.2.2.1, for unevaluatedProperties).
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema; nobody awaits a schema
  if (rules['if'] !== undefined) rules['then'] ??= rules['if'];
  const prepared = isNullable ? addNullAlternative(rules, pointer) : rules;
  const numeric = splitNumberRules(prepared);
  return numeric === undefined
    ? { ...prepared, [SOURCE_POINTER]: pointer }
    : { ...numeric.rest, exactNumber: numeric.rules, [SOURCE_POINTER]: pointer };
}

function isKept(name: string, { keepsUnknown = false }: Preparation): boolean {
  return isRule(name) || (keepsUnknown ? !isAnnotation(name) : name === TELLING);
}

/** A schema in which each subschema is changed. */
export function mapSubschemas(schema: SchemaObject, change: (part: unknown) => unknown): Record<string, unknown> {
  const changed = {};
  for (const [name, value] of Object.entries(schema)) define(changed, name, mapKeyword(name, value, change));
  return changed;
}

function mapKeyword(name: string, value: unknown, change: (part: unknown) => unknown): unknown {
  if (SINGLE.has(name)) return change(value);
  if (LISTS.has(name) && Array.isArray(value)) return value.map(change);
  if (!MAPS.has(name) || !isObject(value)) return value;
  const changed = {};
  for (const [key, part] of Object.entries(value)) define(changed, key, change(part));
  return changed;
}

function prepareKeyword(name: string, value: unknown, pointer: string, by: Preparation): unknown {
  if (SINGLE.has(name)) return prepareSchema(value, pointer, by);
  if (LISTS.has(name) && Array.isArray(value)) {
    return value.map((item, index) => prepareSchema(item, `${pointer}/${index}`, by));
  }
  if (!MAPS.has(name) || !isObject(value)) return value;
  const prepared = {};
  for (const [key, item] of Object.entries(value)) {
    define(prepared, key, prepareSchema(item, `${pointer}/${escapePointer(key)}`, by));
  }
  return prepared;
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
