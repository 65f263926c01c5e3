import { PetstoreMockError } from '../../errors.js';
import { escapePointer, type SourceDocument } from './document.js';
import { showPointer, splitPointer } from './file-pointers.js';

/** A value with the pointer at which it really stands. */
export interface Resolved {
  value: unknown;
  pointer: string;
}

/** The value at a pointer, with a chain of `$ref`s followed to its end. */
export function resolveAt(document: SourceDocument, pointer: string): Resolved {
  const visited = new Set<string>();
  let current = pointer;
  for (;;) {
    const value = document.at(current);
    const reference = referenceOf(value);
    if (reference === undefined) return { value, pointer: current };
    if (visited.has(current))
      throw broken(
        document,
        current,
        `the reference ${showReference(document, current, reference)} leads back to itself`,
      );
    visited.add(current);
    current = targetOf(document, current, reference);
  }
}

/** Checks every `$ref` of the document. Throws a {@link PetstoreMockError} for the first that leads nowhere. */
export function checkReferences(document: SourceDocument): void {
  for (const { text, pointer } of listReferences(document.root)) {
    targetOf(document, pointer, text);
    resolveAt(document, pointer);
  }
}

/** A `$ref` as it stands in a document. */
export interface Reference {
  text: string;
  /** JSON Pointer to the object that holds it. */
  pointer: string;
  /** Puts another text in its place. */
  rewrite(text: string): void;
}

/** Every `$ref` below a value; one within an example, a default or an enumeration is data. */
export function listReferences(root: unknown): Reference[] {
  const found: Reference[] = [];
  walk(root, '', found);
  return found;
}

/** The `$ref` of a value; `undefined` when it has none. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = (value as Record<string, unknown>)['$ref'];
  return typeof reference === 'string' ? reference : undefined;
}

/** The pointer that a local reference states; `undefined` when it is none. */
export function pointerOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const target = decodeFragment(reference.slice(1));
  return target === undefined || (target !== '' && !target.startsWith('/')) ? undefined : target;
}

function targetOf(document: SourceDocument, pointer: string, reference: string): string {
  const target = pointerOf(reference);
  if (target !== undefined && document.at(target) !== undefined) return target;
  throw broken(document, pointer, `the reference ${showReference(document, pointer, reference)} leads nowhere`);
}

/** As the file in which it stands would write it. */
function showReference(document: SourceDocument, pointer: string, reference: string): string {
  const target = pointerOf(reference);
  if (target === undefined) return reference;
  const leadsToFirst = splitPointer(target).mount === '' && splitPointer(pointer).mount !== '';
  return `${leadsToFirst ? document.file : ''}${showPointer(target)}`;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Fields whose content is data of the user's, in which a `$ref` means nothing. */
const DATA_FIELDS = new Set(['example', 'examples', 'default', 'enum', 'const']);

function walk(value: unknown, pointer: string, found: Reference[]): void {
  if (typeof value !== 'object' || value === null) return;
  note(value, pointer, found);
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (!DATA_FIELDS.has(key) || pointer.endsWith('/properties')) walk(item, at, found);
    else if (key === 'examples') noteNamedExamples(item, at, found);
  }
}

/** Beside a schema's list of values there are maps of examples, each of which may stand elsewhere (OpenAPI 3.1, Media Type Object). */
function noteNamedExamples(examples: unknown, pointer: string, found: Reference[]): void {
  if (typeof examples !== 'object' || examples === null || Array.isArray(examples)) return;
  for (const [name, example] of Object.entries(examples)) note(example, `${pointer}/${escapePointer(name)}`, found);
}

function note(holder: unknown, pointer: string, found: Reference[]): void {
  const text = referenceOf(holder);
  if (text === undefined) return;
  found.push({ text, pointer, rewrite: (other) => void Object.assign(holder as object, { $ref: other }) });
}

function broken(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', `${message}.`, document.placeOf(`${pointer}/$ref`));
}
