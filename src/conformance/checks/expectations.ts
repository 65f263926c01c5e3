// What a scenario itself states of a response: header fields and bodies by JSON Schema, and bodies that equal another.
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { printJson, sameJson, sameToADouble } from '../../contract/document/json.js';
import { loadAjv } from '../../contract/document/load-when-needed.js';
import { asList } from '../../contract/document/plain.js';
import {
  checkCodeGeneration,
  mapSubschemas,
  prepareSchema,
  createExactNumberKeyword,
  addFormats,
} from '../../contract/schemas/compile-schemas.js';
import { JSON_SCHEMA, SOURCE_POINTER } from '../../contract/schemas/dialect.js';
import { createPattern } from '../../contract/schemas/pattern.js';
import { translateFinding } from '../../contract/schemas/violation.js';
import { findAsked } from '../ledger/shown-records.js';
import type { Expectation } from '../model/scenario.js';
import { comesFromAnswer, listReferences } from '../http/template.js';
import { answered, placeOfRecord, within, isRecord, show, showPair } from './check.js';
import type { Check, CheckContext, CheckFinding, CheckOutcome, Given, Keyword, Mistake, JsonObject } from './check.js';
import { findRule, knownFields } from './response.js';
import { fitsStatus, isAlike } from './status.js';

export const expectedHeadersCheck: Check = {
  id: 'headers',
  title: 'a response has the header fields that the scenario requires',
  onRequest: true,
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    return Object.entries(context.expect.headers ?? {}).flatMap(([name, schema]) => {
      const field = name.toLowerCase();
      return describeMismatch(schema, answer.headers[field] ?? null, `header/${field}`);
    });
  },
};

export const headersKeyword: Keyword = {
  check: expectedHeadersCheck,
  looksAt: 'answer',
  findMistake(value, given) {
    if (given.isOpen(value)) return undefined;
    if (!isRecord(value) || Object.keys(value).length === 0)
      return { at: '', message: `it must name a header field, with its JSON Schema, but is ${show(value)}.` };
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
    const unseen = [...listUnseen(schema, [read.value], '')];
    return unseen.map((at) => ({ needs: `something at body${at}, which the scenario describes` }));
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
    const place = comesFromAnswer(stated) ? { contractPointer: placeOfRecord(context) } : {};
    const pair = { expected: context.expect.equals, actual: read.value, stated };
    return [...listDifferences(pair, '', listComparedFields(context))]
      .slice(0, 20)
      .map((difference) => Object.assign(difference, { settles: true }, place));
  },
};

export const equalsKeyword: Keyword = { check: equalsCheck, looksAt: 'body', findMistake: () => undefined };

function listComparedFields(context: CheckContext): readonly string[] | undefined {
  const known = knownFields(context);
  if (known === undefined) return undefined;
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const sent = (subject?.fields ?? []).map(({ name }) => name).filter((name) => known.has(name));
  if (subject === undefined || sent.length === 0) return [...known];
  return [...known].filter((field) => field === subject.resource.key.property || sent.includes(field));
}

type Pair = { expected: unknown; actual: unknown; stated: unknown };

function* listDifferences(
  pair: Pair,
  at: string,
  fields: readonly string[] | undefined,
): Generator<Pick<CheckFinding, 'rule' | 'at' | 'expected' | 'value' | 'actual' | 'isOfAnswers'>> {
  const { expected, actual, stated } = pair;
  const isOfAnswers = comesFromAnswer(stated);
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const index of expected.keys()) yield* listDifferences(step(pair, String(index)), `${at}/${index}`, fields);
  } else if (isRecord(expected) && isRecord(actual)) {
    const all = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const name of (isOfAnswers ? fields : undefined) ?? all)
      yield* listDifferences(step(pair, name), `${at}/${name}`, undefined);
  } else if (!sameToADouble(expected, actual)) {
    const shown = showPair(expected, actual);
    const says = `${shown.expected}, ${isOfAnswers ? 'as in the previous response' : 'as the scenario states'}`;
    const finding = { rule: at.split('/').at(-1) || 'equal', at: `body${at}`, expected: says, value: shown.expected };
    yield { ...finding, actual: shown.actual, ...(isOfAnswers ? { isOfAnswers } : {}) };
  }
}

function step({ expected, actual, stated }: Pair, key: string): Pair {
  const fieldOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  const inside = typeof stated === 'object' ? fieldOf(stated) : stated;
  return { expected: fieldOf(expected), actual: fieldOf(actual), stated: inside };
}

type LookedAt = { value: unknown } | { outcomes: CheckOutcome[] };

function readBodyFor(keyword: keyof Expectation, context: CheckContext): LookedAt {
  const { answer, body, expect, sent } = context;
  const deviate = (at: string, expected: string, actual: string): LookedAt => ({
    outcomes: [{ rule: 'present', at, expected: `${expected}, for \`${keyword}\` to look at`, actual }],
  });
  if (expect[keyword] === undefined || answer.kind === 'unanswered') return { outcomes: [] };
  const { status } = answer;
  if (expect.status !== undefined && !fitsStatus(status, expect.status) && !isAlike(status, expect.status))
    return { outcomes: [] };
  if (expect.status === undefined && (status < 200 || status > 299)) {
    const other = `a response other than 429 (too many requests), which \`${keyword}\` can judge`;
    if (status === 429) return { outcomes: [{ needs: `${other}; --rate sends fewer requests per second` }] };
    if (status >= 500 && sent.operation !== undefined) return { outcomes: [] };
    return deviate('status', 'a success', String(status));
  }
  if (body.kind === 'json') return { value: body.value };
  if (body.kind === 'cut-off' || body.kind === 'too-deep') return { outcomes: [] };
  if ((findRule(context)?.content.length ?? 0) > 0)
    return { outcomes: [{ needs: `JSON in the response, which \`${keyword}\` in the scenario judges` }] };
  return deviate('body', 'a body of JSON', body.kind === 'none' ? 'no body' : body.problem);
}

