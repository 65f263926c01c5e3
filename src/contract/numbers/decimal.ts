/** A number by its digits: `digits`, which neither begin nor end with a zero, times ten to the power of `exponent`. */
export interface Digits {
  isNegative: boolean;
  /** `''` for zero. */
  digits: string;
  exponent: number;
}

/** A number of JSON (RFC 8259 section 6), each value in one representation: see `readNumber`. */
export type JsonNumber = number | bigint | Decimal;

/**
 * A number that neither `number` nor `bigint` states: `1e400`, `0.10000000000000000001`.
 *
 * Its `typeof` is `function`. Validators, patches and our own code take whatever is `typeof 'object'` for an object of
 * JSON, so a number must never be one. It is frozen, and there is one for each value, so that `===`, `Map` keys and `Set`
 * members work, as for any number; compared by `<`, it is the nearest `double`.
 */
export class Decimal {
  declare readonly digits: Digits;

  private constructor() {}

  /** The one instance of a value. */
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

/** Whether a value is a number of JSON, in whichever representation. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'bigint' || Number.isFinite(value) || value instanceof Decimal;
}

/** The digits of a JSON number literal. */
export function readDigits(literal: string): Digits {
  const [mantissa = '', exponentText = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.slice(0, all.length - countTrailingZeros(all));
  // A zero has no sign, and no power of ten makes it another number.
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  const exponent = Number(exponentText) - fraction.length + (all.length - digits.length);
  return { isNegative: literal.startsWith('-'), digits, exponent };
}

/** Counted by hand: `/0+$/` takes quadratic time on a megabyte of zeros with a digit behind them. */
function countTrailingZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.length - end;
}

const ZERO = 0x30;

/**
 * The digits of a number. A `double` stands for the shortest decimal that it is nearest to, as everything prints it
 * (ECMAScript, Number::toString): 0.1 is a tenth, although a `double` holds a little more.
 */
export function digitsOf(value: JsonNumber): Digits {
  return value instanceof Decimal ? value.digits : readDigits(String(value));
}

/** A name that equal numbers share, and no others. */
export function nameDigits({ isNegative, digits, exponent }: Digits): string {
  return digits === '' ? '0' : `${isNegative ? '-' : ''}${digits}e${exponent}`;
}

/** More zeros than this are written as a power of ten. */
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
  const isNative = typeof one === typeof other && typeof one !== 'function';
  if (isNative || (!(one instanceof Decimal) && !(other instanceof Decimal) && (isExact(one) || isExact(other)))) {
    return one < other ? -1 : one > other ? 1 : 0;
  }
  // YAML has an infinity, so a bound of a contract may be one.
  if (one === Infinity || other === -Infinity) return 1;
  if (one === -Infinity || other === Infinity) return -1;
  return compareDigits(digitsOf(one), digitsOf(other));
}

function isExact(value: number | bigint): boolean {
  return typeof value === 'number' && (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value));
}

function compareDigits(one: Digits, other: Digits): number {
  const [sign, ofOther] = [signOf(one), signOf(other)];
  if (sign !== ofOther || sign === 0) return sign - ofOther;
  const size = one.digits.length + one.exponent - (other.digits.length + other.exponent);
  if (size !== 0) return sign * Math.sign(size);
  return sign * (one.digits < other.digits ? -1 : one.digits > other.digits ? 1 : 0);
}

function signOf({ isNegative, digits }: Digits): number {
  if (digits === '') return 0;
  return isNegative ? -1 : 1;
}
