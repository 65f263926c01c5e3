import type { ErrorObject, ValidateFunction } from 'ajv';
import type { SourceDocument } from './document/document.js';
import { asObject } from './document/plain.js';
import { pointerOf, referenceOf, resolveAt } from './document/references.js';
import { validateWithinSteps } from './schemas/steps.js';
import {
  collectErrors,
  createViolation,
  translateErrors,
  type MessagePart,
  type Violation,
} from './schemas/violation.js';

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
      const errors = validateInSlices(data, validate, document);
      return errors === undefined ? [describeEndless(document, pointer, at)] : errors.translate(at);
    }
    const isValid = validateWithinSteps(validate, data);
    if (isValid === undefined) return [describeEndless(document, pointer, at)];
    return isValid ? [] : translateErrors(document, at, validate.errors as ErrorObject[]);
  };
}

/** Ajv keeps all errors of what it is given, and those of a hundred thousand items fill the memory. */
const MOST_AT_ONCE = 500;

function validateInSlices(
  list: readonly unknown[],
  validate: ValidateFunction,
  document: SourceDocument,
): ReturnType<typeof collectErrors> | undefined {
  const errors = collectErrors(document);
  for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
    const isValid = validateWithinSteps(validate, list.slice(from, from + MOST_AT_ONCE));
    if (isValid === undefined) return undefined;
    if (!isValid) errors.add(validate.errors as ErrorObject[], from);
  }
  return errors;
}

function describeEndless(
  document: SourceDocument,
  contractPointer: string,
  at: { part: MessagePart; pointer: string },
): Violation {
  const expected = 'nested less deeply, since the alternatives of its schema contain each other';
  const where = `${at.part}${at.pointer}`;
  const message = `${where} must be ${expected}: its validation takes too many steps`;
  return createViolation(document, {
    ...at,
    rule: 'oneOf',
    expected,
    actual: 'a deep value',
    message,
    contractPointer,
  });
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
