import { expect, test } from 'vitest';
import { createPatience, type Patience } from '../../../src/conformance/confirm/wait.js';

/** Whether a scenario that has waited so long may go on. */
const allowsAfter = (patience: Patience, waitedMs: number): boolean => patience.allows(performance.now() - waitedMs, 0);

test('a time that was given is kept to, even when it was seen to be too short', () => {
  const patience = createPatience(1000);
  patience.settled(5000);
  expect([allowsAfter(patience, 900), allowsAfter(patience, 1100)]).toEqual([true, false]);
});

test('no time at all is none', () => expect(allowsAfter(createPatience(0), 0)).toBe(false));

test('the first scenario that needs it may wait ten seconds, those after it two', () => {
  const patience = createPatience(undefined);
  expect([allowsAfter(patience, 1900), allowsAfter(patience, 9900)]).toEqual([true, true]);
  const later = createPatience(undefined);
  later.allows(performance.now() - 10_100, 0);
  expect([allowsAfter(later, 1900), allowsAfter(later, 2100)]).toEqual([true, false]);
});

test('twice what the target was seen to need is given to all, up to ten seconds', () => {
  const patience = createPatience(undefined);
  patience.allows(performance.now() - 10_100, 0);
  patience.settled(3000);
  patience.settled(100);
  expect([allowsAfter(patience, 5900), allowsAfter(patience, 6100)]).toEqual([true, false]);
  patience.settled(9000);
  expect([allowsAfter(patience, 9900), allowsAfter(patience, 10_100)]).toEqual([true, false]);
});
