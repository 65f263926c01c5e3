import { LosslessNumber } from 'lossless-json';
import { INT64_MAX, INT64_MIN, isWholeLiteral, printJson } from '../document/json.js';
import type { SchemaObject } from '../model.js';
import { sameJson } from '../document/same-json.js';

/**
 * The rules of a numeric schema. Ajv's own keywords are not exact: `integer`
 * refuses a `bigint`, `int64` accepts 1e300, and `maximum` ignores anything that
 * is not a `number`. So one keyword of ours owns them all.
 */
export interface NumberRules {
  /** Only whole numbers; `1.0` and `1e2` are whole (JSON Schema 2020-12 validation, section 6.1.1). */
  integer: boolean;
  /** Types allowed beside the number: `null` in `type: [integer, 'null']`. */
  otherTypes: string[];
  format?: 'int32' | 'int64';
  minimum?: number | bigint;
  maximum?: number | bigint;
  exclusiveMinimum?: number | bigint;
  exclusiveMaximum?: number | bigint;
  multipleOf?: number | bigint;
  enum?: unknown[];
  const?: unknown;
}

/** Which rule a value breaks, under the name it has in the contract. */
export interface BrokenNumberRule {
  rule: string;
  expected: string;
}

/** Splits a schema into its numeric rules and the rest; `undefined` if it does not describe a number. */
export function splitNumberRules(schema: SchemaObject): { rules: NumberRules; rest: SchemaObject } | undefined {
  const types = [schema['type']].flat();
  if (!types.includes('integer') && !types.includes('number')) return undefined;
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, ...others } = schema;
  const { enum: values, const: constant, ...rest } = others;
  const given = { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, enum: values, const: constant };
  const rules = {
    integer: !types.includes('number'),
    otherTypes: types.filter((name) => name !== 'integer' && name !== 'number'),
    ...(format === 'int32' || format === 'int64' ? { format } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as NumberRules;
  return { rules, rest };
}

/** The first rule that a value breaks; `undefined` if it keeps them all. */
export function findBrokenRule(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return findBrokenBound(value, rules);
  if (typeof value === 'bigint') return findBrokenBound(value, rules);
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (rules.integer && !Number.isInteger(value)) return broken('type', 'an integer');
    return findBrokenBound(value, rules);
  }
  if (value instanceof LosslessNumber) return findBrokenLiteral(value.toString(), rules);
  if (rules.otherTypes.includes(typeOf(value))) return findBrokenChoice(value, rules);
  const names = [rules.integer ? 'an integer' : 'a number', ...rules.otherTypes];
  return broken('type', names.join(' or '));
}

/** A number that cannot be represented exactly is either far outside every bound or next to one that a `double` represents. */
function findBrokenLiteral(literal: string, rules: NumberRules): BrokenNumberRule | undefined {
  if (rules.integer && !isWholeLiteral(literal)) return broken('type', 'an integer');
  return findBrokenBound(Number(literal), rules);
}

function findBrokenBound(value: number | bigint, rules: NumberRules): BrokenNumberRule | undefined {
  // `<` between number and bigint compares the exact mathematical values, which is slow.
  if (rules.format === 'int64' && !Number.isSafeInteger(value) && (value < INT64_MIN || value > INT64_MAX)) {
    return broken('format', `an int64, ${INT64_MIN} to ${INT64_MAX}`);
  }
  if (rules.format === 'int32' && (value < -2_147_483_648 || value > 2_147_483_647)) {
    return broken('format', 'an int32, -2147483648 to 2147483647');
  }
  if (rules.minimum !== undefined && value < rules.minimum) return broken('minimum', `at least ${rules.minimum}`);
  if (rules.maximum !== undefined && value > rules.maximum) return broken('maximum', `at most ${rules.maximum}`);
  if (rules.exclusiveMinimum !== undefined && value <= rules.exclusiveMinimum) {
    return broken('exclusiveMinimum', `more than ${rules.exclusiveMinimum}`);
  }
  if (rules.exclusiveMaximum !== undefined && value >= rules.exclusiveMaximum) {
    return broken('exclusiveMaximum', `less than ${rules.exclusiveMaximum}`);
  }
  if (rules.multipleOf !== undefined && !isMultiple(value, rules.multipleOf)) {
    return broken('multipleOf', `a multiple of ${rules.multipleOf}`);
  }
  return findBrokenChoice(value, rules);
}

function findBrokenChoice(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (rules.enum !== undefined && !rules.enum.includes(value) && !rules.enum.some((each) => sameJson(each, value))) {
    return broken('enum', `one of ${rules.enum.map(printJson).join(', ')}`);
  }
  if ('const' in rules && !sameJson(rules.const, value)) return broken('const', printJson(rules.const));
  return undefined;
}

function isMultiple(value: number | bigint, of: number | bigint): boolean {
  if (Number.isInteger(Number(value)) && Number.isInteger(Number(of))) return BigInt(value) % BigInt(of) === 0n;
  // As in Ajv by default: exact for numbers that a double represents exactly.
  return Number.isInteger(Number(value) / Number(of));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function broken(rule: string, expected: string): BrokenNumberRule {
  return { rule, expected };
}
