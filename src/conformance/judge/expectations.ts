import { isRecord, show, showPair, type JsonObject } from './show.js';
import {
  within,
  type Keyword,
  type Given,
  type Mistake,
  answered,
  type Check,
  type CheckContext,
  type CheckFinding,
  type CheckOutcome,
  placeOfRecord,
} from './check.js';
import { knownFields, findRule } from './response.js';
import { comesFromAnswer, listReferences } from '../wire/request/template.js';
import { findAsked } from '../ledger/shown-records.js';
import { sameToADouble, sameJson } from '../../contract/document/same-json.js';
import type { Expectation } from '../model/scenario.js';
import { fitsStatus, isAlike } from './status.js';
import type { RecordRule, RecordsRule } from '../model/records.js';
import { asList } from '../../contract/document/plain.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjv } from '../../contract/document/load-when-needed.js';
import { JSON_SCHEMA } from '../../contract/schemas/dialect.js';
import { checkCodeGeneration } from '../../contract/schemas/code-generation.js';
import { createExactNumberKeyword } from '../../contract/schemas/exact-number-keyword.js';
import { printJson } from '../../contract/document/json.js';
import { addFormats } from '../../contract/schemas/formats.js';
import { createPattern } from '../../contract/schemas/patterns/pattern.js';
import { mapSubschemas, prepareSchema } from '../../contract/schemas/schemas.js';
import { SOURCE_POINTER } from '../../contract/schemas/source-pointer.js';
import { translateFinding } from '../../contract/schemas/violation.js';

export const expectedHeadersCheck: Check = {
  id: 'headers',
  title: 'a response has the header fields that the scenario requires',
  onRequest: true,
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    return Object.entries(context.expect.headers ?? {}).flatMap(([name, schema]) => {
      const value = answer.headers[name.toLowerCase()];
      return describeMismatch(schema, value ?? null, `header/${name.toLowerCase()}`);
    });
  },
};

export const headersKeyword: Keyword = {
  check: expectedHeadersCheck,
  looksAt: 'answer',
  findMistake(value, given) {
    if (given.isOpen(value)) return undefined;
    if (!isRecord(value) || Object.keys(value).length === 0) {
      return { at: '', message: `it must name a header field, with its JSON Schema, but is ${show(value)}.` };
    }
    for (const [name, schema] of Object.entries(value)) {
      const mistake = findBadSchema(schema, given, 'text');
      if (mistake !== undefined) return within(`/${name}`, mistake);
    }
    return undefined;
  },
};

export const expectedBodyCheck: Check = {
  id: 'expected-body',
  title: 'a body is as the scenario requires',
  onRequest: true,
  run(context) {
    const read = readBodyFor('body', context);
    if ('outcomes' in read) return read.outcomes;
    const schema = context.expect.body;
    const mismatches = describeMismatch(schema, read.value, 'body');
    if (mismatches.length > 0) return mismatches;
    return listUnseen(schema, read.value).map((at) => ({
      needs: `something at body${at}, which the scenario describes`,
    }));
  },
};

export const bodyKeyword: Keyword = {
  check: expectedBodyCheck,
  looksAt: 'body',
  findMistake: (value, given) => findBadSchema(value, given, given.bodyKind),
};

export const equalsCheck: Check = {
  id: 'equals',
  title: 'a body equals that of another response, or the one in the scenario',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const read = readBodyFor('equals', context);
    if ('outcomes' in read) return read.outcomes;
    const stated = context.stated.equals;
    const found = listDifferences(context.expect.equals, read.value, { stated, fields: comparedFields(context) });
    return found.map((difference) => describe(difference, stated, context));
  },
};

function describe({ at, ...difference }: Difference, stated: unknown, context: CheckContext): CheckFinding {
  // Another client may have changed it in the meantime.
  const finding = {
    rule: at.split('/').at(-1) || 'equal',
    at: `body${at}`,
    ...difference,
    settles: true,
  };
  return comesFromAnswer(stated) ? { ...finding, contractPointer: placeOfRecord(context) } : finding;
}

