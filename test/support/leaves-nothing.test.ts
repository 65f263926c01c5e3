import { expect, test, vi } from 'vitest';
import { listLeaks, readProcess } from './process-state.js';
import { placeOf } from './order-of-files.js';

const noListener = (): void => {};

test.each<[name: string, leak: () => void, mend: () => void]>([
  ['environment PLANTED', () => (process.env['PLANTED'] = '1'), () => delete process.env['PLANTED']],
  [
    'global planted',
    () => Object.assign(globalThis, { planted: 1 }),
    () => Reflect.deleteProperty(globalThis, 'planted'),
  ],
  ['listeners of SIGHUP', () => process.on('SIGHUP', noListener), () => process.off('SIGHUP', noListener)],
  ['fake timers', () => vi.useFakeTimers(), () => vi.useRealTimers()],
  ['fetch', () => vi.stubGlobal('fetch', noListener), () => vi.unstubAllGlobals()],
])('a planted leak is found: %s', (name, leak, mend) => {
  const before = readProcess();
  leak();
  const found = listLeaks(before, readProcess());
  mend();
  expect(found).toContain(name);
  expect(listLeaks(before, readProcess())).toEqual([]);
});

test('another turn runs the files in another order, the longest first', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'test/e2e/conformance.test.ts'];
  const sorted = (seed: string): string[] =>
    files.toSorted((one, other) => (placeOf(one, seed) < placeOf(other, seed) ? -1 : 1));
  expect(new Set([1, 2, 3, 4].map((seed) => sorted(String(seed)).join())).size).toBeGreaterThan(1);
  expect(sorted('1')[0]).toBe('test/e2e/conformance.test.ts');
});
