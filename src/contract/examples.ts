import { escapePointer, type SourceDocument } from './document.js';
import type { ResponseRule } from './operations.js';
import { resolveAt } from './references.js';

/** A body that the contract gives as an example. */
export interface Example {
  value: unknown;
}

/** The first example that the contract gives for a response's JSON body; `undefined` when it gives none. */
export function findExample(document: SourceDocument, response: ResponseRule): Example | undefined {
  const content = keysAt(document, `${response.pointer}/content`).find((name) => /^application\/json\b/i.test(name));
  if (content === undefined) return undefined;
  const pointer = `${response.pointer}/content/${escapePointer(content)}`;
  const schema = resolveAt(document, `${pointer}/schema`).pointer;
  const places = [
    ...keysAt(document, `${pointer}/examples`).map((name) => `${pointer}/examples/${escapePointer(name)}`),
    // A media type may give one example in place of named ones, and so may its schema (OpenAPI 3.1, Schema Object).
    `${pointer}/example`,
    `${schema}/examples/0`,
    `${schema}/example`,
  ];
  for (const place of places) {
    const named = place.startsWith(`${pointer}/examples/`);
    const at = named ? `${resolveAt(document, place).pointer}/value` : place;
    const value = document.at(at);
    if (value !== undefined) return { value };
  }
  return undefined;
}

function keysAt(document: SourceDocument, pointer: string): string[] {
  const value = document.at(pointer);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