/** It can compare any JSON. */
export const equalsKeyword: Keyword = { check: equalsCheck, looksAt: 'body', findMistake: () => undefined };

/** The fields by which two representations of one thing are compared; `undefined` where the contract names none. */
function comparedFields(context: CheckContext): readonly string[] | undefined {
  const known = knownFields(context);
  if (known === undefined) return undefined;
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const sent = (subject?.fields ?? []).map(({ name }) => name).filter((name) => known.has(name));
  // Where a client sets none of these, they are all there is to compare.
  if (subject === undefined || sent.length === 0) return [...known];
  // What only the service sets may change by itself, but for the key.
  return [...known].filter((field) => field === subject.resource.key.property || sent.includes(field));
}

/** One place at which a value differs from the expected one. */
interface Difference {
  /** JSON Pointer from the value. */
  at: string;
  expected: string;
  /** The value alone, without its source. */
  value: string;
  actual: string;
  /** Whether it was taken from an earlier answer. */
  isOfAnswers?: true;
}

/** More differences would not tell a reader more. */
const MOST = 20;

/**
 * Where a value differs from what a scenario expects. `stated` is the expectation as the file has it: what it takes
 * from an earlier answer is compared by the fields that the contract gives it, since a server may add others of its
 * own; what it states itself is compared as it stands.
 */
function listDifferences(
  expected: unknown,
  actual: unknown,
  { stated, fields }: { stated: unknown; fields: readonly string[] | undefined },
): Difference[] {
  return [...differences({ expected, actual, stated }, '', fields)].slice(0, MOST);
}

interface Pair {
  expected: unknown;
  actual: unknown;
  stated: unknown;
}

function* differences(pair: Pair, at: string, fields: readonly string[] | undefined): Generator<Difference> {
  const { expected, actual, stated } = pair;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const index of expected.keys()) yield* differences(step(pair, String(index)), `${at}/${index}`, fields);
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const name of listFields(expected, actual, comesFromAnswer(stated) ? fields : undefined))
      yield* differences(step(pair, name), `${at}/${name}`, undefined);
  } else if (!sameToADouble(expected, actual)) {
    const isOfAnswers = comesFromAnswer(stated);
    const shown = showPair(expected, actual);
    yield {
      at,
      expected: `${shown.expected}, ${isOfAnswers ? 'as in the previous response' : 'as the scenario states'}`,
      value: shown.expected,
      actual: shown.actual,
      ...(isOfAnswers ? { isOfAnswers } : {}),
    };
  }
}

/** What stands below a reference comes from where the reference leads. */
function step({ expected, actual, stated }: Pair, key: string): Pair {
  return {
    expected: fieldOf(expected, key),
    actual: fieldOf(actual, key),
    stated: typeof stated === 'object' ? fieldOf(stated, key) : stated,
  };
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as JsonObject)[key]
    : undefined;
}

