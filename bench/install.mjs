// What it takes to install the mock and its peers from the registry, with an empty cache.
//   node bench/install.mjs [--rounds 3]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, printTable } from './processes.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const root = fileURLToPath(new URL('../', import.meta.url));
const readPackage = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { express } = readPackage('package.json').dependencies;
const peers = Object.entries(readPackage('bench/package.json').dependencies);

const folder = mkdtempSync(join(tmpdir(), 'petstore-install-'));
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
try {
  const [tarball] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  const packages = [
    ['petstore-mock', join(folder, tarball.filename)],
    ['express', `express@${express}`],
    ...peers.map(([name, version]) => [name, `${name}@${version}`]),
  ];
  const rows = packages.map(([name, wanted]) => {
    const installs = Array.from({ length: Number(values.rounds) }, () => install(wanted));
    const [{ megabytes, count }] = installs;
    return [name, median(installs.map((each) => each.seconds)).toFixed(1), megabytes.toFixed(1), String(count)];
  });
  printTable([['package', 'install s', 'size MB', 'packages'], ...rows]);
} finally {
  rmSync(folder, { recursive: true });
}

function install(wanted) {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const started = performance.now();
  npm(['install', '--no-audit', '--no-fund', '--cache', join(project, '.cache'), wanted], project);
  const seconds = (performance.now() - started) / 1000;
  const count = Object.keys(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages).length - 1;
  return { seconds, count, megabytes: sizeOf(join(project, 'node_modules')) / 1e6 };
}

function sizeOf(path) {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
