import { expect, test } from 'vitest';
import { cutText } from '../../../src/contract/document/json.js';

test('a text that fits stays as it is', () => expect(cutText('1234', 4)).toBe('1234'));

test('a longer one ends in an ellipsis within the limit', () => {
  expect(cutText('12345', 4)).toBe('123…');
  expect(cutText('Chloé ✓✓✓', 8)).toBe('Chloé ✓…');
});

test('what is cut off does not stay in memory', () => {
  const kept: string[] = [];
  const before = process.memoryUsage().heapUsed;
  // Without a copy, these parts keep 400 MB.
  for (let index = 0; index < 100; index++) kept.push(cutText(String(index).padEnd(4_000_000, 'n'), 100));
  const grown = process.memoryUsage().heapUsed - before;
  expect(kept).toHaveLength(100);
  expect(grown / 2 ** 20).toBeLessThan(200);
});
