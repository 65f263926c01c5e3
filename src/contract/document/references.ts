import { sameJson } from './json.js';
import { define, asList } from './plain.js';
import { type SourceDocument, escapePointer } from './document.js';

export function resolveAt(document: SourceDocument, pointer: string): { value: unknown; pointer: string } {
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

export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = (value as Record<string, unknown>)['$ref'];
  return typeof reference === 'string' ? reference : undefined;
}

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

/** The value at a pointer without `$ref`s. A value that refers to itself becomes an object that contains itself. */
export const dereference = (document: SourceDocument, pointer: string): unknown => follow(document, pointer, new Map());

function follow(document: SourceDocument, at: string, made: Map<string, unknown>): unknown {
  const { value, pointer } = resolveAt(document, at);
  if (typeof value !== 'object' || value === null) return value;
  const known = made.get(pointer);
  if (known !== undefined) return known;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  // Stored before it is filled, since its content may refer to it.
  made.set(pointer, copy);
  for (const key of Object.keys(value)) define(copy, key, follow(document, `${pointer}/${escapePointer(key)}`, made));
  return copy;
}

/** Where the files that a document refers to are mounted. OpenAPI has no field of this name. */
export const FILES = '$files';

/** Splits a JSON Pointer into the whole; `mount` is where the file is mounted, `''` for the first one. */
export function splitPointer(pointer: string): { mount: string; within: string } {
  const [, root, name, ...rest] = pointer.split('/');
  if (root !== FILES || name === undefined) return { mount: '', within: pointer };
  return { mount: `/${FILES}/${name}`, within: rest.map((part) => `/${part}`).join('') };
}

/** A pointer into the whole as a reference would write it: `#/components/schemas/Pet`, `schemas.yaml#/Pet`. */
export function showPointer(pointer: string): string {
  const { mount, within } = splitPointer(pointer);
  return `${mount
    .slice(FILES.length + 2)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')}#${within}`;
}

export const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

/** The pointers to what lists in a schema hold: `/allOf/0`. */
export const listIn = (schema: Record<string, unknown>, pointer: string, keywords: readonly string[]): string[] =>
  keywords.flatMap((keyword) => asList(schema[keyword]).map((_, index) => `${pointer}/${keyword}/${index}`));

export function isSameSchema(document: SourceDocument, one: string, other: string): boolean {
  const [first, second] = [resolveAt(document, one), resolveAt(document, other)];
  return first.pointer === second.pointer || sameJson(first.value, second.value);
}
