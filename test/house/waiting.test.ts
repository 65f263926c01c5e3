import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** What makes a test depend on the speed of the machine. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['waits a fixed time', /\bsetTimeout\(\s*(?:resolve|done|r|ok)\b|\bawait (?:sleep|pause|delay|wait)\(\s*[\d_]/],
  [
    'asserts that something was quick',
    /\bexpect\([^;\n]*(?:performance\.now|Date\.now|[eE]lapsed|\btook\b|\blasted\b|durationMs)[^;\n]*\)\s*\.(?:not\.toBeGreater|toBeLess|toBeCloseTo)/,
  ],
];

/** Servers of the tests that are slow on purpose, and the helper that asks until something is so. */
const SERVERS =
  /^(?:mutation\/(?:mutants|variants|replay)\/|reality\/|hostile\/|support\/|.*\/support\/|house\/|e2e\/conformance-again|conformance\/confirm\/confirm)/;

function listWaiting(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const found = FORBIDDEN.find(([, pattern]) => pattern.test(line));
      return found === undefined ? [] : [`${path}:${index + 1} ${found[0]}`];
    }),
  );
}

function readTests(): Record<string, string> {
  const root = packageFile('test');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('node_modules') && !SERVERS.test(path),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('no test waits a fixed time or asserts that something was quick', () => {
  const tests = readTests();
  expect(Object.keys(tests)).toContain('index.test.ts');
  expect(listWaiting(tests)).toEqual([]);
});

test.each([
  ['await new Promise((resolve) => setTimeout(resolve, 100));', 'waits a fixed time'],
  ['  await sleep(50);', 'waits a fixed time'],
  ['expect(performance.now() - started).toBeLessThan(2000);', 'asserts that something was quick'],
  ['expect(result.durationMs).toBeLessThanOrEqual(900);', 'asserts that something was quick'],
])('a planted line is found: %s', (line, what) => {
  expect(listWaiting({ 'planted.test.ts': `\n${line}\n` })).toEqual([`planted.test.ts:2 ${what}`]);
});

test('a lower bound is none of these', () => {
  expect(listWaiting({ 'a.test.ts': 'expect(performance.now() - started).toBeGreaterThanOrEqual(300);\n' })).toEqual(
    [],
  );
});
