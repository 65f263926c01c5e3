import type { SourceDocument } from '../document/document.js';
import { shorten } from '../document/json.js';
import type { Notes } from '../document/notes.js';
import type { SchemaObject } from '../model.js';

/** How a version of OpenAPI writes schemas. */
export interface Dialect {
  /** The version as a person names it. */
  name: string;
  /** Whether what stands beside a `$ref` counts (OpenAPI 3.0.3, Reference Object: it does not). */
  readsBesideReference: boolean;
}

/** Whether a schema is marked as one that null fits; OpenAPI 3.1 has no such mark. */
export function isMarkedNullable({ nullable, ...schema }: SchemaObject): boolean {
  return (nullable ?? schema['x-nullable']) === true;
}

/** OpenAPI 3.1 and 3.2 write JSON Schema 2020-12 itself. */
export const JSON_SCHEMA: Dialect = { name: 'OpenAPI 3.1', readsBesideReference: true };

const OPENAPI_3_0: Dialect = { name: 'OpenAPI 3.0', readsBesideReference: false };

/** The dialect of a document, by its `openapi` field. */
export function readDialect(root: unknown): Dialect {
  const version = (root as { openapi?: unknown } | undefined)?.openapi;
  return typeof version === 'string' && version.startsWith('3.0') ? OPENAPI_3_0 : JSON_SCHEMA;
}

/** The meta-schemas of OpenAPI and of JSON Schema. */
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

/** Whether a schema names an older draft itself, whose keywords it may then have. */
export function isOlderDraft(schema: SchemaObject): boolean {
  return /json-schema\.org\/draft-0[34]\//.test(String(schema['$schema']));
}

/**
 * The same schema in JSON Schema 2020-12, whatever version it was written for;
 * its subschemas are left as they are (OpenAPI 3.0.3, Schema Object).
 */
export function translateSchema(schema: SchemaObject, dialect: Dialect): SchemaObject {
  if (!dialect.readsBesideReference && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { nullable: _nullable, ...rest } = schema;
  const bounded = moveBound(moveBound(rest, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum');
  const listed = Array.isArray(bounded['items']) ? renameItems(bounded) : bounded;
  // It adds `null` to a type; what it means without one, `nullable.ts` says.
  if (!isMarkedNullable(schema) || listed['type'] === undefined) return listed;
  return { ...listed, type: [...new Set([listed['type'], 'null'].flat())] };
}

/** `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`. */
function moveBound(schema: SchemaObject, bound: string, exclusive: string): SchemaObject {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [bound]: limit, [exclusive]: isExclusive, ...rest } = schema;
  if (limit === undefined) return rest;
  return { ...rest, [isExclusive === true ? exclusive : bound]: limit };
}

/** A list of `items` is what older drafts call `prefixItems`. */
function renameItems({ items, additionalItems, ...rest }: SchemaObject): SchemaObject {
  return { prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }), ...rest };
}
