import { parsePointer } from '../document/document.js';
import type { SchemaObject } from '../model.js';
import { asList, asObject } from '../document/plain.js';
import { pointerOf, referenceOf } from '../document/references.js';

/** The keyword that says that a property occurs only in answers (`readOnly`) or only in requests (`writeOnly`). */
export type Mark = 'readOnly' | 'writeOnly';

/**
 * Prepared schemas of a message in which properties with a mark are not
 * required: a read-only property is required only in answers, a write-only one
 * only in requests (OpenAPI 3.0.3, Schema Object).
 */
export function relaxRequired(prepared: Record<string, unknown>, mark: Mark): Record<string, unknown> {
  return relax(prepared, prepared, mark, new Set()) as Record<string, unknown>;
}

function relax(node: unknown, root: unknown, mark: Mark, above: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((item) => relax(item, root, mark, above));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as SchemaObject;
  const marked = new Set([...above, ...listMarked(schema, root, mark, new Set())]);
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === 'required' && Array.isArray(value)) return [key, value.filter((name) => !marked.has(String(name)))];
    // The parts of an `allOf` describe the same object; any other subschema describes another.
    return [key, relax(value, root, mark, key === 'allOf' ? marked : new Set())];
  });
  return Object.fromEntries(entries) as unknown;
}

/** The names of the properties with the mark, through `$ref` and `allOf`. */
function listMarked(schema: SchemaObject, root: unknown, mark: Mark, visited: Set<unknown>): string[] {
  if (visited.has(schema)) return [];
  visited.add(schema);
  const own = Object.entries(asObject(schema['properties'])).filter(([, property]) => isMarked(property, root, mark));
  const parts = [...asList(schema['allOf']), ...(referenceOf(schema) === undefined ? [] : [follow(schema, root)])];
  return [...own.map(([name]) => name), ...parts.flatMap((part) => listMarked(asObject(part), root, mark, visited))];
}

function isMarked(property: unknown, root: unknown, mark: Mark): boolean {
  return asObject(property)[mark] === true || asObject(follow(property, root))[mark] === true;
}

function follow(schema: unknown, root: unknown): unknown {
  const pointer = pointerOf(referenceOf(schema) ?? '');
  return pointer === undefined ? schema : parsePointer(pointer).reduce<unknown>((at, key) => asObject(at)[key], root);
}
