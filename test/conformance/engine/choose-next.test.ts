import { expect, test } from 'vitest';
import { chooseNext } from '../../../src/conformance/engine/run-suite.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';

const make = (id: string, alone = false): Scenario => ({ id, alone }) as Scenario;
const [a, b, c, alone] = [make('a'), make('b'), make('c'), make('alone', true)];
const choose = (ready: Scenario[], running: Scenario[] = [], concurrency = 2): string[] =>
  chooseNext(ready, { running: new Set(running), concurrency }).map(({ id }) => id);

test('as many start as may run at a time, in their order', () => {
  expect(choose([a, b, c])).toEqual(['a', 'b']);
  expect(choose([b, c], [a])).toEqual(['b']);
  expect(choose([c], [a, b])).toEqual([]);
});

test('one that runs alone waits until nothing runs, and nothing overtakes it', () => {
  expect(choose([a, alone, b])).toEqual(['a']);
  expect(choose([alone, b], [a])).toEqual([]);
  expect(choose([alone, b])).toEqual(['alone']);
});

test('nothing starts beside it', () => expect(choose([a, b], [alone])).toEqual([]));
