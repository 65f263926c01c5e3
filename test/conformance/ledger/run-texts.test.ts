import { expect, test } from 'vitest';
import { createMark, drawStart, RunTexts } from '../../../src/conformance/ledger/run-texts.js';

test('a run gives more than ten thousand names before one comes again, all of one length', () => {
  const texts = new RunTexts(
    createMark(() => 3),
    25 * 26 ** 2,
  );
  const names = Array.from({ length: 17_576 }, () => texts.nextName());
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^cfdd[a-z]{3}$/.test(name))).toBe(true);
});

test('runs with the same mark give other names: tries at the same time, and what earlier ones left behind', () => {
  const mark = createMark(() => 3);
  let drawn = 7;
  // Any draws that look like chance: those of Lehmer, with the modulus 2^31 - 1.
  const draw = (below: number): number => (drawn = (drawn * 48_271) % 2_147_483_647) % below;
  const first = Array.from({ length: 120 }, () => new RunTexts(mark, drawStart(draw)).nextName());
  expect(new Set(first).size).toBe(first.length);
});

test('the names of a run are in the order in which it made them', () => {
  const texts = new RunTexts(
    createMark(() => 3),
    drawStart((below) => below - 1),
  );
  const names = Array.from({ length: 4000 }, () => texts.nextName());
  expect(names).toEqual(names.toSorted());
});
