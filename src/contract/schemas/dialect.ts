import type { SchemaObject } from '../model.js';

/** How a version of OpenAPI writes its schemas. */
export interface Dialect {
  /** The version as a person names it. */
  name: string;
  /** The same schema in JSON Schema 2020-12; what stands inside it is left as it is. */
  translate(schema: SchemaObject): SchemaObject;
}

/** OpenAPI 3.1 writes JSON Schema 2020-12 itself. */
export const OPENAPI_3_1: Dialect = { name: 'OpenAPI 3.1', translate: (schema) => schema };

const OPENAPI_3_0: Dialect = { name: 'OpenAPI 3.0', translate: translateFrom30 };

/** The dialect of a document, by its `openapi` field. */
export function readDialect(root: unknown): Dialect {
  const version = (root as { openapi?: unknown } | undefined)?.openapi;
  return typeof version === 'string' && version.startsWith('3.0') ? OPENAPI_3_0 : OPENAPI_3_1;
}

/** OpenAPI 3.0.3, Schema Object and Reference Object. */
function translateFrom30(schema: SchemaObject): SchemaObject {
  // Whatever stands beside a reference is ignored.
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { nullable, ...rest } = schema;
  const bounded = moveBound(moveBound(rest, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum');
  // It adds `null` to a type, and means nothing without one.
  if (nullable !== true || typeof rest['type'] !== 'string') return bounded;
  return { ...bounded, type: [rest['type'], 'null'] };
}

/** `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`. */
function moveBound(schema: SchemaObject, bound: string, exclusive: string): SchemaObject {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [bound]: limit, [exclusive]: isExclusive, ...rest } = schema;
  if (limit === undefined) return rest;
  return { ...rest, [isExclusive === true ? exclusive : bound]: limit };
}
