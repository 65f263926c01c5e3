import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { LONGEST, placeOf } from './longest-first.js';

test('every file that begins early is there', () => {
  expect(LONGEST.filter((path) => !existsSync(packageFile(path)))).toEqual([]);
});

test('a long file stands before every other', () => {
  const others = ['test/index.test.ts', 'test/suggest.test.ts'];
  expect(placeOf(LONGEST.at(-1) ?? '')).toBeLessThan(placeOf('test/index.test.ts'));
  expect(new Set(others.map(placeOf)).size).toBe(1);
});
