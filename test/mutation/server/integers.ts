import { Decimal, type JsonValue } from './exact-json.js';

const smallestInt64 = -(2n ** 63n);
const largestInt64 = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= smallestInt64 && value <= largestInt64;
}

/** `12`, `12.0` and `1.2e1` are the same JSON integer; anything else gives `undefined`. */
export function readInteger(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (!(value instanceof Decimal)) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*?)0*)?(?:[eE]([+-]?\d+))?$/.exec(value.text) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (/^0*$/.test(digits)) return 0n;
  // No int64 has more than 19 digits; this also keeps 1e999999999 from being written out.
  if (Math.abs(shift) > 40) return undefined;
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`);
  if (!digits.padStart(-shift, '0').endsWith('0'.repeat(-shift))) return undefined;
  return BigInt(`${sign}${digits.slice(0, shift) || '0'}`);
}
