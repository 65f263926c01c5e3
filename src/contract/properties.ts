import { escapePointer, type SourceDocument } from './document.js';
import { resolveAt } from './references.js';

/** The names of every property that a schema describes, through `$ref` and the schemas it is made of. */
export function listProperties(document: SourceDocument, schemaPointer: string): Set<string> {
  const names = new Set<string>();
  collect(document, schemaPointer, names, new Set());
  return names;
}

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

function collect(document: SourceDocument, at: string, names: Set<string>, visited: Set<string>): void {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer) || typeof value !== 'object' || value === null) return;
  visited.add(pointer);
  const schema = value as Record<string, unknown>;
  for (const name of Object.keys(schema['properties'] ?? {})) names.add(name);
  for (const composition of COMPOSITIONS) {
    for (const key of Object.keys(schema[composition] ?? [])) {
      collect(document, `${pointer}/${composition}/${escapePointer(key)}`, names, visited);
    }
  }
}
