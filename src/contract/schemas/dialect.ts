import { type SourceDocument, parsePointer } from '../document/document.js';
import { shorten } from '../document/json.js';
import type { Notes } from '../document/notes.js';
import type { SchemaObject } from '../model.js';
import { asObject, asList, defined } from '../document/plain.js';
import { resolveAt, pointerOf, referenceOf } from '../document/references.js';

export interface Dialect {
  name: string;
  /** Whether what stands beside a `$ref` counts (OpenAPI 3.0.3, Reference Object: it does not). */
  readsBesideReference: boolean;
}

/** OpenAPI 3.1 and 3.2 write JSON Schema 2020-12 itself. */
export const JSON_SCHEMA: Dialect = { name: 'OpenAPI 3.1', readsBesideReference: true };
const OPENAPI_3_0: Dialect = { name: 'OpenAPI 3.0', readsBesideReference: false };

export function readDialect(root: unknown): Dialect {
  const version = (root as { openapi?: unknown } | undefined)?.openapi;
  return typeof version === 'string' && version.startsWith('3.0') ? OPENAPI_3_0 : JSON_SCHEMA;
}

const KNOWN_DIALECTS = /^https?:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/(?:draft|schema))/;

/** Notes the default dialect of schemas if nobody knows it (OpenAPI 3.1.1, Specifying Schema Dialects). */
export function noteDialect(document: SourceDocument, notes: Notes): void {
  const dialect = document.at('/jsonSchemaDialect');
  if (dialect === undefined || (typeof dialect === 'string' && KNOWN_DIALECTS.test(dialect))) return;
  notes.add(
    '/jsonSchemaDialect',
    `the jsonSchemaDialect ${shorten(dialect)} is not known; schemas are read as JSON Schema 2020-12.`,
  );
}

export function isOlderDraft(schema: SchemaObject): boolean {
  return /json-schema\.org\/draft-0[34]\//.test(String(schema['$schema']));
}

/** The same schema in JSON Schema 2020-12, without its subschemas (OpenAPI 3.0.3, Schema Object). */
export function translateSchema(schema: SchemaObject, dialect: Dialect): SchemaObject {
  if (!dialect.readsBesideReference && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { nullable: _nullable, ...rest } = schema;
  const bounded = BOUNDS.reduce<SchemaObject>((at, [bound, exclusive]) => {
    if (typeof at[exclusive] !== 'boolean') return at;
    // `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`.
    const { [bound]: limit, [exclusive]: isExclusive, ...others } = at;
    return limit === undefined ? others : { ...others, [isExclusive === true ? exclusive : bound]: limit };
  }, rest);
  const { items, additionalItems, ...beside } = bounded;
  // A list of `items` is what older drafts call `prefixItems`.
  const listed = Array.isArray(items)
    ? { prefixItems: items, ...defined({ items: additionalItems }), ...beside }
    : bounded;
  // It adds `null` to a type; what it means without one, `allowsNull` says.
  if (!isMarkedNullable(schema) || listed['type'] === undefined) return listed;
  return { ...listed, type: [...new Set([listed['type'], 'null'].flat())] };
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function isMarkedNullable({ nullable, 'x-nullable': marked }: SchemaObject): boolean {
  return (nullable ?? marked) === true;
}

/** 3.0.3 gives `nullable` a meaning beside a `type` alone; generators write it beside `$ref` and `allOf` as well. */
export function allowsNull(schema: SchemaObject, { readsBesideReference }: Dialect): boolean {
  return !readsBesideReference && isMarkedNullable(schema);
}

/** Of `anyOf: [{...}, {type: null}]`, as generators write what may be left out, the one alternative. */
export function readBesideNull(document: SourceDocument, pointer: string): SchemaObject {
  const found = resolveAt(document, pointer);
  const schema = asObject(found.value);
  const name = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf';
  const { [name]: listed, ...beside } = schema;
  if (!Array.isArray(listed)) return schema;
  const ways = listed.map((_, index) => asObject(resolveAt(document, `${found.pointer}/${name}/${index}`).value));
  const [only, ...others] = ways.filter(({ type }) => type !== 'null');
  return only === undefined || others.length > 0 || ways.length < 2 ? schema : { ...only, ...beside };
}

/** The rules of a schema of its own that would refuse null, so that they do not. */
export function addNull(schema: SchemaObject): SchemaObject {
  const { type, enum: listed } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(listed) && !listed.includes(null) ? { enum: [...(listed as unknown[]), null] } : {}),
  };
}

/** The same of a prepared schema's references and alternatives: each keeps its place, and null is one more. */
export function addNullAlternative(prepared: Record<string, unknown>, pointer: string): Record<string, unknown> {
  const isNull = { type: 'null', [SOURCE_POINTER]: pointer };
  const { $ref, anyOf, oneOf, ...rest } = prepared;
  if ($ref !== undefined) return { if: isNull, else: { $ref, [SOURCE_POINTER]: pointer } };
  return {
    ...rest,
    ...(Array.isArray(anyOf) ? { anyOf: [...(anyOf as unknown[]), isNull] } : {}),
    // Of several that fit, null would be one too many.
    ...(Array.isArray(oneOf)
      ? { oneOf: [...(oneOf as unknown[]), { ...isNull, not: { anyOf: oneOf as unknown[] } }] }
      : {}),
  };
}

/** The keyword that says that a property occurs only in answers (`readOnly`) or only in requests (`writeOnly`). */
export type Mark = 'readOnly' | 'writeOnly';

/** A read-only property is required only in responses, a write-only one in requests (OpenAPI 3.0.3, Schema Object). */
export function relaxRequired(prepared: Record<string, unknown>, mark: Mark): Record<string, unknown> {
  const follow = (schema: unknown): unknown => {
    const pointer = pointerOf(referenceOf(schema) ?? '');
    const steps = pointer === undefined ? undefined : parsePointer(pointer);
    return steps === undefined ? schema : steps.reduce<unknown>((at, key) => asObject(at)[key], prepared);
  };
  const listMarked = (schema: SchemaObject, visited = new Set<unknown>()): string[] => {
    if (visited.has(schema)) return [];
    visited.add(schema);
    const own = Object.entries(asObject(schema['properties'])).filter(
      ([, property]) => asObject(property)[mark] === true || asObject(follow(property))[mark] === true,
    );
    const parts = [...asList(schema['allOf']), ...(referenceOf(schema) === undefined ? [] : [follow(schema)])];
    return [...own.map(([name]) => name), ...parts.flatMap((part) => listMarked(asObject(part), visited))];
  };
  const relax = (node: unknown, above: ReadonlySet<string>): unknown => {
    if (Array.isArray(node)) return node.map((item) => relax(item, above));
    if (typeof node !== 'object' || node === null) return node;
    const marked = new Set([...above, ...listMarked(node as SchemaObject)]);
    const entries = Object.entries(node).map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.filter((name) => !marked.has(String(name)))];
      // The parts of an `allOf` describe the same object; any other subschema describes another.
      return [key, relax(value, key === 'allOf' ? marked : new Set())];
    });
    return Object.fromEntries(entries) as unknown;
  };
  return relax(prepared, new Set()) as Record<string, unknown>;
}

/** The annotation that compiled schemas carry: the pointer at which the schema stands in the contract. */
export const SOURCE_POINTER = '$source';
