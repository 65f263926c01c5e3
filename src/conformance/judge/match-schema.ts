import type { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjv } from '../../contract/document/load-when-needed.js';
import { JSON_SCHEMA, SOURCE_POINTER } from '../../contract/schemas/dialect.js';
import { checkCodeGeneration, mapSubschemas, prepareSchema } from '../../contract/schemas/compile-schemas.js';
import { createExactNumberKeyword, addFormats } from '../../contract/schemas/ajv-keywords.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { createPattern } from '../../contract/schemas/pattern.js';
import { translateFinding } from '../../contract/schemas/violation.js';

/** A place where a value does not match a scenario's schema. */
export interface Mismatch {
  rule: string;
  /** Where the value is, and a JSON Pointer into it. */
  at: string;
  expected: string;
  actual: string;
}

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();

/** How a value at `at` differs from a JSON Schema; empty if it does not. */
export function describeMismatch(schema: unknown, value: unknown, at = ''): Mismatch[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => {
    const { rule, at: within, expected, actual } = translateFinding(error);
    return { rule, at: `${at}${within}`, expected, actual };
  });
}

/** Compiles a schema. Throws Ajv's error for anything that is not a JSON Schema. */
export function compile(schema: unknown): ReturnType<Ajv2020['compile']> {
  const text = printJson(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const validate = (ajv ??= createAjv()).compile(
    prepareSchema(stateKinds(schema), '', { dialect: JSON_SCHEMA, keepsUnknown: true }) as object,
  );
  compiled.set(text, validate);
  return validate;
}

/** A kind of value to which keywords of JSON Schema apply. */
export type Kind = 'array' | 'object' | 'string' | 'number';

const ABOUT: Readonly<Record<Kind, readonly string[]>> = {
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The kinds of value to which a schema applies, each with the keyword that shows it, including those within `not`. */
export function impliedKinds(schema: unknown): Map<Kind, string> {
  if (typeof schema !== 'object' || schema === null) return new Map();
  const own = Object.entries(ABOUT).flatMap(([kind, keywords]): [Kind, string][] => {
    const keyword = keywords.find((name) => Object.hasOwn(schema, name));
    return keyword === undefined ? [] : [[kind as Kind, keyword]];
  });
  return own.length === 0 && 'not' in schema ? impliedKinds(schema.not) : new Map(own);
}

/**
 * A schema that states the kinds of value to which it applies. JSON Schema lets `minItems` pass on an object, and a check
 * that cannot fail checks nothing.
 */
function stateKinds(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const stated = mapSubschemas(schema as Record<string, unknown>, stateKinds);
  const kinds = [...impliedKinds(schema).keys()];
  return kinds.length === 0 || 'type' in schema ? stated : { ...stated, type: kinds };
}

function createAjv(): Ajv2020 {
  checkCodeGeneration();
  const { Ajv2020 } = loadAjv();
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
  compareExactly(instance);
  return instance;
}

/** Ajv cannot compile a `bigint` in `const` or `enum`, such as a key past 2^53 that an answer has. */
function compareExactly(instance: Ajv2020): void {
  const { _ } = loadAjv();
  instance.removeKeyword('const').addKeyword({
    keyword: 'const',
    validate: (constant: unknown, value: unknown) => sameJson(constant, value),
    errors: false,
    error: { message: 'must be the constant', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
  });
  instance.removeKeyword('enum').addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    validate: (choices: unknown[], value: unknown) => choices.some((each) => sameJson(each, value)),
    errors: false,
    error: { message: 'must be a choice', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
  });
}
