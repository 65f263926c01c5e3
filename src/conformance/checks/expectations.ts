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
import { findAsked, withoutWriteOnly, type RunTexts } from '../ledger/shown-records.js';
import type { Expectation } from '../model/scenario.js';
import { comesFromAnswer, listReferences } from '../http/template.js';
import { answered, placeOfRecord, within, isRecord, show, showPair, placeOfLimit, successBody } from './check.js';
import type { CheckContext, CheckFinding, CheckOutcome, Given, JsonObject, Mistake, StatedCheck } from './check.js';
import { findRule, knownFields } from './response.js';
import { fitsStatus, isAlike, explainKept, explainRenaming } from './status.js';
import { isSecretName } from '../../redact/redactor.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { followPointer, ruleOfField, type RecordPlace, type RecordRule } from '../model/exchange.js';

export const expectedHeadersCheck: StatedCheck = {
  id: 'headers',
  title: 'a response has the header fields that the scenario requires',
  onRequest: true,
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
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    return Object.entries(context.expect.headers ?? {}).flatMap(([name, schema]) => {
      const field = name.toLowerCase();
      return describeMismatch(schema, answer.headers[field] ?? null, `header/${field}`);
    });
  },
};

export const expectedBodyCheck: StatedCheck = {
  id: 'expected-body',
  title: 'a body is as the scenario requires',
  onRequest: true,
  looksAt: 'body',
  findMistake: (value, given) => findBadSchema(value, given, given.bodyKind),
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

export const equalsCheck: StatedCheck = {
  id: 'equals',
  title: 'a body equals that of another response, or the one in the scenario',
  comparesAnswers: true,
  onRequest: true,
  looksAt: 'body',
  findMistake: () => undefined,
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

export const recordCheck: StatedCheck = {
  id: 'record',
  title: 'a record has the values that were sent',
  comparesAnswers: true,
  onRequest: true,
  looksAt: 'body',
  findMistake(value, given) {
    const { like, except, key, notKey, keyKind } = value as Partial<RecordRule>;
    if (except !== undefined && like === undefined)
      return { at: '/except', message: '`except` leaves out fields of `like`, and there is none.' };
    return (
      within('/like', findBadFields(like, given)) ??
      within('/key', findBadKey(key, given, keyKind)) ??
      within('/notKey', findBadKey(notKey, given, keyKind))
    );
  },
  run(context) {
    const { expect, ledger } = context;
    const unanswered = findUnanswered('record', context);
    if (unanswered !== undefined) return unanswered;
    const body = successBody(context);
    if (expect.record === undefined || body === undefined) return [];
    const rule = { ...expect.record, like: withoutWriteOnly(expect.record.like, context) };
    const { at, key, keyProperty, like, fields, except, states = {}, without, dropped = [] } = rule;
    const record = followPointer(body, at);
    if (!isRecord(record)) return [{ needs: 'a response with a record in it' }];
    if (showsNothing(rule))
      return [{ needs: 'a response with a field that was sent: the contract describes none of them in this response' }];
    if (Object.keys(states).length > 0 && Object.keys(states).every((field) => record[field] === undefined))
      return [{ needs: 'a response with a field that no request contained' }];
    const own = record[keyProperty];
    const isOtherKey = key !== undefined && own !== undefined && !isSameKey(own, key);
    const renamed = isOtherKey ? explainRenaming(key, ledger) : undefined;
    if (renamed !== undefined) return [{ needs: renamed }];
    const left = new Set(Array.isArray(except) ? except.map(String) : []);
    const asked = { ...rule, fields: fields.filter((field) => !left.has(field)) };
    const differing = checkLike(record, like, asked, { at: `body${at}`, texts: ledger.texts });
    const { subject } = findAsked(context.contract, context.sent) ?? {};
    const hasBegun = (field: string): boolean =>
      subject !== undefined && context.ledger.learned.ownChoices.has(printChoice(subject, field, states[field]));
    return [
      ...checkKey(record, rule),
      ...checkTaken(record, rule),
      ...differing.map((each) => (isReset(each, rule, context) ? Object.assign(each, { doubt: undefined }) : each)),
      ...(!isRecord(without)
        ? []
        : dropped
            .filter((field) => fields.includes(field) && Object.hasOwn(without, field))
            .filter((field) => !isRecord(like) || !Object.hasOwn(like, field))
            .filter(
              (field) => (record[field] ?? null) !== null && listUnlike(without[field], record[field]).length === 0,
            )
            .map((field) => {
              const expected = 'no value from before the change, which removes it';
              const actual = show(record[field]);
              return { rule: `${field} dropped`, at: `body${at}/${field}`, expected, actual, settles: true };
            })),
      ...checkForeign(record, rule),
      ...Object.keys(states)
        .filter((field) => record[field] !== undefined && listUnlike(states[field], record[field]).length > 0)
        .filter((field) => !hasBegun(field))
        .map((field) => {
          const [value, actual] = [show(states[field]), show(record[field])];
          const expected = `${value}, the default in the contract`;
          return { rule: `${field} default`, at: `body${at}/${field}`, expected, value, actual, settles: true };
        }),
    ].map((each) => placeInContract(each, context, rule));
  },
};

export function findBadFields(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || isRecord(value)) return undefined;
  return { at: '', message: `it must be a record, as an object, but is ${show(value)}.` };
}

export function findBadKey(value: unknown, { isOpen }: Given, kind: RecordRule['keyKind']): Mistake | undefined {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const isKey = isInteger || (kind !== 'integer' && typeof value === 'string' && value !== '');
  if (value === undefined || isOpen(value) || isKey) return undefined;
  const wanted = kind === 'integer' ? 'an integer' : 'a text or an integer';
  return { at: '', message: `it must be the key of a record, ${wanted}, but is ${show(value)}.` };
}

function showsNothing({ like, key, notKey, fields, without, dropped = [] }: RecordRule): boolean {
  if (!isRecord(like) || key !== undefined || notKey !== undefined) return false;
  if (isRecord(without) && dropped.some((field) => Object.hasOwn(without, field) && fields.includes(field)))
    return false;
  return !fields.some((field) => Object.hasOwn(like, field));
}

function checkKey(record: JsonObject, { at, keyProperty, key, notKey, keyAmong }: RecordRule): CheckFinding[] {
  const own = record[keyProperty];
  const place = { at: `body${at}/${keyProperty}`, actual: show(own) };
  if (Array.isArray(keyAmong) && !keyAmong.some((each) => isSameKey(own, each)))
    return [{ rule: 'among', expected: 'a key that follows those before it', ...place }];
  if (key !== undefined && own !== undefined && !isSameKey(own, key))
    return [{ rule: 'key', expected: `${show(key)}, the record's key`, value: show(key), ...place, settles: true }];
  if (notKey !== undefined && own !== undefined && isSameKey(own, notKey))
    return [{ rule: 'new-key', expected: 'a key of its own', ...place }];
  return [];
}

export function checkLike(
  record: JsonObject,
  like: unknown,
  rule: Omit<RecordPlace, 'at'>,
  { at: place, texts }: { at: string; texts: RunTexts },
): CheckOutcome[] {
  const given = isRecord(like) ? like : {};
  return listDifferingFields(record, like, rule).map(({ field, at, expected: value, actual }) => {
    const [sent, shown] = [given[field], record[field]];
    const kept = explainKept(field, { record, sent, sentKey: given[rule.keyProperty] }, rule, texts);
    if (kept !== undefined) return { needs: kept };
    const isHidden = shown === undefined;
    const isShort =
      typeof shown === 'string' && shown !== '' && typeof sent === 'string' && shown.length <= sent.length;
    const isCut = rule.isPart === true && isShort && sent.startsWith(shown.replace(/(?:\u2026|\.{3})$/, ''));
    if (isHidden ? rule.optional?.includes(field) === true : isCut)
      return { needs: `a list that shows \`${field}\` whole: the contract describes a part of each record there` };
    const says = { rule: ruleOfField(field), at: `${place}${at}`, expected: `${value}, as it was sent`, value, actual };
    const finding: CheckFinding = Object.assign(says, { settles: true, isHidden });
    const id = record[rule.keyProperty];
    if (rule.choices?.includes(field) === true && !isHidden && id !== undefined)
      finding.doubt = { kind: 'move', id, field, expected: sent };
    return finding;
  });
}

function isReset(outcome: CheckOutcome, { except, defaults = {} }: RecordRule, context: CheckContext): boolean {
  if (except === undefined || 'needs' in outcome || outcome.doubt?.kind !== 'move') return false;
  const { field } = outcome.doubt;
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const isMoving = subject !== undefined && context.ledger.learned.moving.has(printField(subject, field));
  return !isMoving && Object.hasOwn(defaults, field) && outcome.actual === show(defaults[field]);
}

/** What only the service decides is not what a client gave (JSON Schema Validation 2020-12 section 9.4). */
function checkForeign(record: JsonObject, { at, unlike = {}, keyProperty }: RecordRule): CheckFinding[] {
  return Object.entries(unlike)
    .filter(([field, value]) => record[field] !== undefined && listUnlike(value, record[field]).length === 0)
    .map(([field, value]) => ({
      rule: `${field} read only`,
      at: `body${at}/${field}`,
      expected: 'a value of the service, since the field is read-only',
      actual: `${show(value)}, as the client sent it`,
      doubt: { kind: 'own' as const, id: record[keyProperty], field, value },
    }));
}

function checkTaken(record: JsonObject, { at, taken }: RecordRule): CheckOutcome[] {
  const sent = taken?.of;
  if (taken === undefined || !isRecord(sent)) return [];
  const names = taken.names.filter((name) => record[name] !== undefined && sent[name] !== undefined);
  const [field] = names;
  if (field === undefined) return [{ needs: 'a response that shows a value that only one record may have' }];
  if (names.some((name) => listUnlike(sent[name], record[name]).length > 0)) return [];
  const expected = 'a value of its own, since a create with the value of another record is rejected';
  return [{ rule: `${field} taken`, at: `body${at}/${field}`, expected, actual: show(record[field]) }];
}

export function listDifferingFields(
  record: JsonObject,
  like: unknown,
  { fields, defaults = {}, sets = [], tidied = [] }: Pick<RecordPlace, 'fields' | 'defaults' | 'sets' | 'tidied'>,
): { field: string; at: string; expected: string; actual: string }[] {
  if (!isRecord(like)) return [];
  return fields
    .filter((field) => Object.hasOwn(like, field))
    .flatMap((field) => {
      const shown = Object.hasOwn(record, field) ? record[field] : defaults[field];
      const seen = sets.includes(field) ? inOrderOf(like[field], shown) : shown;
      if (tidied.includes(field) && isSameTidied(like[field], seen)) return [];
      return listUnlike(like[field], seen, `/${field}`).map((each) => Object.assign({ field }, each));
    });
}

/** `["Red", "blue "]` and `["blue", "red", ""]`: but for case, white space, and what is there twice or empty. */
function isSameTidied(sent: unknown, seen: unknown): boolean {
  const tidy = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  if (typeof sent === 'string' && typeof seen === 'string') return tidy(sent) === tidy(seen);
  if (!Array.isArray(sent) || !Array.isArray(seen)) return false;
  const listTexts = (items: readonly unknown[]): string =>
    [...new Set(items.map((each) => tidy(String(each))))]
      .filter((text) => text !== '')
      .toSorted()
      .join('\n');
  return [...sent, ...seen].every((each) => typeof each === 'string') && listTexts(sent) === listTexts(seen);
}

function inOrderOf(sent: unknown, seen: unknown): unknown {
  if (!Array.isArray(sent) || !Array.isArray(seen) || sent.length !== seen.length) return seen;
  const rest: unknown[] = [...seen];
  const found = sent.map((item: unknown) => {
    const index = rest.findIndex((each) => listUnlike(item, each).length === 0);
    return index === -1 ? [] : rest.splice(index, 1);
  });
  return found.flatMap((each) => (each.length > 0 ? each : rest.splice(0, 1)));
}

/** A path has text where the record may have a number. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export function placeInContract<T extends CheckOutcome>(
  outcome: T,
  { contract, sent }: CheckContext,
  { resource }: Pick<RecordPlace, 'resource'>,
): T {
  const { operation } = sent;
  if ('needs' in outcome || operation === undefined) return outcome;
  const { subject } = outcome.rule === 'limit' ? (findAsked(contract, sent) ?? {}) : {};
  const asked = outcome.rule === 'filter' ? outcome.at.split('/').at(-1) : undefined;
  const filter = operation.parameters.find((each) => each.in === 'query' && each.name === asked);
  const parameter = subject === undefined ? filter?.pointer : placeOfLimit(subject, sent);
  const named = resource === undefined ? {} : { resource };
  return { ...outcome, ...named, contractPointer: parameter ?? `${operation.pointer}/responses` };
}

type Unlikeness = { at: string; expected: string; actual: string };

/**
 * Where a value is not what was sent. A service may add members to objects, write a time in another way, an e-mail address in
 * lower case, a code in capitals, a decimal with more zeros behind it and a secret as asterisks: none of it says something else.
 */
export function listUnlike(sent: unknown, seen: unknown, at = ''): Unlikeness[] {
  if (sameToADouble(sent, seen) || (sent === null && seen === undefined)) return [];
  if (typeof sent === 'string' && typeof seen === 'string' && isSameText(sent, seen)) return [];
  if (typeof seen === 'string' && /^([*•●])\1{2,}$/.test(seen) && isSecretName(at.slice(at.lastIndexOf('/') + 1)))
    return [];
  if (Array.isArray(sent) && Array.isArray(seen) && sent.length === seen.length)
    return sent.flatMap((item, index) => listUnlike(item, seen[index], `${at}/${index}`));
  if (isRecord(sent) && isRecord(seen))
    return Object.entries(sent).flatMap(([name, value]) => listUnlike(value, seen[name], `${at}/${name}`));
  return [{ at, ...showPair(sent, seen) }];
}

const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

function isSameText(sent: string, seen: string): boolean {
  if (TIME.test(sent) && TIME.test(seen) && Date.parse(sent) === Date.parse(seen)) return true;
  if (/^[a-z\d]+(?:-[a-z\d]+)*$/.test(sent) && sent.length <= 12 && sent.toUpperCase() === seen) return true;
  if (sent.includes('@') && sent.toLowerCase() === seen.toLowerCase()) return true;
  if (!seen.startsWith(sent)) return false; // Fewer digits than were sent may be a number that was made of a text.
  const added = seen.slice(sent.length);
  return /^-?\d+\.\d+$/.test(sent) ? /^0+$/.test(added) : /^-?\d+$/.test(sent) && /^\.0{2,}$/.test(added);
}
