import { escapePointer, type SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { readOnce } from '../read-once.js';
import type { Mark } from '../schemas/direction.js';

/** A property of an object, as a schema describes it. */
export interface Property {
  name: string;
  /** Whether every such object has it. */
  required: boolean;
  /** JSON Pointer to its schema. */
  schemaPointer: string;
}

/** Whether a property says that it is only in answers or only in requests, beside its reference or where that leads. */
export function hasMark(document: SourceDocument, schemaPointer: string, mark: Mark): boolean {
  const isMarked = (value: unknown): boolean => asObject(value)[mark] === true;
  return isMarked(document.at(schemaPointer)) || isMarked(resolveAt(document, schemaPointer).value);
}

/** The names of every property that a schema describes, through `$ref` and the schemas it is made of. */
export function listProperties(document: SourceDocument, schemaPointer: string): Set<string> {
  return new Set(readProperties(document, schemaPointer).map(({ name }) => name));
}

/** Every property that a schema describes, through `$ref` and the schemas it is made of. */
export function readProperties(document: SourceDocument, schemaPointer: string): readonly Property[] {
  const known = readKnown(document);
  const found = known.get(schemaPointer) ?? listAll(document, schemaPointer);
  known.set(schemaPointer, found);
  return found;
}

/** Making a record asks for the properties of the same few schemas thousands of times. */
const readKnown = readOnce((_document: SourceDocument) => new Map<string, readonly Property[]>());

function listAll(document: SourceDocument, schemaPointer: string): readonly Property[] {
  const found: Found = { places: new Map(), required: new Set(), visited: new Set() };
  collect(document, schemaPointer, found, { certain: true });
  return [...found.places].map(([name, place]) => ({
    name,
    required: found.required.has(name),
    schemaPointer: place,
  }));
}

interface Found {
  places: Map<string, string>;
  required: Set<string>;
  visited: Set<string>;
}

function collect(document: SourceDocument, at: string, found: Found, { certain }: { certain: boolean }): void {
  const { value, pointer } = resolveAt(document, at);
  if (found.visited.has(pointer) || typeof value !== 'object' || value === null) return;
  found.visited.add(pointer);
  const schema = asObject(value);
  for (const name of certain ? asList(schema['required']) : []) found.required.add(String(name));
  for (const name of Object.keys(asObject(schema['properties']))) {
    found.places.set(name, `${pointer}/properties/${escapePointer(name)}`);
  }
  for (const composition of ['allOf', 'anyOf', 'oneOf']) {
    for (const index of asList(schema[composition]).keys()) {
      // What only an alternative requires is not always there.
      collect(document, `${pointer}/${composition}/${index}`, found, { certain: certain && composition === 'allOf' });
    }
  }
}
