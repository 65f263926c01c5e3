import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  copyJson,
  cutText,
  keyOfJson,
  MAX_JSON_DEPTH,
  parseJson,
  parseJsonBytes,
  parseNumberLiteral,
  printJson,
  sameJson,
} from '../../../src/contract/document/json.js';
import { words } from '../../support/words.js';

function parsed(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function problemOf(text: string): string | undefined {
  const result = parseJson(text);
  return result.ok ? undefined : result.problem.kind;
}

test.each<[value: unknown, ...texts: string[]]>([
  [9223372036854775807n, ...words`9223372036854775807 9.223372036854775807e18 9223372036854775807.0`],
  [9007199254740993n, '9007199254740993'],
  [1, '1.0', '0.1e000000000000000001'],
  [100, '1e2', '1E+2'],
  [0, '0e0', '0.000000000000000000000e5', '0e-1'],
  [1.5, '1.5'],
  [1e300, '1e300', `1${'0'.repeat(300)}`],
  [0.1 + 0.2, '0.30000000000000004'],
  // Programs that print a double with all its 17 digits mean the double.
  [0.1, '0.10000000000000001', '1.0000000000000001e-1'],
])('%s is read of each way to write it', (value, ...texts) => {
  for (const text of texts) expect(parsed(`[${text}]`)).toEqual([value]);
});

test('-0 is zero when printed', () => expect(printJson(parsed('-0'))).toBe('0'));

test.each(words`
  1.00000000000000000001 1e400 1e999999999 -1e400 1e-400 -1.5e-999999999999999 0.1234567890123456789
  1.2345678901234567e-320 562949953421312.07 9007199254740993.5 123456789012345678901234567890123456789012
`)('%s keeps its digits, since nothing holds it exactly', (text) => {
  expect(printJson(parsed(`[${text}]`))).toBe(`[${text}]`);
});

test.each([
  ['1e400', '10.0E+399'],
  ['0.10000000000000000001', '1000.00000000000000010e-4'],
])('%s is one value however it is written, and no object', (text, again) => {
  const [one, other] = [parsed(text), parsed(again)];
  expect(one).toBe(other);
  expect(new Set([one, other]).size).toBe(1);
  expect(typeof one).not.toBe('object');
  expect(Object.keys(one as object)).not.toContain('value');
  expect(copyJson({ at: [one] })).toEqual({ at: [one] });
  expect(`${String(one)} ${JSON.stringify(one)}`).toBe(`${text} "${text}"`);
});

test.each(['1e9999999999999999', '-1.5E-12345678901234567890', '1e+00001000000000000000'])(
  '%s is refused with the reason, since nothing computes with such a power',
  (text) => {
    const message = `a number's power of ten has more than 15 digits: ${text}`;
    expect(parseJson(`{"a":${text}}`)).toMatchObject({ ok: false, problem: { kind: 'too-far', message } });
    expect(parseNumberLiteral(text)).toBeUndefined();
  },
);

test('any number comes back as it went, with all its digits', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: -400, max: 400 }), (digits, exponent) => {
      const text = `${digits}e${exponent}`;
      const again = printJson(parsed(text));
      expect(readScaled(again)).toBe(readScaled(isDoubleAtLength(digits, exponent) ? String(Number(text)) : text));
      expect(parsed(again)).toBe(parsed(text));
    }),
    { numRuns: 2000 },
  );
});

/** The value times ten to the power of 1000, by its digits alone. */
function readScaled(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)\.?(\d*)(?:e(.*))?$/.exec(text) ?? [];
  return BigInt(sign + whole + fraction + '0'.repeat(1000 + Number(exponent) - fraction.length));
}

/** A fraction that a program writes for a double with all 17 digits is read as that double. */
function isDoubleAtLength(digits: bigint, exponent: number): boolean {
  const double = Number(`${digits}e${exponent}`);
  if (!Number.isFinite(double) || Number.isInteger(double)) return false;
  return readScaled(double.toPrecision(17)) === readScaled(`${digits}e${exponent}`);
}

// Work that grew with the square of the length would outlast the test.
test('megabytes of digits are read, wherever their zeros stand', () => {
  for (const text of [`1${'0'.repeat(1_000_000)}1`, '9'.repeat(1_000_000), `0.${'0'.repeat(1_000_000)}1e5`])
    expect(parseJson(text).ok).toBe(true);
});

