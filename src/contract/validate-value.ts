import type { ErrorObject, ValidateFunction } from 'ajv';
import type { SourceDocument } from './document/document.js';
import { asObject } from './document/plain.js';
import { pointerOf, referenceOf, resolveAt } from './document/references.js';
import { collectErrors, translateErrors, type MessagePart, type Violation } from './schemas/violation.js';

/** Checks a value against the schema at a JSON Pointer into the contract. */
export type ValidateValue = (
  schemaPointer: string,
  value: unknown,
  at?: { part: MessagePart; pointer: string },
) => Violation[];

/** Checks values by the validators that `compile` has for a pointer. */
export function validateBy(document: SourceDocument, compile: (pointer: string) => ValidateFunction): ValidateValue {
  return (pointer, data, at = { part: 'body', pointer: '' }) => {
    const validate = compile(pointer);
    if (Array.isArray(data) && data.length > MOST_AT_ONCE && isPlainList(document, pointer)) {
      return validateInSlices(data, validate, document).translate(at);
    }
    return validate(data) ? [] : translateErrors(document, at, validate.errors as ErrorObject[]);
  };
}

/** Ajv keeps all errors of what it is given, and those of a hundred thousand items fill the memory. */
const MOST_AT_ONCE = 500;

function validateInSlices(
  list: readonly unknown[],
  validate: ValidateFunction,
  document: SourceDocument,
): ReturnType<typeof collectErrors> {
  const errors = collectErrors(document);
  for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
    if (!validate(list.slice(from, from + MOST_AT_ONCE))) errors.add(validate.errors as ErrorObject[], from);
  }
  return errors;
}

/** What a schema can say of a list without regard to how many items it has or which stand beside which. */
const OF_EACH_ITEM = new Set(['$ref', 'type', 'items', 'title', 'description', 'example', 'examples', 'default']);

/** Whether a list keeps the schema at a pointer where each part of it does. */
function isPlainList(document: SourceDocument, pointer: string): boolean {
  const schema = asObject(document.at(pointer));
  if (!Object.keys(schema).every((key) => OF_EACH_ITEM.has(key))) return false;
  if (schema['items'] !== undefined) return true;
  const target = pointerOf(referenceOf(schema) ?? '');
  // A chain that comes back to where it was leads to no items.
  return target !== undefined && resolveAt(document, target).value !== undefined && isPlainList(document, target);
}
