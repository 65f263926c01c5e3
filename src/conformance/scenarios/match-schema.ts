import { Ajv2020 } from 'ajv/dist/2020.js';
import { JSON_SCHEMA } from '../../contract/schemas/dialect.js';
import { createExactNumberKeyword } from '../../contract/schemas/exact-number-keyword.js';
import { printJson } from '../../contract/document/json.js';
import { addFormats } from '../../contract/schemas/formats.js';
import { createPattern } from '../../contract/schemas/pattern.js';
import { prepareSchema } from '../../contract/schemas/schemas.js';
import { SOURCE_POINTER } from '../../contract/schemas/source-pointer.js';
import { translateFinding } from '../../contract/schemas/violation.js';

/** Where a value is not as a schema of a scenario asks. */
export interface Mismatch {
  rule: string;
  /** Where the value stands, and a JSON Pointer into it. */
  at: string;
  expected: string;
  actual: string;
}

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();

/** How a value, which stands at `at`, differs from a JSON Schema; empty when it does not. */
export function describeMismatch(schema: unknown, value: unknown, at = ''): Mismatch[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => {
    const { rule, at: within, expected, actual } = translateFinding(error);
    return { rule, at: `${at}${within}`, expected, actual };
  });
}

/** Compiles a schema. Throws Ajv's error for what is no JSON Schema. */
export function compile(schema: unknown): ReturnType<Ajv2020['compile']> {
  const text = printJson(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const validate = (ajv ??= createAjv()).compile(
    prepareSchema(schema, '', { dialect: JSON_SCHEMA, keepsUnknown: true }) as object,
  );
  compiled.set(text, validate);
  return validate;
}

function createAjv(): Ajv2020 {
  const instance = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    code: { regExp: Object.assign(createPattern, { code: 'createPattern' }) },
  });
  addFormats(instance);
  instance.addVocabulary([SOURCE_POINTER]);
  instance.addKeyword(createExactNumberKeyword());
  return instance;
}
