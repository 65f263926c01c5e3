import { escapePointer, type SourceDocument } from './document.js';
import { resolveAt } from './references.js';

/**
 * The value at a pointer with every `$ref` in it replaced by its target. A value that refers to itself becomes an
 * object that contains itself.
 */
export function dereference(document: SourceDocument, pointer: string): unknown {
  return follow(document, pointer, new Map());
}

function follow(document: SourceDocument, at: string, made: Map<string, unknown>): unknown {
  const { value, pointer } = resolveAt(document, at);
  if (typeof value !== 'object' || value === null) return value;
  const known = made.get(pointer);
  if (known !== undefined) return known;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  // Stored before it is filled, since its content may refer to it.
  made.set(pointer, copy);
  for (const key of Object.keys(value)) {
    Object.defineProperty(copy, key, {
      value: follow(document, `${pointer}/${escapePointer(key)}`, made),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}
