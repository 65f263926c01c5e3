import { remember } from '../document/plain.js';
/** A number by its digits: `digits`, which neither begin nor end with a zero, times ten to the power of `exponent`. */
export interface Digits {
  isNegative: boolean;
  /** `''` for zero. */
  digits: string;
  exponent: number;
}

/** A number of JSON (RFC 8259 section 6), each value in one representation: see `readNumber`. */
export type JsonNumber = number | bigint | Decimal;

/** A number such as `1e400`: a frozen `function`, since code takes `typeof 'object'` for objects; one for each value. */
export class Decimal {
  declare readonly digits: Digits;

  private constructor() {}

  static of(digits: Digits): Decimal {
    const key = nameDigits(digits);
    const known = instances.get(key)?.deref();
    if (known !== undefined) return known;
    const made = Object.assign(() => undefined, { digits }) as unknown as Decimal;
    Object.freeze(Object.setPrototypeOf(made, Decimal.prototype));
    instances.set(key, new WeakRef(made));
    forgetting.register(made, key);
    return made;
  }

  valueOf(): number {
    return Number(writeDigits(this.digits));
  }

  toString(): string {
    return writeDigits(this.digits);
  }

  /** What does not print by `printJson` shows all digits, as a text. */
  toJSON(): string {
    return writeDigits(this.digits);
  }
}

const instances = new Map<string, WeakRef<Decimal>>();
const forgetting = new FinalizationRegistry<string>((key) => {
  if (instances.get(key)?.deref() === undefined) instances.delete(key);
});

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'bigint' || Number.isFinite(value) || value instanceof Decimal;
}

export function readDigits(literal: string): Digits {
  const [mantissa = '', exponentText = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  // Counted by hand: `/0+$/` takes quadratic time on a megabyte of zeros with a digit behind them.
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  const digits = all.slice(0, end);
  // A zero has no sign, and no power of ten makes it another number.
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  const exponent = Number(exponentText) - fraction.length + (all.length - digits.length);
  return { isNegative: literal.startsWith('-'), digits, exponent };
}

/** A `double` stands for the shortest decimal that it is nearest to (ECMAScript, Number::toString): 0.1 is a tenth. */
export function digitsOf(value: JsonNumber): Digits {
  return value instanceof Decimal ? value.digits : readDigits(String(value));
}

/** A name that equal numbers share, and no others. */
export function nameDigits({ isNegative, digits, exponent }: Digits): string {
  return digits === '' ? '0' : `${isNegative ? '-' : ''}${digits}e${exponent}`;
}

const MOST_ZEROS = 20;

function writeDigits({ isNegative, digits, exponent }: Digits): string {
  const sign = isNegative ? '-' : '';
  const point = digits.length + exponent;
  if (exponent >= 0 && exponent <= MOST_ZEROS) return `${sign}${digits}${'0'.repeat(exponent)}`;
  if (exponent < 0 && point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (exponent < 0 && point >= -MOST_ZEROS) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.slice(0, 1)}${fraction}e${point - 1}`;
}

/** Whether a number is whole, in any notation (JSON Schema 2020-12 validation, section 6.1.1). */
export function isWhole(value: JsonNumber): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  return typeof value === 'bigint' || value.digits.exponent >= 0;
}

/** Below 0 if `one` is less than `other`, 0 if they are the same number, and above 0 if it is greater. */
export function compareNumbers(one: JsonNumber, other: JsonNumber): number {
  // Two doubles are in the order of the decimals that they stand for; a double up to 2^53 and an integer past it, too.
  const isExact = (value: number | bigint): boolean =>
    typeof value === 'number' && (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value));
  const isNative = typeof one === typeof other && typeof one !== 'function';
  if (isNative || (!(one instanceof Decimal) && !(other instanceof Decimal) && (isExact(one) || isExact(other))))
    return one < other ? -1 : one > other ? 1 : 0;
  // YAML has an infinity, so a bound of a contract may be one.
  if (one === Infinity || other === -Infinity) return 1;
  if (one === -Infinity || other === Infinity) return -1;
  return compareDigits(digitsOf(one), digitsOf(other));
}

function compareDigits(one: Digits, other: Digits): number {
  const [sign = 0, ofOther = 0] = [one, other].map((each) => (each.digits === '' ? 0 : each.isNegative ? -1 : 1));
  if (sign !== ofOther || sign === 0) return sign - ofOther;
  const size = one.digits.length + one.exponent - (other.digits.length + other.exponent);
  if (size !== 0) return sign * Math.sign(size);
  return sign * (one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0);
}

/** What a number is to be a multiple of, prepared for doubles with few digits. */
interface Step extends Digits {
  /** The digits as a `double`; `undefined` if they or the power of ten have too many for exact steps of doubles. */
  whole: number | undefined;
  scale: number;
}

/** Every whole number of up to so many digits is a `double`, and no two decimals of so many are the same one. */
const DIGITS_OF_A_DOUBLE = 15;
const BELOW = 10 ** DIGITS_OF_A_DOUBLE;

/** By their digits (JSON Schema 2020-12 validation, section 6.2.1): 0.07 is one of 0.01. In linear time. */
export function isMultipleOf(value: JsonNumber, of: JsonNumber): boolean {
  const step = findStep(of);
  if (typeof value !== 'number' || step.whole === undefined) return isMultipleByDigits(digitsOf(value), step);
  const scaled = Math.round(value * step.scale);
  if (Math.abs(scaled) >= BELOW) return isMultipleByDigits(digitsOf(value), step);
  // As many digits as this state one decimal each, so a value that is not this one has more places than the step.
  return scaled / step.scale === value && scaled % step.whole === 0;
}

const findStep = remember((of: JsonNumber): Step => {
  const found = digitsOf(of);
  const { digits, exponent } = found;
  const isShort = digits !== '' && digits.length + Math.max(0, exponent) <= DIGITS_OF_A_DOUBLE;
  const isPlain = isShort && exponent >= -DIGITS_OF_A_DOUBLE;
  const whole = isPlain ? Number(`${digits}e${Math.max(0, exponent)}`) : undefined;
  return { ...found, whole, scale: isPlain ? Number(`1e${Math.max(0, -exponent)}`) : 1 };
}, 1000);

function isMultipleByDigits(value: Digits, step: Digits): boolean {
  if (value.digits === '') return true;
  // The last digit of the value is not zero, so it cannot be ten times anything.
  if (step.digits === '' || value.exponent < step.exponent) return false;
  const of = BigInt(step.digits);
  let rest = 0n;
  for (let at = 0; at < value.digits.length; at += AT_ONCE) {
    const part = value.digits.slice(at, at + AT_ONCE);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % of;
  }
  return (rest * remainderOfPower(value.exponent - step.exponent, of)) % of === 0n;
}

/** So many digits at a time: the whole as one `bigint` would take more than time in proportion. */
const AT_ONCE = 15;

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
