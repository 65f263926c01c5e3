import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/**
 * Files of one worker share their modules (`isolate: false`), so that a hook at the top of a module holds for the first
 * file alone that imports it. What a module starts, it ends by `onTestFinished`.
 */
function listHooks(files: Readonly<Record<string, string>>): string[] {
  const hook = /^(?:before|after)(?:Each|All)\(/m;
  return Object.entries(files).flatMap(([path, text]) => (hook.test(text) ? [path] : []));
}

function readModules(): Record<string, string> {
  const root = packageFile('test');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('no module of the tests has a hook that only the first file to import it would get', () => {
  // Vitest runs what is in `setupFiles` for each file.
  const { 'support/leaves-nothing.ts': _, ...modules } = readModules();
  expect(Object.keys(modules)).toContain('support/started-program.ts');
  expect(listHooks(modules)).toEqual([]);
});

test('such a hook is found, and one that a function gives to each file is not', () => {
  const planted = { 'a.ts': 'const all = [];\nafterEach(() => all.splice(0));\n' };
  const given = { 'b.ts': 'export function useAll() {\n  afterEach(() => {});\n}\n' };
  expect(listHooks({ ...planted, ...given })).toEqual(['a.ts']);
});
