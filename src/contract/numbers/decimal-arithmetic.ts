import { digitsOf, type Digits, type JsonNumber } from './decimal.js';

/** What a number is to be a multiple of, prepared for doubles with few digits. */
interface Step extends Digits {
  /** The digits as a `double`; `undefined` if they or the power of ten have too many for exact steps of doubles. */
  whole: number | undefined;
  /** Ten to the power of the decimal places. */
  scale: number;
}

const steps = new Map<JsonNumber, Step>();

/** Every whole number of up to so many digits is a `double`, and no two decimals of so many are the same one. */
const DIGITS_OF_A_DOUBLE = 15;
const BELOW = 10 ** DIGITS_OF_A_DOUBLE;

/**
 * Whether a number is a multiple of another, by their digits (JSON Schema 2020-12 validation, section 6.2.1): 0.07 is
 * one of 0.01, although the quotient of the doubles is not whole. Work and memory are in proportion to the number's
 * length, whatever its power of ten.
 */
export function isMultipleOf(value: JsonNumber, of: JsonNumber): boolean {
  const step = findStep(of);
  if (typeof value !== 'number' || step.whole === undefined) return isMultipleByDigits(digitsOf(value), step);
  const scaled = Math.round(value * step.scale);
  if (Math.abs(scaled) >= BELOW) return isMultipleByDigits(digitsOf(value), step);
  // As many digits as this state one decimal each, so a value that is not this one has more places than the step.
  return scaled / step.scale === value && scaled % step.whole === 0;
}

function findStep(of: JsonNumber): Step {
  const known = steps.get(of);
  if (known !== undefined) return known;
  const found = digitsOf(of);
  const { digits, exponent } = found;
  const isShort = digits !== '' && digits.length + Math.max(0, exponent) <= DIGITS_OF_A_DOUBLE;
  const isPlain = isShort && exponent >= -DIGITS_OF_A_DOUBLE;
  const made: Step = {
    ...found,
    whole: isPlain ? Number(`${digits}e${Math.max(0, exponent)}`) : undefined,
    scale: isPlain ? Number(`1e${Math.max(0, -exponent)}`) : 1,
  };
  if (steps.size >= MOST_STEPS) steps.clear();
  steps.set(of, made);
  return made;
}

const MOST_STEPS = 1000;

function isMultipleByDigits(value: Digits, step: Digits): boolean {
  if (value.digits === '') return true;
  // The last digit of the value is not zero, so it cannot be ten times anything.
  if (step.digits === '' || value.exponent < step.exponent) return false;
  const of = BigInt(step.digits);
  return (remainder(value.digits, of) * remainderOfPower(value.exponent - step.exponent, of)) % of === 0n;
}

/** So many digits at a time: the whole as one `bigint` would take more than time in proportion. */
const AT_ONCE = 15;

function remainder(digits: string, of: bigint): bigint {
  let rest = 0n;
  for (let at = 0; at < digits.length; at += AT_ONCE) {
    const part = digits.slice(at, at + AT_ONCE);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % of;
  }
  return rest;
}

/** The remainder of a power of ten, by repeated squares. */
function remainderOfPower(power: number, of: bigint): bigint {
  let rest = 1n;
  let square = 10n % of;
  for (let left = power; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) rest = (rest * square) % of;
    square = (square * square) % of;
  }
  return rest;
}

/** The exact sum of the decimals that two doubles stand for, as the nearest `double`: 28.83 and 0.01 make 28.84. */
export function addExactly(one: number, other: number): number {
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return one + other;
  const [a, b] = [digitsOf(one), digitsOf(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  // Doubles of so different sizes add up to the larger one.
  if (Math.max(a.exponent, b.exponent) - exponent > MOST_APART) return one + other;
  return Number(`${scaleTo(a, exponent) + scaleTo(b, exponent)}e${exponent}`);
}

const MOST_APART = 40;

function scaleTo({ isNegative, digits, exponent }: Digits, to: number): bigint {
  const scaled = BigInt(digits) * 10n ** BigInt(digits === '' ? 0 : exponent - to);
  return isNegative ? -scaled : scaled;
}

/** So many steps, as the nearest `double` to the exact product. */
export function timesStep(count: number, step: number): number {
  const { isNegative, digits, exponent } = digitsOf(step);
  return Number(`${BigInt(count) * BigInt(isNegative ? `-${digits}` : digits)}e${exponent}`);
}
