import specTests from 'json-patch-test-suite/spec_tests.json' with { type: 'json' };
import tests from 'json-patch-test-suite/tests.json' with { type: 'json' };
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { applyJsonPatch } from '../../../../src/mock/operations/json-patch.js';

const MIB = 1024 * 1024;

type Case = { comment?: string; doc: unknown; patch?: unknown[]; expected?: unknown; error?: string };

// Those that are called disabled are served all the same; JSON.parse cannot show a name that is there twice.
const cases = (all: readonly unknown[]): [string, Case][] =>
  (all as readonly Case[])
    .filter(({ patch, error }) => patch !== undefined && error?.includes("two 'op' members") !== true)
    .map((each, index) => [`${index} ${each.comment ?? each.error ?? ''}`, each]);

test.each([...cases(specTests), ...cases(tests)])(
  'of the public tests, %s',
  (_, { doc, patch = [], expected, error }) => {
    const before = structuredClone(doc);
    const patched = applyJsonPatch(doc, patch, MIB);
    expect(doc).toEqual(before);
    const refusedOne = { kind: expect.any(String) as string, problem: expect.any(String) as string };
    expect(patched).toEqual(error === undefined ? { value: expected ?? doc } : refusedOne);
  },
);

const refused = (doc: unknown, ...patch: unknown[]): unknown => {
  const patched = applyJsonPatch(doc, patch, MIB);
  return 'problem' in patched ? `${patched.kind}: ${patched.problem}` : patched;
};
const applied = (doc: unknown, ...patch: unknown[]): unknown => {
  const patched = applyJsonPatch(doc, patch, MIB);
  return 'value' in patched ? patched.value : patched;
};

const ADD = { op: 'add', path: '/b', value: 1 };

test.each([
  ['remove the whole', [{ op: 'remove', path: '' }], /^unfit: .*removes the whole/],
  ['move the whole into itself', [{ op: 'move', from: '', path: '/a' }], /^unfit: body\/0 .*into itself/],
  ['move a member into itself', [{ op: 'move', from: '/a', path: '/a/b' }], /^unfit: .*\/a cannot be moved into it/],
  ['replace past the end', [{ op: 'replace', path: '/list/2', value: 0 }], /^unfit: .*\/list\/2/],
  ['replace what - names', [{ op: 'replace', path: '/list/-', value: 0 }], /^unfit: .*\/list\/-/],
  ['an index with a zero ahead', [{ op: 'add', path: '/list/01', value: 0 }], /^unfit: .*\/list\/01/],
  ['a member of every object', [{ op: 'add', path: '/__proto__/x', value: 1 }], /^unfit: .*\/__proto__/],
  ['a method of arrays', [{ op: 'add', path: '/list/length', value: 9 }], /^unfit: .*\/list\/length/],
  ['a member of a text', [{ op: 'test', path: '/text/length', value: 1 }], /^unfit: .*\/text\/length/],
  ['an operation of objects', [{ op: 'constructor', path: '/a' }], /^malformed: .*op must be add, remove/],
  ['an operation that is none', [null], /^malformed: .*is an object/],
  ['a pointer without a slash', [{ op: 'remove', path: 'a' }], /^malformed: .*path must be a JSON Pointer/],
  ['no source', [{ op: 'move', path: '/a' }], /^malformed: .*from/],
  ['no value', [{ op: 'add', path: '/a' }], /^malformed: .*value/],
  ['the second of two', [ADD, { op: 'remove', path: '/c' }], /^unfit: body\/1 /],
])('what cannot be applied is told: %s', (_, patch, told) => {
  expect(refused({ a: { b: 1 }, list: [1, 2], text: 'x' }, ...patch)).toMatch(told);
});

test('names that mean something to a program are names', () => {
  const doc = JSON.parse('{"__proto__":{"a":1},"constructor":1}') as unknown;
  const move = { op: 'move', from: '/constructor', path: '/toString' };
  const patched = applied(doc, { op: 'add', path: '/__proto__/b', value: 2 }, move);
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"a":1,"b":2},"toString":1}');
  expect(({} as { b?: number }).b).toBeUndefined();
});

test.each([
  [{ a: 1 }, { op: 'replace', path: '', value: { b: 2 } }, '{"b":2}'],
  // A replaced member keeps its place.
  [{ a: 1, b: 2 }, { op: 'replace', path: '/a', value: 3 }, '{"a":3,"b":2}'],
])('%j is changed by %j to %s', (doc, operation, text) => expect(JSON.stringify(applied(doc, operation))).toBe(text));

test('numbers stay exact, and are compared by value', () => {
  const doc = { large: 9223372036854775807n, huge: new LosslessNumber('1e400') };
  expect(applied(doc, { op: 'copy', from: '/large', path: '/copy' })).toEqual({ ...doc, copy: doc.large });
  expect(applied(doc, { op: 'test', path: '/large', value: 9223372036854775807n })).toEqual(doc);
  expect(refused(doc, { op: 'test', path: '/large', value: 9223372036854775806n })).toMatch(/test/);
});

test('what is shared by two places after a copy is changed in one of them', () => {
  const copy = { op: 'copy', from: '/a', path: '/c' };
  const patched = applied({ a: { b: 1 } }, copy, { op: 'add', path: '/c/b', value: 2 });
  expect(patched).toEqual({ a: { b: 1 }, c: { b: 2 } });
});

test('copies of copies are counted together', () => {
  const double = (count: number): unknown[] =>
    Array.from({ length: count }, (_, at) => ({ op: 'copy', from: '', path: `/c${at}` }));
  expect(refused({ text: 'x'.repeat(100) }, ...double(8))).toHaveProperty('value');
  expect(refused({ text: 'x'.repeat(100) }, ...double(60))).toMatch(/^excessive: body\/13 .*longer than 1048576 bytes/);
  const again = { op: 'copy', from: '/text', path: '/other' };
  const away = { op: 'remove', path: '/other' };
  const copies = Array.from({ length: 20 }, () => [again, away]).flat();
  expect(refused({ text: 'x'.repeat(100_000) }, ...copies)).toMatch(/^excessive: body\/20 /);
});

test('a value is nested as deeply as a body may be, and no deeper', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
  expect(applied({}, { op: 'add', path: '/b', value: nest(63) })).toEqual({ b: nest(63) });
  expect(refused({}, { op: 'add', path: '/b', value: nest(64) })).toMatch(/^unfit: .*64 levels/);
  const inward = Array.from({ length: 70 }, (_, at) => ({ op: 'move', from: `/${at}`, path: `/${at + 1}/in` }));
  const wide = Object.fromEntries(Array.from({ length: 71 }, (_, at) => [at, {}]));
  expect(refused(wide, ...inward)).toMatch(/^unfit: .*64 levels/);
  expect(refused(wide, ...inward, { op: 'copy', from: '/70', path: '/x' })).toMatch(/^unfit: body\/70 .*64 levels/);
});

test('work that grows with the square of a patch is refused', () => {
  const list = Array.from({ length: 100_000 }, () => 0);
  const ahead = Array.from({ length: 2000 }, () => ({ op: 'add', path: '/0', value: 1 }));
  expect(refused(list, ...ahead)).toMatch(/^excessive: .*shifts more than/);
});
