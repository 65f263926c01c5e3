import { expect, test } from 'vitest';
import { CannotKeep } from '../../../src/server/lasting/pass-in-turns.js';
import { writeWhole } from '../../../src/server/lasting/written-changes.js';

test('what is too long for one text cannot be kept, also where it has few characters of many bytes, or is longer than any text', () => {
  expect(writeWhole(() => 'x'.repeat(1000))).toHaveLength(1000);
  const texts = [() => 'x'.repeat(220_000_000), () => '\u8a9e'.repeat(80_000_000), () => 'x'.repeat(2 ** 30)];
  for (const write of texts) expect(() => writeWhole(write)).toThrow(CannotKeep);
});

test('another error is none of the length', () => {
  expect(() =>
    writeWhole(() => {
      throw new TypeError('a bug');
    }),
  ).toThrow('a bug');
});
