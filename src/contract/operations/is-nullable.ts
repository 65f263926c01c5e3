import type { SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { readValueShape } from './value-shape.js';

/** Whether a schema says that a value may be null, in the words of any version of OpenAPI. */
export function isNullable(document: SourceDocument, at: string): boolean {
  const schema = asObject(resolveAt(document, at).value);
  const { types } = readValueShape(document, at, 0);
  return schema['nullable'] === true || types.includes('null') || asList(schema['enum']).includes(null);
}
