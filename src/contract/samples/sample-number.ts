import { addExactly, timesStep } from '../numbers/decimal-arithmetic.js';
import { asList } from '../document/plain.js';
import { Decimal, isJsonNumber, type JsonNumber } from '../numbers/decimal.js';
import type { SchemaObject } from '../model.js';

/** A number within the bounds and `multipleOf`; another index gives another number, as far as there is room. */
export function sampleNumber(
  rules: SchemaObject,
  { isInteger, index }: { isInteger: boolean; index: number },
): unknown {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  const exact = [minimum, maximum, multipleOf].find((each) => isJsonNumber(each) && typeof each !== 'number');
  // With what no double states, nothing is computed.
  if (exact !== undefined) return exact === minimum ? minimum : (firstNumber(maximum, minimum) ?? exact);
  const step = firstNumber(multipleOf) ?? 1;
  const isStepped = isInteger || multipleOf !== undefined;
  const bounds = {
    least: firstNumber(minimum),
    above: firstNumber(exclusiveMinimum),
    most: firstNumber(maximum),
    below: firstNumber(exclusiveMaximum),
  };
  const start = isStepped ? findStart(bounds, step, isInteger) : findPlain(bounds);
  const chosen = addExactly(start, timesStep(index, step));
  return isWithin(chosen, bounds) ? chosen : start;
}

interface Bounds {
  least: number | undefined;
  above: number | undefined;
  most: number | undefined;
  below: number | undefined;
}

/** The first multiple within the bounds; 1 without bounds. */
function findStart(bounds: Bounds, step: number, isInteger: boolean): number {
  const { least, above, most, below } = bounds;
  const counts = [1];
  if (least !== undefined) counts.push(Math.ceil(least / step - EPSILON));
  if (above !== undefined) counts.push(Math.floor(above / step + EPSILON) + 1);
  if (most !== undefined) counts.push(Math.floor(most / step + EPSILON));
  if (below !== undefined) counts.push(Math.ceil(below / step - EPSILON) - 1);
  // Even a schema that allows negative numbers, such as all of int32, usually means positive ones.
  const tried = (least ?? above ?? -1) < 0 ? counts : counts.slice(1);
  const candidates = tried.filter(Number.isFinite).map((count) => timesStep(count, step));
  const fitting = candidates.filter((each) => !isInteger || Number.isInteger(each));
  return fitting.find((each) => isWithin(each, bounds)) ?? fitting[0] ?? step;
}

const EPSILON = 1e-9;

/** A number without `multipleOf`. */
function findPlain(bounds: Bounds): number {
  const { least, above, most, below } = bounds;
  const low = least ?? above;
  const high = most ?? below;
  const between = low === undefined || high === undefined ? [] : [(low + high) / 2];
  const candidates = [least ?? 1, (above ?? 0) + 1, most ?? 1, (below ?? 2) - 1, ...between];
  return candidates.find((each) => isWithin(each, bounds)) ?? low ?? high ?? 1;
}

function isWithin(value: number, { least, above, most, below }: Bounds): boolean {
  if (least !== undefined && value < least) return false;
  if (above !== undefined && value <= above) return false;
  return (most === undefined || value <= most) && (below === undefined || value < below);
}

function firstNumber(...values: unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number');
}

const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'];
/** How many multiples from a bound on are listed, and how many whole numbers beside it. */
const MOST_MULTIPLES = 12;
const MOST_BESIDE = 3;
const MOST_STEPS = 5;
/** The whole numbers up to it are exact as a `double` is printed. */
const MOST_WHOLE = 1e18;

/**
 * Numbers that schemas of one value may tell apart: their bounds and listed values, the whole numbers beside them, what
 * lies between two of them, and multiples of each `multipleOf` and of two of them, from each bound on.
 */
export function listNearNumbers(schemas: readonly SchemaObject[]): unknown[] {
  const bounds = schemas.flatMap((schema) =>
    [...NUMERIC.map((key) => schema[key]), ...asList(schema['enum'])].filter(isJsonNumber),
  );
  const plain = [...new Set(bounds.filter((each) => typeof each === 'number'))].toSorted((a, b) => a - b);
  const single = [...new Set(schemas.flatMap(({ multipleOf }) => firstNumber(multipleOf) ?? []))].slice(0, MOST_STEPS);
  const both = single.flatMap((one) =>
    single.filter((other) => one < other && Number.isInteger(other)).map((other) => timesStep(other, one)),
  );
  const steps = [...single, ...both];
  if (bounds.length === 0 && steps.length === 0) return [];
  const multiples = steps.flatMap((step) =>
    [0, ...plain].flatMap((from) => {
      const first = Math.floor(from / step);
      const counts = Array.from({ length: MOST_MULTIPLES }, (_, index) => first + index - 1);
      return Number.isSafeInteger(first) ? counts.map((count) => timesStep(count, step)) : [];
    }),
  );
  const beside = bounds.flatMap((bound) =>
    Array.from({ length: MOST_BESIDE }, (_, index) => [addWhole(bound, index + 1), addWhole(bound, -index - 1)]).flat(),
  );
  const between = plain.slice(1).map((each, index) => ((plain[index] ?? 0) + each) / 2);
  return [...bounds, ...beside, ...multiples, ...between, ...between.map(Math.round)].filter(
    (each) => each !== undefined,
  );
}

function addWhole(bound: JsonNumber, by: number): JsonNumber | undefined {
  if (typeof bound === 'number' && Math.abs(bound) > MOST_WHOLE) return undefined;
  if (typeof bound === 'number' && !Number.isInteger(bound)) return addExactly(bound, by);
  if (bound instanceof Decimal) return undefined;
  const sum = BigInt(bound) + BigInt(by);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