function listFields(
  expected: JsonObject,
  actual: JsonObject,
  fields: readonly string[] | undefined,
): readonly string[] {
  return fields ?? [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
}

/** The value that a keyword examines; without one, the outcomes, which are none if another check reports the reason. */
type LookedAt<T> = { value: T } | { outcomes: CheckOutcome[] };

const TOLD_ELSEWHERE: { outcomes: CheckOutcome[] } = { outcomes: [] };

/** The body of an answer with the expected status, or of a success if none is expected. */
function readBodyFor(keyword: keyof Expectation, context: CheckContext): LookedAt<unknown> {
  const { answer, body, expect, sent } = context;
  if (expect[keyword] === undefined || answer.kind === 'unanswered') return TOLD_ELSEWHERE;
  const { status } = answer;
  if (expect.status !== undefined && !fitsStatus(status, expect.status) && !isAlike(status, expect.status))
    return TOLD_ELSEWHERE;
  if (expect.status === undefined && (status < 200 || status > 299)) {
    if (status === 429)
      return {
        outcomes: [
          {
            needs: `a response other than 429 (too many requests), which \`${keyword}\` can judge; --rate sends fewer requests per second`,
          },
        ],
      };
    return status >= 500 && sent.operation !== undefined
      ? TOLD_ELSEWHERE
      : deviate(keyword, { at: 'status', expected: 'a success', actual: String(status) });
  }
  if (body.kind === 'json') return { value: body.value };
  if (body.kind === 'cut-off' || body.kind === 'too-deep') return TOLD_ELSEWHERE;
  const actual = body.kind === 'none' ? 'no body' : body.problem;
  return describesBody(context)
    ? { outcomes: [{ needs: `JSON in the response, which \`${keyword}\` in the scenario judges` }] }
    : deviate(keyword, { at: 'body', expected: 'a body of JSON', actual });
}

/** What is said of an answer that is no success, where the scenario states no status: it is none that could be looked at. */
export function findUnanswered(keyword: keyof Expectation, context: CheckContext): CheckOutcome[] | undefined {
  if (context.expect[keyword] === undefined || context.expect.status !== undefined || context.open) return undefined;
  const read = readBodyFor(keyword, context);
  return 'outcomes' in read ? read.outcomes : undefined;
}

/** Whether the contract describes a body, whose absence other checks report. */
function describesBody(context: CheckContext): boolean {
  return (findRule(context)?.content.length ?? 0) > 0;
}

function deviate(
  keyword: string,
  { at, expected, actual }: { at: string; expected: string; actual: string },
): { outcomes: CheckOutcome[] } {
  return { outcomes: [{ rule: 'present', at, expected: `${expected}, for \`${keyword}\` to look at`, actual }] };
}

// What a value of `record` or `records` must be for its check to judge anything.

export function findBadRecord(value: unknown, given: Given): Mistake | undefined {
  const { like, except, key, notKey, keyKind } = value as Partial<RecordRule>;
  if (except !== undefined && like === undefined)
    return { at: '/except', message: '`except` leaves out fields of `like`, and there is none.' };
  return (
    within('/like', findBadFields(like, given)) ??
    within('/key', findBadKey(key, given, keyKind)) ??
    within('/notKey', findBadKey(notKey, given, keyKind))
  );
}

export function findBadList(value: unknown, given: Given): Mistake | undefined {
  const { atMost, moreThan, has, lacks, every, keyKind } = value as Partial<RecordsRule>;
  const first = within('/atMost', findBadCount(atMost, given)) ?? within('/moreThan', findBadCount(moreThan, given));
  if (first !== undefined) return first;
  if (every !== undefined && !given.isOpen(every) && !isRecord(every))
    return { at: '/every', message: `it must name fields with their values, but is ${show(every)}.` };
  for (const [index, wanted] of (Array.isArray(has) ? has : []).entries()) {
    const mistake =
      within(`/has/${index}/like`, findBadFields(wanted.like, given)) ??
      within(`/has/${index}/key`, findBadKey(wanted.key, given, keyKind));
    if (mistake !== undefined) return mistake;
  }
  for (const [index, key] of (Array.isArray(lacks) ? lacks : []).entries()) {
    const mistake = within(`/lacks/${index}`, findBadKey(key, given, keyKind));
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function findBadCount(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || (Number.isInteger(value) && Number(value) >= 0)) return undefined;
  return { at: '', message: `it must be a number of records, but is ${show(value)}.` };
}

function findBadFields(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || isRecord(value)) return undefined;
  return { at: '', message: `it must be a record, as an object, but is ${show(value)}.` };
}

function findBadKey(value: unknown, { isOpen }: Given, kind: RecordRule['keyKind']): Mistake | undefined {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const isKey = isInteger || (kind !== 'integer' && typeof value === 'string' && value !== '');
  if (value === undefined || isOpen(value) || isKey) return undefined;
  const wanted = kind === 'integer' ? 'an integer' : 'a text or an integer';
  return { at: '', message: `it must be the key of a record, ${wanted}, but is ${show(value)}.` };
}

/** Keywords of JSON Schema that only inform people. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', 'default', 'examples', 'deprecated']);

/** What is wrong with a value that must be a JSON Schema which can reject a value of a kind. */
export function findBadSchema(
  schema: unknown,
  given: Given,
  kind: 'list' | 'object' | 'text' | undefined,
): Mistake | undefined {
  if (given.isOpen(schema)) return undefined;
  if (!isRecord(schema) && typeof schema !== 'boolean') {
    return { at: '', message: `it must be a JSON Schema, but is ${show(schema)}.` };
  }
  if (schema === true || Object.keys(schema).every((name) => ANNOTATIONS.has(name))) {
    return { at: '', message: `it is the JSON Schema ${show(schema)}, which any value satisfies.` };
  }
  return findWrongKind(schema, kind) ?? findUncompilable(schema, given);
}

const KINDS: Readonly<Record<'list' | 'object' | 'text', Kind>> = { list: 'array', object: 'object', text: 'string' };

function findWrongKind(schema: unknown, kind: keyof typeof KINDS | undefined): Mistake | undefined {
  if (kind === undefined || !isRecord(schema) || schema['type'] !== undefined) return undefined;
  const kinds = impliedKinds(schema);
  const [[first, keyword] = []] = kinds;
  if (first === undefined || keyword === undefined || kinds.has(KINDS[kind])) return undefined;
  const hint = kind === 'list' && first === 'object' ? '; `items` is about each of them' : '';
  return {
    at: `/${keyword}`,
    message: `\`${keyword}\` is about ${PLURALS[first]}, and what it would look at is ${kind === 'object' ? 'an' : 'a'} ${kind}${hint}.`,
  };
}

const PLURALS: Readonly<Record<Kind, string>> = {
  array: 'lists',
  object: 'objects',
  string: 'texts',
  number: 'numbers',
};

/** A schema with references is complete only when they are filled in. */
function findUncompilable(schema: unknown, given: Given): Mistake | undefined {
  if (given.stage === 'file' && listReferences(schema).length > 0) return undefined;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return { at: '', message: `it is not a JSON Schema: ${(error as Error).message}.` };
  }
}

