import { createRequire } from 'node:module';
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { loadAjv, loadAjvFormats } from '../document/load-when-needed.js';
import { isMultipleOf, compareNumbers, isJsonNumber, isWhole, type JsonNumber } from '../numbers/decimal.js';
import { holdsExactNumber, INT64_MAX, INT64_MIN, printJson, sameJson, keyOfJson } from '../document/json.js';
import type { SchemaObject } from '../model.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/** The name by which a precompiled validator requires {@link findBrokenRule}. */
const EXACT_NUMBER_MODULE = 'exact-number';
const requireModule = createRequire(import.meta.url);

/** Gives precompiled validators the modules that they require. */
export function requireForValidators(name: string): unknown {
  if (name === UNIQUE_ITEMS_MODULE) return { findRepeated };
  return name === EXACT_NUMBER_MODULE ? { findBrokenRule } : requireModule(name);
}

export function createExactNumberKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'exactNumber',
    error: {
      message: ({ params }) => _`"must be " + ${params['broken']}.expected`,
      params: ({ params }) => _`${params['broken']}`,
    },
    code(context: KeywordCxt) {
      const { gen, data, schemaValue: rules } = context;
      const code = _`require(${EXACT_NUMBER_MODULE}).findBrokenRule`;
      const find = gen.scopeValue('func', { ref: findBrokenRule, code });
      const found = gen.const('broken', _`${find}(${data}, ${rules})`);
      context.setParams({ broken: found });
      context.fail(_`${found} !== undefined`);
    },
  };
}

/** Ajv's keywords are not exact: `int64` accepts 1e300, 0.07 is no multiple of 0.01. So one of ours owns them all. */
export interface NumberRules {
  /** Only whole numbers; `1.0` and `1e2` are whole (JSON Schema 2020-12 validation, section 6.1.1). */
  integer: boolean;
  /** Types allowed beside the number: `null` in `type: [integer, 'null']`; `undefined` if the schema states no type. */
  otherTypes?: string[];
  format?: NumberFormat;
  minimum?: JsonNumber;
  maximum?: JsonNumber;
  exclusiveMinimum?: JsonNumber;
  exclusiveMaximum?: JsonNumber;
  multipleOf?: JsonNumber;
  enum?: unknown[];
  const?: unknown;
}

