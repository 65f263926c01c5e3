import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DrawnOperation } from './draw-contract.js';

/** What came back. */
export type Received = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** A fraction that is not zero may be, once JavaScript has read it. */
const BEYOND = ['multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];

/**
 * Judges answers by the schemas of the drawn contract alone, past everything in `src/`. Formats and fractions are left to
 * other tests: JavaScript's own numbers cannot tell.
 */
export function createJudge(): (operation: DrawnOperation, received: Received) => string[] {
  const loose = { strict: false, strictNumbers: false, validateFormats: false } as const;
  const ajv = new Ajv2020({ ...loose, allErrors: false, logger: false });
  for (const keyword of BEYOND) ajv.removeKeyword(keyword);
  ajv.addVocabulary(BEYOND);
  const compiled = new Map<object, ValidateFunction>();
  return ({ answers }, received) => {
    const { status, text, headers } = received;
    if (status >= 500 && ![501, 503, 507].includes(status)) return [`the status ${status}: ${text.slice(0, 300)}`];
    // Node itself refuses what is too long to be read, before there is an operation.
    if (status === 431 || status === 414) return [];
    const schema = String(status) in answers ? answers[status] : answers['default'];
    if (schema === undefined) return text === '' ? [] : [`a body beside ${status}`];
    if (text === '') return [`no body beside ${status}`];
    if (!String(headers['content-type']).startsWith('application/json'))
      return [`it is ${String(headers['content-type'])}`];
    const value = tryParse(text);
    if (value === undefined) return [`no JSON: ${text.slice(0, 100)}`];
    if (text.includes('isLosslessNumber')) return ['an object of the mock’s own is shown'];
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    return validate(value) ? [] : [`${status} does not fit its schema: ${ajv.errorsText(validate.errors)}`];
  };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
