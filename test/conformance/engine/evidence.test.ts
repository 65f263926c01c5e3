import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../../src/conformance/checks/check.js';
import { createEvidenceKeeper } from '../../../src/conformance/engine/findings.js';

const finding = (at: string, rule = 'type', severity?: 'information'): CheckOutcome => ({
  rule,
  at,
  expected: 'an integer',
  actual: 'a text',
  ...(severity === undefined ? {} : { severity }),
});
const many = (count: number, field = 'id'): CheckOutcome[] =>
  Array.from({ length: count }, (_, index) => finding(`body/${index}/${field}`));

test('of what is alike in one answer a few are kept, with the number of the rest', () => {
  const keeper = createEvidenceKeeper();
  const kept = keeper.limit([{ check: 'body', outcomes: [...many(5000), ...many(2, 'name')] }]);
  expect(kept.map(({ finding: { at }, more }) => [at, more])).toEqual([
    ['body/0/id', 0],
    ['body/1/id', 0],
    ['body/2/id', 4997],
    ['body/0/name', 0],
    ['body/1/name', 0],
  ]);
  expect(keeper.leftOut()).toBe(0);
});

test('what is kept of one field of an item is kept of all its fields', () => {
  const rule = (at: string): CheckOutcome => finding(at, at.slice(-4));
  const outcomes = Array.from({ length: 9 }, (_, index) => [
    rule(`body/${index}/name`),
    ...(index < 5 ? [] : [rule(`body/${index}/kind`)]),
  ]).flat();
  const kept = createEvidenceKeeper().limit([{ check: 'same-pet', outcomes }]);
  expect(kept.map(({ finding: { at }, more }) => [at, more])).toEqual([
    ['body/0/name', 0],
    ['body/1/name', 0],
    ['body/2/name', 2],
    ['body/5/name', 0],
    ['body/6/name', 0],
    ['body/7/name', 1],
    ['body/5/kind', 0],
    ['body/6/kind', 0],
    ['body/7/kind', 1],
  ]);
});

test('of many kinds in one answer some are kept, deviations before all', () => {
  const keeper = createEvidenceKeeper();
  const notes = Array.from({ length: 500 }, (_, index) =>
    finding(`body/x${'y'.repeat(index)}`, 'extra', 'information'),
  );
  const kept = keeper.limit([
    { check: 'extra-fields', outcomes: notes },
    { check: 'body', outcomes: many(1) },
  ]);
  expect(kept[0]).toMatchObject({ check: 'body' });
  expect(kept.length + keeper.leftOut()).toBe(501);
  expect(kept.length).toBeLessThan(50);
});

test('each answer that deviates keeps a deviation, however many there were before', () => {
  const keeper = createEvidenceKeeper();
  const outcomes = ['id', 'name', 'categoryId', 'status', 'a', 'b', 'c', 'd'].flatMap((field) => many(9, field));
  for (let answer = 0; answer < 1000; answer++) keeper.limit([{ check: 'body', outcomes }]);
  expect(keeper.limit([{ check: 'body', outcomes }])).toHaveLength(1);
});

test('a text is kept once, and of many long ones little is shown', () => {
  const keeper = createEvidenceKeeper();
  expect(keeper.mostShown()).toBe(16 * 1024);
  for (let times = 0; times < 2000; times++) keeper.keep('x'.repeat(16 * 1024));
  expect(keeper.mostShown()).toBe(16 * 1024);
  for (let times = 0; times < 1025; times++) keeper.keep(`${times}`.padEnd(16 * 1024));
  expect(keeper.mostShown()).toBe(1024);
});
