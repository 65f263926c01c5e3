import type { SourceDocument } from '../document/document.js';
import { asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { SchemaObject } from '../model.js';
import { isMarkedNullable, type Dialect } from './dialect.js';
import { SOURCE_POINTER } from './source-pointer.js';

/**
 * Whether null fits a schema of OpenAPI 3.0, whatever else it says. 3.0.3 gives `nullable` a meaning beside a `type` alone;
 * 3.0.0 to 3.0.2 left open what it means beside `allOf`, `oneOf`, `anyOf`, `enum` and `$ref`, and most generators still write
 * it there for a value that may be null. Nobody is accused by the stricter reading.
 */
export function allowsNull(schema: SchemaObject, { readsBesideReference }: Dialect): boolean {
  return !readsBesideReference && isMarkedNullable(schema);
}

/**
 * What a schema says of a value that is not null: of `anyOf: [{...}, {type: null}]`, as generators write what may be left
 * out, the one alternative, with what stands beside them.
 */
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
