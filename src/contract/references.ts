import { PetstoreMockError } from '../errors.js';
import type { SourceDocument } from './document.js';

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
    if (visited.has(current)) throw broken(document, current, `the reference ${reference} leads back to itself`);
    visited.add(current);
    current = targetOf(document, current, reference);
  }
}

/** Checks every `$ref` of the document. Throws a {@link PetstoreMockError} for the first that leads nowhere. */
export function checkReferences(document: SourceDocument): void {
  walk(document.root, '', (reference, pointer) => {
    targetOf(document, pointer, reference);
    resolveAt(document, pointer);
  });
}

/** The `$ref` of a value; `undefined` when it has none. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = (value as Record<string, unknown>)['$ref'];
  return typeof reference === 'string' ? reference : undefined;
}

function targetOf(document: SourceDocument, pointer: string, reference: string): string {
  if (!reference.startsWith('#')) {
    throw broken(document, pointer, `the reference ${reference} leaves the file, which is not supported`);
  }
  const target = decodeFragment(reference.slice(1));
  if (target === undefined || (target !== '' && !target.startsWith('/')) || document.at(target) === undefined) {
    throw broken(document, pointer, `the reference ${reference} leads nowhere`);
  }
  return target;
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

function walk(value: unknown, pointer: string, visit: (reference: string, pointer: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const reference = referenceOf(value);
  if (reference !== undefined) visit(reference, pointer);
  for (const [key, item] of Object.entries(value)) {
    if (DATA_FIELDS.has(key) && !pointer.endsWith('/properties')) continue;
    walk(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
  }
}

function broken(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', `${message}.`, document.placeOf(`${pointer}/$ref`));
}
