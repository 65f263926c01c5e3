// Builds before `npm start` where nothing is built, or where a source is newer than what is. An installation runs no scripts.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const SOURCES = ['src', 'spec', 'scenarios', 'fixtures', 'package.json'];

const builtAt = statSync(file('dist/cli/petstore-mock.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (SOURCES.some((name) => isNewer(file(name)))) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    cwd: file('.'),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}

function isNewer(path) {
  const stats = statSync(path);
  if (stats.mtimeMs > builtAt) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(`${path}/${name}`));
}
