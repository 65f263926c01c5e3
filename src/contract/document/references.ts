import type { SourceDocument } from './document.js';

/** A value with its actual pointer. */
export interface Resolved {
  value: unknown;
  pointer: string;
}

/** The value at a pointer, after following a chain of `$ref`s to its end; `undefined` if the chain leads nowhere. */
export function resolveAt(document: SourceDocument, pointer: string): Resolved {
  const visited = new Set<string>();
  let current = pointer;
  for (;;) {
    const value = document.at(current);
    const reference = referenceOf(value);
    if (reference === undefined) return { value, pointer: current };
    const target = pointerOf(reference);
    visited.add(current);
    if (target === undefined || visited.has(target)) return { value: undefined, pointer: current };
    current = target;
  }
}

/** The `$ref` of a value; `undefined` if it has none. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = (value as Record<string, unknown>)['$ref'];
  return typeof reference === 'string' ? reference : undefined;
}

/** The pointer in a local reference; `undefined` if the reference is not local. */
export function pointerOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const target = decodeFragment(reference.slice(1));
  return target === undefined || (target !== '' && !target.startsWith('/')) ? undefined : target;
}

/** A percent-decoded fragment (RFC 3986 section 3.5); `undefined` for one with a stray percent sign. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
