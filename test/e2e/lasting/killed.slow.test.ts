import { expect, test } from 'vitest';
import { killAndCompare } from './support/kill-and-compare.js';

// Few kills a test, so that none takes long on a machine with other work: 100 in all.
test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  '10 kills at random during writes lose nothing that was acknowledged (%i of 10)',
  async (seed) => {
    expect(await killAndCompare(10, seed)).toBeGreaterThan(0);
  },
);
