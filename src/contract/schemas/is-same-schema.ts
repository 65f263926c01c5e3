import type { SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import { sameJson } from '../document/same-json.js';

/** Whether two places of a document have one schema, or the same one written again. */
export function isSameSchema(document: SourceDocument, one: string, other: string): boolean {
  const [first, second] = [one, other].map((pointer) => resolveAt(document, pointer));
  if (first === undefined || second === undefined) return false;
  return first.pointer === second.pointer || sameJson(first.value, second.value);
}
