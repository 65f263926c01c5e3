import { expect, test } from 'vitest';
import { killAndCompare } from './support/kill-and-compare.js';

// With its three neighbours, 200 kills.
test('50 kills at random during writes lose nothing that was acknowledged (3 of 4)', async () => {
  expect(await killAndCompare(50, 3)).toBeGreaterThan(0);
});
