import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** The last line of a run of one test file, in a project of its own. */
function lastLineOf(text: string): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'petstore-closing-line-'));
  symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'test/one.test.ts'), text);
  const options = ['run', '--root', root, '--config', packageFile('vitest.config.ts')];
  return new Promise((resolve) => {
    execFile(packageFile('node_modules/.bin/vitest'), options, { cwd: root }, (_, stdout) => {
      resolve(stdout.trimEnd().split('\n').at(-1));
    });
  });
}

test('a run ends with what passed, what failed and what was skipped', async () => {
  const text = `import { expect, test } from 'vitest';
test('a', () => expect(1).toBe(1));
test('b', () => expect(1).toBe(2));
test.skip('c', () => {});
`;
  expect(await lastLineOf(text)).toBe('1 passed, 1 failed, 1 skipped');
});

test('a file that does not load counts as failed', async () =>
  expect(await lastLineOf("import './nowhere.js';")).toBe('0 passed, 1 failed'));
