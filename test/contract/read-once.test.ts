import { expect, test } from 'vitest';
import { readOnce } from '../../src/contract/document/document.js';

test('what is read of an object is read once', () => {
  const asked: object[] = [];
  const [one, other] = [{}, {}];
  const read = readOnce((of: object) => asked.push(of));
  expect([read(one), read(one), read(other)]).toEqual([1, 1, 2]);
  expect(asked).toEqual([one, other]);
});

test('that there is nothing to read is found out once, too', () => {
  let calls = 0;
  const read = readOnce((): undefined => {
    calls += 1;
  });
  const of = {};
  expect([read(of), read(of)]).toEqual([undefined, undefined]);
  expect(calls).toBe(1);
});
