import { createRequire } from 'node:module';
import type * as FakerModule from '@faker-js/faker';
import { escapePointer, type SourceDocument } from '../document/document.js';
import type { SchemaObject } from '../model.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';

export interface SampleOptions {
  /** Which of several values that would do, such as those of an enumeration. Default: 0, the first. */
  index?: number;
  /** What dates and times are, milliseconds since 1970-01-01T00:00:00Z. Default: the start of 2026. */
  now?: number;
}

interface Sampling extends Required<SampleOptions> {
  document: SourceDocument;
  /** How many values may still be made, texts counted by their length. */
  budget: { left: number };
}

/** Deeper inside, a schema is taken to contain itself. */
const MAX_DEPTH = 8;
/** A schema may ask for a billion items, or contain itself ten times over. */
const MAX_VALUES = 10_000;
const CHARACTERS_PER_VALUE = 100;
const DEFAULT_NOW = Date.parse('2026-01-01T00:00:00Z');

/**
 * A value that the schema at a pointer should allow, always the same:
 * its own example, default or first choice, else a plain value of its type with
 * no more than is required. Whoever needs to be sure validates it. `undefined`
 * when the schema says nothing of what the value is.
 */
export function sampleValue(document: SourceDocument, pointer: string, options: SampleOptions = {}): unknown {
  const budget = { left: MAX_VALUES };
  return sample(pointer, { document, budget, index: options.index ?? 0, now: options.now ?? DEFAULT_NOW }, 0);
}

function sample(at: string, sampling: Sampling, depth: number): unknown {
  const { value, pointer } = resolveAt(sampling.document, at);
  const schema = asObject(value);
  const given = findGiven(schema, sampling.index);
  sampling.budget.left -= 1;
  if (given !== undefined || depth > MAX_DEPTH || sampling.budget.left < 0) return given;
  for (const composition of ['oneOf', 'anyOf']) {
    if (asList(schema[composition]).length > 0) return sample(`${pointer}/${composition}/0`, sampling, depth + 1);
  }
  const parts = asList(schema['allOf']).map((_, index) => sample(`${pointer}/allOf/${index}`, sampling, depth + 1));
  const own = sampleType(schema, { pointer, sampling, depth });
  const all = [...parts, own].filter((each) => each !== undefined);
  return all.every(isPlainObject) && all.length > 0 ? (Object.assign({}, ...all) as unknown) : all[0];
}

/** What the contract itself gives as a value. */
function findGiven(schema: SchemaObject, index: number): unknown {
  const choices = asList(schema['enum']);
  if (choices.length > 0) return choices[index % choices.length];
  const examples = asList(schema['examples']);
  if (examples.length > 0) return examples[index % examples.length];
  return schema['const'] ?? schema['example'] ?? schema['default'];
}

interface Here {
  pointer: string;
  sampling: Sampling;
  depth: number;
}

function sampleType(schema: SchemaObject, here: Here): unknown {
  const type: unknown = [schema['type']].flat().find((name) => name !== 'null');
  if (type === 'object' || schema['properties'] !== undefined) return sampleObject(schema, here);
  if (type === 'string') return sampleText(schema, here.sampling);
  if (type === 'integer' || type === 'number') return sampleNumber(schema, here.sampling.index);
  if (type === 'boolean') return true;
  if (type === 'array') return sampleList(schema, here);
  return schema['type'] === 'null' ? null : undefined;
}

function sampleObject(schema: SchemaObject, { pointer, sampling, depth }: Here): Record<string, unknown> {
  const described = asObject(schema['properties']);
  const names = asList(schema['required'])
    .map(String)
    .filter((name) => Object.hasOwn(described, name));
  const inside = (name: string): unknown =>
    sample(`${pointer}/properties/${escapePointer(name)}`, sampling, depth + 1) ?? 'string';
  return Object.fromEntries(names.map((name) => [name, inside(name)]));
}

function sampleList(schema: SchemaObject, { pointer, sampling, depth }: Here): unknown[] {
  const length = Math.min(Number(schema['minItems'] ?? 0), Math.max(sampling.budget.left, 0));
  return Array.from({ length }, (_, index) => sample(`${pointer}/items`, { ...sampling, index }, depth + 1));
}

function sampleNumber(schema: SchemaObject, index: number): number | bigint {
  const least = firstNumber(schema['minimum'], above(schema['exclusiveMinimum']));
  const most = firstNumber(schema['maximum'], below(schema['exclusiveMaximum']));
  const step = firstNumber(schema['multipleOf']) ?? 1;
  const first = least ?? (most !== undefined && most < step ? most : step);
  if (typeof first === 'bigint' || typeof step === 'bigint') return first;
  const start = Math.ceil(first / step) * step;
  const chosen = start + index * step;
  return most !== undefined && chosen > most ? start : chosen;
}

/** OpenAPI 3.0 may have a truth value here, and the bound itself beside it. */
function above(bound: unknown): unknown {
  return typeof bound === 'number' ? bound + 1 : bound;
}

function below(bound: unknown): unknown {
  return typeof bound === 'number' ? bound - 1 : bound;
}

function firstNumber(...values: unknown[]): number | bigint | undefined {
  return values.find((value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint');
}

const FORMATS: Readonly<Record<string, (now: string) => string>> = {
  'date-time': (now) => now,
  date: (now) => now.slice(0, 10),
  time: (now) => now.slice(11),
  duration: () => 'P1D',
  email: () => 'rex@example.com',
  hostname: () => 'example.com',
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  uri: () => 'https://example.com/',
  url: () => 'https://example.com/',
  uuid: () => '123e4567-e89b-42d3-a456-426614174000',
};

function sampleText(schema: SchemaObject, { now, index, budget }: Sampling): string {
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') return sampleFromPattern(pattern, index);
  const format = FORMATS[String(schema['format'])];
  if (format !== undefined) return format(new Date(now).toISOString());
  const room = Math.max(budget.left, 0) * CHARACTERS_PER_VALUE;
  const text = 'string'.padEnd(Math.min(Number(schema['minLength'] ?? 0), room), 'g');
  budget.left -= Math.floor(text.length / CHARACTERS_PER_VALUE);
  return schema['maxLength'] === undefined ? text : text.slice(0, Number(schema['maxLength']));
}

/** More than this is not repeated for a sample. */
const MAX_REPEAT = 10_000;

/** Loads Faker, which costs some 100 ms, for what nothing else here can do. */
function sampleFromPattern(pattern: string, index: number): string {
  const repeats = [...pattern.matchAll(/(\d+)\}/g)].map(([, times]) => Number(times));
  if (repeats.reduce((sum, times) => sum + times, 0) > MAX_REPEAT) return 'string';
  const { Faker, base } = createRequire(import.meta.url)('@faker-js/faker') as typeof FakerModule;
  const faker = new Faker({ locale: [base], seed: index + 1 });
  return faker.helpers.fromRegExp(
    pattern
      .replace(/^\^|\$$/g, '')
      .replaceAll(String.raw`\d`, '[0-9]')
      .replaceAll(String.raw`\w`, '[a-z]'),
  );
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