export function findUnanswered(keyword: keyof Expectation, context: CheckContext): CheckOutcome[] | undefined {
  if (context.expect[keyword] === undefined || context.expect.status !== undefined || context.open) return undefined;
  const read = readBodyFor(keyword, context);
  return 'outcomes' in read ? read.outcomes : undefined;
}

type Kind = 'array' | 'object' | 'string' | 'number';

const KINDS = { list: 'array', object: 'object', text: 'string' } as const;
const PLURALS: Record<Kind, string> = { array: 'lists', object: 'objects', string: 'texts', number: 'numbers' };
const ABOUT: Readonly<Record<Kind, readonly string[]>> = {
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

const ANNOTATIONS = new Set(['title', 'description', '$comment', 'default', 'examples', 'deprecated']);

export function findBadSchema(schema: unknown, given: Given, kind: keyof typeof KINDS | undefined) {
  if (given.isOpen(schema)) return undefined;
  if (!isRecord(schema) && typeof schema !== 'boolean')
    return { at: '', message: `it must be a JSON Schema, but is ${show(schema)}.` };
  if (schema === true || Object.keys(schema).every((name) => ANNOTATIONS.has(name)))
    return { at: '', message: `it is the JSON Schema ${show(schema)}, which any value satisfies.` };
  const wrong = kind === undefined || !isRecord(schema) ? undefined : findWrongKind(schema, kind);
  if (wrong !== undefined || (given.stage === 'file' && listReferences(schema).length > 0)) return wrong;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return { at: '', message: `it is not a JSON Schema: ${(error as Error).message}.` };
  }
}

function findWrongKind(schema: JsonObject, kind: keyof typeof KINDS): Mistake | undefined {
  if (schema['type'] !== undefined) return undefined;
  const kinds = impliedKinds(schema);
  const [[first, keyword] = []] = kinds;
  if (first === undefined || keyword === undefined || kinds.has(KINDS[kind])) return undefined;
  const hint = kind === 'list' && first === 'object' ? '; `items` is about each of them' : '';
  const what = `${kind === 'object' ? 'an' : 'a'} ${kind}${hint}`;
  const message = `\`${keyword}\` is about ${PLURALS[first]}, and what it would look at is ${what}.`;
  return { at: `/${keyword}`, message };
}

function* listUnseen(schema: unknown, values: readonly unknown[], at: string): Generator<string> {
  if (!isRecord(schema)) return;
  for (const part of asList(schema['allOf'])) yield* listUnseen(part, values, at);
  const { properties, items } = schema;
  for (const [name, each] of isRecord(properties) ? Object.entries(properties) : []) {
    if (each === false) continue;
    const all = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
    if (all.length === 0) yield `${at}/${name}`;
    else yield* listUnseen(each, all, `${at}/${name}`);
  }
  if (!isRecord(items)) return;
  const all = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []));
  if (all.length === 0 && schema['maxItems'] !== 0) yield `${at}/0`;
  else yield* listUnseen(items, all, `${at}/0`);
}

export function describeMismatch(schema: unknown, value: unknown, at = '') {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => {
    const { rule, at: place, expected, actual } = translateFinding(error);
    return { rule, at: `${at}${place}`, expected, actual };
  });
}

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();

function compile(schema: unknown): ReturnType<Ajv2020['compile']> {
  const text = printJson(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  ajv ??= createAjv();
  const prepared = prepareSchema(stateKinds(schema), '', { dialect: JSON_SCHEMA, keepsUnknown: true });
  const validate = ajv.compile(prepared as object);
  compiled.set(text, validate);
  return validate;
}

function impliedKinds(schema: unknown): Map<Kind, string> {
  if (typeof schema !== 'object' || schema === null) return new Map();
  const own = Object.entries(ABOUT).flatMap(([kind, keywords]): [Kind, string][] => {
    const keyword = keywords.find((name) => Object.hasOwn(schema, name));
    return keyword === undefined ? [] : [[kind as Kind, keyword]];
  });
  return own.length === 0 && 'not' in schema ? impliedKinds(schema.not) : new Map(own);
}

function stateKinds(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const stated = mapSubschemas(schema as Record<string, unknown>, stateKinds);
  const kinds = [...impliedKinds(schema).keys()];
  return kinds.length === 0 || 'type' in schema ? stated : { ...stated, type: kinds };
}

function createAjv(): Ajv2020 {
  checkCodeGeneration();
  const { Ajv2020, _ } = loadAjv();
  const lenient = { strictTypes: false, strictTuples: false, strictRequired: false };
  const regExp = Object.assign(createPattern, { code: 'createPattern' });
  const instance = new Ajv2020({ allErrors: true, verbose: true, ...lenient, code: { regExp } });
  addFormats(instance);
  instance.addVocabulary([SOURCE_POINTER]);
  instance.addKeyword(createExactNumberKeyword());
  // Ajv cannot compile a `bigint` in `const` or `enum`, such as a key past 2^53 that a response has.
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
  return instance;
}
