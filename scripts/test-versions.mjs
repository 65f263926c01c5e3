// Runs quick tests of the built package on every version of Node that it supports.
//
//   npm run test:versions                    all of them
//   npm run test:versions -- 20 24           some
//
// The versions come from the npm package `node` and stay in node_modules/.cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/node-versions');
/** The oldest that `engines` allows, and the newest of each line. */
const VERSIONS = ['20.19', '20', '22', '24', '26'];
/** What depends on the version: the program, its signals and sockets, the library. */
const TESTS = ['test/e2e/program-', 'test/index.test.ts', 'test/server'];

/** Installs a version of Node, unless it is there, and says where. */
function installNode(version) {
  const folder = join(CACHE, version);
  const node = join(folder, 'node_modules/node/bin/node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...flags, `node@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  return node;
}

function testOn(version) {
  const node = installNode(version);
  const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`\n── Node ${found} ${'─'.repeat(50)}`);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const started = performance.now();
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'quick', '--reporter=dot', ...TESTS];
  const { status } = spawnSync(node, args, { cwd: ROOT, env, stdio: 'inherit' });
  return { found, passed: status === 0, seconds: (performance.now() - started) / 1000 };
}

const asked = process.argv.slice(2);
const results = (asked.length > 0 ? asked : VERSIONS).map(testOn);
console.log('');
for (const { found, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  Node ${found}  ${seconds.toFixed(0)} s`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
