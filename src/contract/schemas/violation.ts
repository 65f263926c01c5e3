import type { ErrorObject } from 'ajv';
import type { SourcePlace } from '../../errors.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { splitPointer } from '../document/file-pointers.js';
import { printJson, shorten } from '../document/json.js';
import { asObject } from '../document/plain.js';
import { tellByDiscriminator } from './discriminator.js';
import { SOURCE_POINTER } from './source-pointer.js';

/** The part of a message in which something is wrong. */
export type MessagePart = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'status';

/** One thing in a request or a response that breaks the contract. */
export interface Violation {
  /** Part and JSON Pointer (RFC 6901) in one: `body/categoryId`, `query/limit`. */
  at: string;
  part: MessagePart;
  /** JSON Pointer into the part: `/categoryId`; `''` for the whole of it. */
  pointer: string;
  /** The keyword of the contract that the message breaks: `required`, `maximum`, `type`, ... */
  rule: string;
  /** What the contract requires, in words. */
  expected: string;
  /** What was found, as JSON, shortened. */
  actual: string;
  /** The whole as a sentence without a full stop: `body/categoryId is required`. */
  message: string;
  /** Where the contract says so. */
  contract: ContractPlace;
  /** How many more of the same kind the message has, which are not listed; absent if there are none. */
  more?: number;
}

/** A place in the contract, for a person (file and line) and for a program (pointer). */
export interface ContractPlace extends SourcePlace {
  /** JSON Pointer into the file. */
  pointer: string;
}

/** What a rule of the contract says, apart from Ajv. */
export interface BrokenRule extends Omit<Violation, 'at' | 'contract' | 'more'> {
  /** JSON Pointer to the rule in the contract. */
  contractPointer: string;
}

export function createViolation(document: SourceDocument, broken: BrokenRule): Violation {
  const { contractPointer, ...rest } = broken;
  return {
    at: `${broken.part}${broken.pointer}`,
    ...rest,
    contract: placeIn(document, contractPointer),
  };
}

/** The place of a pointer in the contract. */
export function placeIn(document: SourceDocument, pointer: string): ContractPlace {
  return { ...document.placeOf(pointer), pointer: splitPointer(pointer).within };
}

/** The only translator of Ajv's errors. `at` is where in the message the validated value stands. */
export function translateErrors(
  document: SourceDocument,
  at: { part: MessagePart; pointer: string },
  errors: readonly ErrorObject[],
): Violation[] {
  const collector = collectErrors(document);
  collector.add(errors);
  return collector.translate(at);
}

/** How many errors of one rule are listed, since a list of thousands may break it as often. */
const MOST_ALIKE = 20;

/** Keeps the errors of one message: for each rule the first ones, and the number of the rest. */
export function collectErrors(document: SourceDocument): {
  /** `from` is how many items of a list stand before those that were validated. */
  add(errors: readonly ErrorObject[], from?: number): void;
  translate(at: { part: MessagePart; pointer: string }): Violation[];
} {
  const kept: ErrorObject[] = [];
  const counts = new Map<string, number>();
  const lasts = new Map<ErrorObject, string>();
  return {
    add(errors, from = 0) {
      const told = tellByDiscriminator(
        errors.filter((error) => !isEcho(error)),
        document,
      );
      for (const error of told.length > 0 ? told : errors) {
        const rule = `${error.schemaPath} ${String((error.params as { missingProperty?: string }).missingProperty)}`;
        const count = (counts.get(rule) ?? 0) + 1;
        counts.set(rule, count);
        if (count > MOST_ALIKE) continue;
        if (count === MOST_ALIKE) lasts.set(error, rule);
        if (from > 0) error.instancePath = moveItem(error.instancePath, from);
        kept.push(error);
      }
    },
    translate: (at) =>
      kept.map((error) => {
        const violation = translate(document, at, error);
        const more = (counts.get(lasts.get(error) ?? '') ?? 0) - MOST_ALIKE;
        return more > 0 ? Object.assign(violation, { more }) : violation;
      }),
  };
}

function moveItem(pointer: string, by: number): string {
  return pointer.replace(/^\/(\d+)/, (_, index: string) => `/${Number(index) + by}`);
}

/** A violation as a sentence, with the number of further ones of its kind. */
export function tellViolation({ message, more }: Violation): string {
  return more === undefined ? message : `${message} (and ${more} more of this kind)`;
}

/** Errors that only repeat another one. */
function isEcho(error: ErrorObject): boolean {
  return error.keyword === 'if' || error.keyword === 'propertyNames' || isOfNull(error);
}

