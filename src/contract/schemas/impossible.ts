import { asList, asObject, asText } from '../document/plain.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';

/** A property that must be there and must not be. */
export interface Contradiction {
  name: string;
  /** JSON Pointer to the schema that excludes it. */
  pointer: string;
}

/**
 * Why no value conforms to a schema, as far as `required` and `additionalProperties: false` tell: the latter knows
 * only the properties beside it, not those of an `allOf` (JSON Schema Core 2020-12 section 10.3.2.3).
 */
export function findContradiction(document: SourceDocument, pointer: string): Contradiction | undefined {
  return findIn([pointer], { document, seen: new Set() });
}

interface Search {
  document: SourceDocument;
  /** What is being looked at, since schemas may contain themselves. */
  seen: Set<string>;
}

interface Part {
  pointer: string;
  schema: Readonly<Record<string, unknown>>;
}

function findIn(pointers: readonly string[], search: Search): Contradiction | undefined {
  const parts = pointers.flatMap((each) => listParts(each, search.document));
  const isSeen = parts.every((part) => search.seen.has(part.pointer));
  if (isSeen || !parts.some(({ schema }) => schema['type'] === 'object') || parts.some(isNullable)) return undefined;
  for (const part of parts) search.seen.add(part.pointer);
  const required = new Set(
    parts.flatMap(({ schema }) => asList(schema['required']).flatMap((each) => asText(each) ?? [])),
  );
  for (const name of required) {
    const found = findFor(name, parts, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findFor(name: string, parts: readonly Part[], search: Search): Contradiction | undefined {
  const own = parts.flatMap((part) => (has(part, name) ? `${part.pointer}/properties/${escapePointer(name)}` : []));
  // What is write only need not be in an answer.
  if (own.some((at) => asObject(resolveAt(search.document, at).value)['writeOnly'] === true)) return undefined;
  const closed = parts.find((part) => isClosed(part) && !has(part, name));
  if (closed !== undefined) return { name, pointer: closed.pointer };
  return own.length === 0 ? undefined : findIn(own, search);
}

/** A schema and all that it is made of with `allOf`, each once. */
function listParts(pointer: string, document: SourceDocument, known = new Set<string>()): Part[] {
  const { pointer: settled, value } = resolveAt(document, pointer);
  if (known.has(settled)) return [];
  known.add(settled);
  const schema = asObject(value);
  const below = asList(schema['allOf']).flatMap((_, index) => listParts(`${settled}/allOf/${index}`, document, known));
  return [{ pointer: settled, schema }, ...below];
}

function has({ schema }: Part, name: string): boolean {
  return Object.hasOwn(asObject(schema['properties']), name);
}

function isClosed({ schema }: Part): boolean {
  return schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
}

function isNullable({ schema }: Part): boolean {
  return schema['nullable'] === true;
}