test('of a repeated name the last value counts, with exact numbers and without', () => {
  expect(parsed('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parsed('{"a":1,"a":9223372036854775807}')).toEqual({ a: 9223372036854775807n });
  expect(parsed('{"a":9223372036854775807,"a":null}')).toEqual({ a: null });
});

test.each(['{"__proto__":{"name":"x"},"n":1}', '{"__proto__":{"name":"x"},"n":9007199254740993}'])(
  'a field called __proto__ is data in %s',
  (text) => {
    const value = parsed(text) as Record<string, unknown>;
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(value['name']).toBeUndefined();
    expect(printJson(value)).toBe(text);
  },
);

test('a byte order mark before the JSON is passed over', () =>
  expect(parseJsonBytes(Buffer.from('\uFEFF{"a":1}'))).toEqual({ ok: true, value: { a: 1 } }));

test.each([[[0xff, 0xfe]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]]])('%j are no UTF-8', (bytes) =>
  expect(parseJsonBytes(Uint8Array.from(bytes))).toMatchObject({ ok: false, problem: { kind: 'not-utf8' } }),
);

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('%s may be nested 64 levels deep and no deeper', (open, close) => {
  const nest = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
  expect(problemOf(nest(MAX_JSON_DEPTH - 1))).toBeUndefined();
  expect(problemOf(nest(MAX_JSON_DEPTH))).toBeUndefined();
  expect(problemOf(nest(MAX_JSON_DEPTH + 1))).toBe('too-deep');
  // Without a full stack.
  expect(problemOf(open.repeat(500_000))).toBe('too-deep');
});

test.each(['', '  ', '{"a":1} x', '"\t"', '\u00a01', ...words`{ {"a":} [1,] 01 1. +1 NaN {'a':1} [1e]`])(
  '%j is malformed',
  (text) => expect(problemOf(text)).toBe('malformed'),
);

test('an empty text is called empty', () =>
  expect(parseJson(' ')).toMatchObject({ problem: { message: 'the JSON text is empty' } }));

test('the exact parser takes and refuses the same texts as JSON.parse', () => {
  const texts = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '\\', 'e', '0', '-', '}', ']', '\u0000', '\n', '.'))
    .map(([json, at, put]) =>
      [json.slice(0, at % (json.length + 1)), put, json.slice(at % (json.length + 1))].join(''),
    );
  const isTaken = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(texts, (inside) => {
      const problem = problemOf(`[1e2,${inside}]`);
      expect(
        problem === 'too-deep' || problem === 'too-far' || (problem === undefined) === isTaken(`[1e2,${inside}]`),
      ).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('every JSON value comes back as it went', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), int64, (value, id) => {
      const text = printJson({ value, id });
      expect(parsed(text)).toEqual(parsed(printJson(parsed(text))));
      expect(sameJson(value, parsed(printJson(value)))).toBe(true);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ value, id: Number(id) })));
    }),
  );
});

test.each(['', ' 1', '1 ', '0x10', '1_000', '1n', '٣', '--1', '.5', 'Infinity', '1e', 'e5'])(
  '%j is no number literal',
  (text) => {
    expect(parseNumberLiteral(text)).toBeUndefined();
  },
);

const SAME = words`1e300=1e+300 10e399=1e400 -0=0 1.0=1 1.50=1.5 1.000000000000000000010=1.00000000000000000001 [{}]=[{}]
  9007199254740993.0=9007199254740993 {"a":1e300,"b":[1]}={"b":[1.0],"a":1e+300}`;

test.each([...SAME, `1e300=1${'0'.repeat(300)}`].map((each) => each.split('=')))(
  '%s and %s are the same',
  (one = '', other = '') => {
    expect(sameJson(parsed(one), parsed(other))).toBe(true);
    expect(new Set([keyOfJson(parsed(one)), keyOfJson(parsed(other))]).size).toBe(1);
  },
);

// YAML reads 1e20 as a `double`; JSON reads what a target answers as a `bigint`.
test.each([
  [2 ** 53, 9007199254740992n],
  [-1e20, -100000000000000000000n],
])('%s is the same as %s', (double, integer) => {
  expect(sameJson(double, integer)).toBe(true);
  expect(keyOfJson(double)).toBe(keyOfJson(integer));
  expect(sameJson(double, integer + 1n)).toBe(false);
});

const DIFFERENT = words`1e300=1e301 1e400=-1e400 1e400=1e401 9007199254740993=9007199254740992 1="1" 1=true 0=null 0=false
  ""=null []={} [1,2]=[2,1] [1]=1 {"a":1}={"a":1,"b":null} {"a":"1"}={"a":1} {"a":1}="{\"a\":1e0}" {"__proto__":1}={}`;

test.each(DIFFERENT.map((each) => each.split('=')))('%s and %s differ', (one = '', other = '') => {
  expect(sameJson(parsed(one), parsed(other))).toBe(false);
  expect(keyOfJson(parsed(one))).not.toBe(keyOfJson(parsed(other)));
});

test('absent and null differ', () => expect(sameJson(undefined, null)).toBe(false));

test('a text that fits stays as it is, and a longer one ends in an ellipsis within the limit', () => {
  expect(cutText('1234', 4)).toBe('1234');
  expect(cutText('12345', 4)).toBe('123…');
  expect(cutText('Chloé ✓✓✓', 8)).toBe('Chloé ✓…');
});

test('what is cut off does not stay in memory', () => {
  const kept: string[] = [];
  const before = process.memoryUsage().heapUsed;
  // Without a copy, these parts keep 400 MB.
  for (let index = 0; index < 100; index++) kept.push(cutText(String(index).padEnd(4_000_000, 'n'), 100));
  const grown = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(100);
  expect(grown / 2 ** 20).toBeLessThan(200);
});
