import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../src/package-files.js';

const run = promisify(execFile);

/** What another script of npm's left in the environment is not handed on. */
export function cleanEnvironment(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), NO_UPDATE_NOTIFIER: '1', ...added };
}

/** Packs what is built as it would be published, and says where the tarball is. */
export async function packTarball(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-pack-'));
  const flags = ['--ignore-scripts', '--pack-destination', folder];
  await run('npm', ['pack', ...flags], { cwd: packageFile('.'), env: cleanEnvironment() });
  return join(folder, readdirSync(folder)[0] ?? '');
}

/** Copies a project out of this repository, and installs what its lockfile says and the tarball there. */
export async function installProject(source: string, tarball: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-project-'));
  const skipped = new Set(['node_modules', 'dist', 'test-results']);
  cpSync(packageFile(source), folder, { recursive: true, filter: (path) => !skipped.has(basename(path)) });
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', ['ci', ...flags], { cwd: folder, env: cleanEnvironment() });
  await run('npm', ['install', '--no-save', ...flags, tarball], { cwd: folder, env: cleanEnvironment() });
  return folder;
}
