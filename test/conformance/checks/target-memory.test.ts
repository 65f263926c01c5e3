import { expect, test } from 'vitest';
import { createMark, createMemory, nextName } from '../../../src/conformance/checks/target-memory.js';

test('a run gives more than ten thousand names before one comes again, all of one length', () => {
  const memory = createMemory(
    createMark(() => 3),
    25 * 26 ** 2,
  );
  const names = Array.from({ length: 17_576 }, () => nextName(memory));
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^Cfdd[a-z]{3}$/.test(name))).toBe(true);
});