/** That a value is not null either says nothing beside what it should be. */
function isOfNull({ schema, schemaPath }: ErrorObject): boolean {
  return schema === 'null' && /\/(?:anyOf|oneOf)\/\d+\/type$/.test(schemaPath);
}

function translate(
  document: SourceDocument,
  at: { part: MessagePart; pointer: string },
  error: ErrorObject,
): Violation {
  const { rule, at: within, expected, actual } = translateFinding(error);
  const pointer = at.pointer + within;
  const where = `${at.part}${pointer}`;
  return createViolation(document, {
    part: at.part,
    pointer,
    rule,
    expected,
    actual,
    message: rule === 'required' ? `${where} is required` : `${where} must be ${expected}, but is ${actual}`,
    contractPointer: sourceOf(error, rule),
  });
}

/** What one of Ajv's errors says, independently of any document: the rule, where in the value, what was expected and found. */
export function translateFinding(error: ErrorObject): { rule: string; at: string; expected: string; actual: string } {
  const params = error.params as Record<string, unknown>;
  const rule = typeof params['rule'] === 'string' ? params['rule'] : error.keyword;
  return {
    rule,
    at: error.instancePath + namedProperty(error.keyword, params),
    expected: describeRule(error.keyword, params, error),
    actual: rule === 'required' ? 'nothing' : shorten(readShown(error.keyword, params, error.data)),
  };
}

/** For a property that is missing or not allowed, the violation stands at the property, not at its object. */
function namedProperty(keyword: string, params: Record<string, unknown>): string {
  const name = keyword === 'required' ? params['missingProperty'] : readUndefined(keyword, params);
  return typeof name === 'string' ? `/${escapePointer(name)}` : '';
}

/** The name of a property that is not allowed. */
function readUndefined(keyword: string, params: Record<string, unknown>): unknown {
  return { additionalProperties: params['additionalProperty'], unevaluatedProperties: params['unevaluatedProperty'] }[
    keyword
  ];
}

/** Of an object with a property that is not allowed, that property. */
function readShown(keyword: string, params: Record<string, unknown>, data: unknown): unknown {
  const name = readUndefined(keyword, params);
  return typeof name === 'string' ? asObject(data)[name] : data;
}

function sourceOf(error: ErrorObject, rule: string): string {
  const source = error.parentSchema?.[SOURCE_POINTER];
  return typeof source === 'string' ? `${source}/${escapePointer(rule)}` : '';
}

function describeRule(keyword: string, params: Record<string, unknown>, error: ErrorObject): string {
  const described = DESCRIPTIONS[keyword]?.(params) ?? (error.message ?? keyword).replace(/^must be /, '');
  return error.propertyName === undefined ? described : `an object of which each name is ${described}`;
}

/** How each keyword reads after "must be". */
const DESCRIPTIONS: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'present',
  type: ({ type }) =>
    [type]
      .flat()
      .map((name) => withArticle(String(name)))
      .join(' or '),
  enum: ({ allowedValues }) => `one of ${(allowedValues as unknown[]).map(printJson).join(', ')}`,
  const: ({ allowedValue }) => printJson(allowedValue),
  exactNumber: ({ expected }) => String(expected),
  minimum: ({ limit }) => `at least ${String(limit)}`,
  maximum: ({ limit }) => `at most ${String(limit)}`,
  minLength: ({ limit }) => `at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `at most ${String(limit)} characters long`,
  minItems: ({ limit }) => `an array of at least ${String(limit)} items`,
  maxItems: ({ limit }) => `an array of at most ${String(limit)} items`,
  uniqueItems: () => 'an array without equal items',
  contains: ({ minContains }) => `an array with at least ${String(minContains)} of the items that it must contain`,
  minProperties: ({ limit }) => `an object of at least ${String(limit)} fields`,
  maxProperties: ({ limit }) => `an object of at most ${String(limit)} fields`,
  dependentRequired: ({ property, missingProperty }) =>
    `an object that has ${String(missingProperty)} if it has ${String(property)}`,
  pattern: ({ pattern }) => `a text that matches ${String(pattern)}`,
  format: ({ format }) => `a valid ${String(format)}`,
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null
      ? 'a value that one of its alternatives describes'
      : 'a value that exactly one of its alternatives describes',
  anyOf: () => 'a value that one of its alternatives describes',
  not: () => 'something else',
  additionalProperties: () => 'absent, since the contract does not define it',
  unevaluatedProperties: () => 'absent, since the contract does not define it',
};

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
