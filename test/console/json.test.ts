import { expect, test } from 'vitest';
import { parseExact, printExact, findLine, toLines } from '../../src/console/exact-json.js';

test.each([1, 'a', null, true, [], {}, [1, [2]], { a: { b: [null] } }, '\u0000"'])(
  '%j is printed as JSON has it',
  (value) => {
    expect(printExact(value)).toBe(JSON.stringify(value));
    expect(printExact(value, '  ')).toBe(JSON.stringify(value, undefined, 2));
  },
);

let hasSources = false;
JSON.parse('1', (_name, _value, context?: { source?: string }) => (hasSources = context?.source === '1'));

// Node 20 does not tell a reviver the text of a number; the browsers in which the console runs do.
test.runIf(hasSources).each(['1e400', '-1e400', '1e-400', '0.10000000000000000001', '[1e400,{"a":1e-400}]'])(
  '%s keeps its digits, and no number is taken for an object',
  (text) => {
    expect(printExact(parseExact(text))).toBe(text);
  },
);

test('a number that a double holds is a number', () =>
  expect(parseExact('[0.1,1e2,0,0.0,-0.5,1e20]')).toEqual([0.1, 100, 0, 0, -0.5, 1e20]));

test('each line knows its place in the body', () => {
  const lines = toLines({ a: [{ 'b/c': 1 }], d: 2 });
  expect(lines.map(({ depth, name, text }) => `${'  '.repeat(depth)}${name}${text}`).join('\n')).toBe(
    JSON.stringify({ a: [{ 'b/c': 1 }], d: 2 }, undefined, 2),
  );
  expect(lines.map(({ pointer }) => pointer ?? '-').join(' ')).toBe(' /a /a/0 /a/0/b~1c - - /d -');
});

test('what is missing is told where it would be', () => {
  const lines = toLines({ a: { b: 1 } });
  expect(findLine(lines, '/a/b')).toBe(2);
  expect(findLine(lines, '/a/c/d')).toBe(1);
  expect(findLine(lines, '/x')).toBe(0);
});

test('a long body is cut', () => expect(toLines(Array.from({ length: 5000 }, () => 1)).length).toBeLessThan(2100));