interface BrokenNumberRule {
  rule: string;
  expected: string;
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** Splits a schema into its numeric rules and the rest; `undefined` if it has none. */
export function splitNumberRules(schema: SchemaObject): { rules: NumberRules; rest: SchemaObject } | undefined {
  const types = [schema['type'] ?? []].flat();
  const isNumeric = types.includes('integer') || types.includes('number');
  // Also one of any type or of others that chooses among values with numbers that Ajv cannot hold.
  const isBare = schema['type'] === undefined && BOUNDS.some((name) => schema[name] !== undefined);
  if (!isNumeric && !isBare && !holdsExactNumber([schema['enum'], schema['const']])) return undefined;
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, ...others } = schema;
  const { enum: values, const: constant, ...rest } = others;
  const given = { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, enum: values, const: constant };
  const isBounded = isNumeric && typeof format === 'string' && Object.hasOwn(RANGES, format);
  const rules = {
    integer: isNumeric && !types.includes('number'),
    ...(isNumeric ? { otherTypes: types.filter((name) => name !== 'integer' && name !== 'number') } : {}),
    ...(isBounded ? { format } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as NumberRules;
  // What is of another type is left to Ajv, and so is its format.
  const ofOthers = isNumeric ? {} : { type, format };
  const kept = Object.entries(ofOthers).filter(([, value]) => value !== undefined);
  return { rules, rest: { ...rest, ...Object.fromEntries(kept) } };
}

/** The first rule that a value breaks; `undefined` if it keeps them all. */
export function findBrokenRule(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (isJsonNumber(value)) {
    return rules.integer && !isWhole(value) ? broken('type', 'an integer') : findBrokenBound(value, rules);
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (rules.otherTypes === undefined || rules.otherTypes.includes(type)) return findBrokenChoice(value, rules);
  const names = [rules.integer ? 'an integer' : 'a number', ...rules.otherTypes];
  return broken('type', names.join(' or '));
}

type NumberFormat = keyof typeof RANGES;

/** The formats of numbers that state a range (OpenAPI Format Registry). */
const RANGES = {
  int32: {
    holds: (value: JsonNumber) => isWithin(value, -2_147_483_648, 2_147_483_647),
    expected: 'an int32, -2147483648 to 2147483647',
  },
  int64: {
    // `<` between number and bigint compares the exact mathematical values, which is slow.
    holds: (value: JsonNumber) => Number.isSafeInteger(value) || isWithin(value, INT64_MIN, INT64_MAX),
    expected: `an int64, ${INT64_MIN} to ${INT64_MAX}`,
  },
  float: {
    holds: (value: JsonNumber) => Number.isFinite(Math.fround(Number(value))),
    expected: 'a float, -3.4028235e+38 to 3.4028235e+38',
  },
  double: {
    holds: (value: JsonNumber) => typeof value === 'number' || Number.isFinite(Number(value)),
    expected: `a double, ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}`,
  },
};

function isWithin(value: JsonNumber, least: JsonNumber, most: JsonNumber): boolean {
  return compareNumbers(value, least) >= 0 && compareNumbers(value, most) <= 0;
}

function findBrokenBound(value: JsonNumber, rules: NumberRules): BrokenNumberRule | undefined {
  const range = rules.format === undefined ? undefined : RANGES[rules.format];
  if (range?.holds(value) === false) return broken('format', range.expected);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (minimum !== undefined && compareNumbers(value, minimum) < 0)
    return broken('minimum', `at least ${String(minimum)}`);
  if (maximum !== undefined && compareNumbers(value, maximum) > 0)
    return broken('maximum', `at most ${String(maximum)}`);
  if (exclusiveMinimum !== undefined && compareNumbers(value, exclusiveMinimum) <= 0)
    return broken('exclusiveMinimum', `more than ${String(exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined && compareNumbers(value, exclusiveMaximum) >= 0)
    return broken('exclusiveMaximum', `less than ${String(exclusiveMaximum)}`);
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf))
    return broken('multipleOf', `a multiple of ${String(multipleOf)}`);
  return findBrokenChoice(value, rules);
}

function findBrokenChoice(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (rules.enum !== undefined && !rules.enum.includes(value) && !rules.enum.some((each) => sameJson(each, value))) {
    return broken('enum', `one of ${rules.enum.map(printJson).join(', ')}`);
  }
  if ('const' in rules && !sameJson(rules.const, value)) return broken('const', printJson(rules.const));
  return undefined;
}

function broken(rule: string, expected: string): BrokenNumberRule {
  return { rule, expected };
}

/** The places of two equal items of a list; `undefined` if it has none. Takes time in proportion to the list's length. */
export function findRepeated(list: readonly unknown[]): { i: number; j: number } | undefined {
  const places = new Map<unknown, number>();
  for (const [i, item] of list.entries()) {
    const key = keyOfJson(item);
    const j = places.get(key);
    if (j !== undefined) return { i, j };
    places.set(key, i);
  }
  return undefined;
}

/** The name by which a precompiled validator requires {@link findRepeated}. */
const UNIQUE_ITEMS_MODULE = 'unique-items';

/** JSON Schema Validation 2020-12 section 6.4.3; Ajv's compares every item with every other one. */
export function createUniqueItemsKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have equal items', params: ({ params }) => _`${params['found']}` },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context;
      if (schema !== true) return;
      const code = _`require(${UNIQUE_ITEMS_MODULE}).findRepeated`;
      const find = gen.scopeValue('func', { ref: findRepeated, code });
      const found = gen.const('repeated', _`${find}(${data})`);
      context.setParams({ found });
      context.fail(_`${found} !== undefined`);
    },
  };
}

/** Without `url` of `ajv-formats`, which takes hours for a megabyte: here it is what browsers take (WHATWG URL). */
export function addFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text));
}
