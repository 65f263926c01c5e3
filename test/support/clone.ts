import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-files.js';

/** What no command of a page reads. */
const LEFT_OUT = /^(?:test|bench|docs|site)\//;

/** A folder as `git clone`, `npm ci` and a build leave it, with what is not committed yet. */
export function createClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-clone-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: packageFile('.'),
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((each) => each !== '' && !LEFT_OUT.test(each))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(packageFile(path), join(folder, path));
  }
  // Last, since `npm start` builds what is older than its sources.
  cpSync(packageFile('dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'));
  return folder;
}