/** JSON Pointers to what a schema describes and a matching value does not have, so that nothing was checked there. */
function listUnseen(schema: unknown, value: unknown): string[] {
  return [...unseen(schema, [value], '')];
}

function* unseen(schema: unknown, values: readonly unknown[], at: string): Generator<string> {
  if (!isRecord(schema)) return;
  for (const part of asList(schema['allOf'])) yield* unseen(part, values, at);
  if (isRecord(schema['properties'])) yield* unseenProperties(schema['properties'], values, at);
  const { items } = schema;
  if (!isRecord(items)) return;
  const all = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []));
  if (all.length === 0 && schema['maxItems'] !== 0) yield `${at}/0`;
  else yield* unseen(items, all, `${at}/0`);
}

function* unseenProperties(properties: JsonObject, values: readonly unknown[], at: string): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    // `false` requires its absence.
    if (schema === false) continue;
    const all = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
    if (all.length === 0) yield `${at}/${name}`;
    else yield* unseen(schema, all, `${at}/${name}`);
  }
}

/** A place where a value does not match a scenario's schema. */
interface Mismatch {
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
    const { rule, at: place, expected, actual } = translateFinding(error);
    return { rule, at: `${at}${place}`, expected, actual };
  });
}

/** Compiles a schema. Throws Ajv's error for anything that is not a JSON Schema. */
function compile(schema: unknown): ReturnType<Ajv2020['compile']> {
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
type Kind = 'array' | 'object' | 'string' | 'number';

const ABOUT: Readonly<Record<Kind, readonly string[]>> = {
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The kinds of value to which a schema applies, each with the keyword that shows it, including those within `not`. */
function impliedKinds(schema: unknown): Map<Kind, string> {
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
