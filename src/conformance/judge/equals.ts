import { knownFields } from './extra-fields.js';
import { comesFromAnswer } from '../wire/request/template.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import type { Keyword } from './keyword.js';
import { readBodyFor } from './looked-at.js';
import { placeOfRecord } from './places.js';
import { findAsked } from '../ledger/shown-records.js';
import { sameToADouble } from '../../contract/document/json.js';
import { isRecord, showPair, type JsonObject } from './shown.js';

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
