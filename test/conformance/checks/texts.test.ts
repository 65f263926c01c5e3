import { expect, test } from 'vitest';
import { describeMismatch } from '../../../src/conformance/checks/expectations.js';
import { listNamed, quoteRejection } from '../../../src/conformance/checks/status.js';
import { showDifference } from '../../../src/conformance/checks/check.js';

test.each([
  '{"message":"another vessel has the call sign OZAB1"}',
  '{"message":"call_sign is taken"}',
  '{"code":"conflict","field":"callSign"}',
  'callSign is taken',
])('%s names callSign, and nothing else', (body) => {
  expect(listNamed(body, ['name', 'callSign', 'sign', 'kind']).filter((name) => name !== 'sign')).toEqual(['callSign']);
});

test('a word within another names nothing', () =>
  expect(listNamed('{"message":"recall signs later"}', ['callSign'])).toEqual([]));

const GRAPHQL = '{"errors":[{"extensions":{"code":"X"},"message":"Validation failed for field \\"name\\"."}]}';
const JOI = '{"isJoi":true,"details":[{"path":["segments"],"message":"\\"segments\\" is required"}]}';

test.each([
  ['{"code":"conflict","message":"The tenant is closed."}', '"The tenant is closed."'],
  [GRAPHQL, '"Validation failed for field \\"name\\"."'],
  [JOI, '"\\"segments\\" is required"'],
  ['<html><body><h1>Bad <b>request</b></h1></body></html>', '"Bad request"'],
  ['no such project', '"no such project"'],
  ['{"code":7}', ''],
  ['', ''],
])('of %s, a user is shown %s', (body, shown) => expect(quoteRejection(body)).toBe(shown));

test('a long text is cut', () =>
  expect(quoteRejection(JSON.stringify({ message: 'no '.repeat(100) })).length).toBeLessThan(170));

test('two long texts are cut alike around the place where they begin to differ', () => {
  const before = 'x'.repeat(1000);
  const { expected, actual } = showDifference(`${before}one${before}`, `${before}two`);
  expect(expected.startsWith(`…${'x'.repeat(30)}one`)).toBe(true);
  expect(actual).toBe(`…${'x'.repeat(30)}two`);
});

test.each([
  ['normal forms', 'Zoe\u0308', 'Zo\u00EB'],
  ['kinds of space', 'a\u00A0b', 'a b'],
  ['letters without a width', 'Rex\u200F', 'Rex'],
])('what differs only in %s is shown by its code points', (_, one, other) => {
  const { expected, actual } = showDifference(one, other);
  expect(`${expected} ${actual}`).toMatch(/‹U\+[0-9A-F]{4}›/);
  expect(`${expected} ${actual}`).toMatch(/^[ -~‹›]+$/);
});

test('short texts that differ in sight are shown whole', () =>
  expect(showDifference('"a"', '"b"')).toEqual({ expected: '"a"', actual: '"b"' }));

const KEY = 9007199254740993n;

test('a key past 2^53 is compared exactly, wherever a schema names it', () => {
  for (const schema of [{ const: KEY }, { enum: [1, KEY] }, { properties: { id: { const: KEY } } }]) {
    const within = (value: unknown): unknown => ('properties' in schema ? { id: value } : value);
    expect(describeMismatch(schema, within(KEY))).toEqual([]);
    expect(describeMismatch(schema, within(KEY - 1n))).toHaveLength(1);
  }
});

test('a mismatch names the rule and what it expects, digit by digit; the order of fields is none', () => {
  const [other] = describeMismatch({ const: { id: KEY } }, { id: KEY - 1n });
  expect(other).toMatchObject({ rule: 'const', expected: '{"id":9007199254740993}' });
  const [none] = describeMismatch({ enum: ['a', KEY] }, 'b');
  expect(none).toMatchObject({ rule: 'enum', expected: 'one of "a", 9007199254740993' });
  expect(describeMismatch({ const: { a: 1, b: [2] } }, { b: [2], a: 1 })).toEqual([]);
});
