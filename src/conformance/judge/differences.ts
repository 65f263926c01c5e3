import { sameToADouble } from '../../contract/document/same-json.js';
import { comesFromAnswer } from '../wire/request/template.js';
import { isRecord, showPair, type JsonObject } from './shown.js';

/** One place at which a value differs from the expected one. */
export interface Difference {
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
export function listDifferences(
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
