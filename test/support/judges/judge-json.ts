import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { packageFile } from '../../../src/package-files.js';

const isSarif = compileSarif();
const RESULT = JSON.parse(readFileSync(packageFile('spec/conformance-result.schema.json'), 'utf8')) as object;
const isResult = compileResult(RESULT);
const isClosedResult = compileResult(close(RESULT) as object);

/** Where a report breaks the schema of SARIF 2.1.0. */
export const judgeSarif = (text: string): string[] => judge(isSarif, text);

/** Where a report breaks the schema of results that ships. */
export const judgeResult = (text: string): string[] => judge(isResult, text);

/** The same, and where it has a field that the schema does not name. */
export const judgeClosedResult = (text: string): string[] => judge(isClosedResult, text);

function judge(isValid: ValidateFunction, text: string): string[] {
  if (isValid(JSON.parse(text))) return [];
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** Draft 4 and draft 7 say the same of every keyword in it; Ajv knows the later one. */
function compileSarif(): ValidateFunction {
  const file = new URL('sarif-2.1.0.schema.json', import.meta.url);
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  // One of its patterns is none to a strict reader of Unicode expressions.
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

function compileResult(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

/** A schema with every object closed. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const closed = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, close(value)]));
  const isOpen = 'type' in part && part.type === 'object' && !('additionalProperties' in part);
  return isOpen ? { ...closed, unevaluatedProperties: false } : closed;
}
