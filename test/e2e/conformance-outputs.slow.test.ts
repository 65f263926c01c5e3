import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { reportFormats } from '../../src/report/index.js';
import { ADDRESS_OF_NOBODY, ask, closeLater, KEY, start } from '../conformance/support/ask.js';
import { RUNNER, type RunnerEnd, runRunner } from '../conformance/support/runner-program.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { makeFolder } from '../support/folder.js';
import { PROGRAM } from '../support/run-program.js';

const execute = promisify(execFile);
const SOME = ['--only', 'pets/lists/at-start'];

/** Runs the program from a shell, for what only a shell can do to its outputs. */
async function inShell(script: string): Promise<{ stdout: string; stderr: string; code: number }> {
  const env = { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY, RUNNER, MOCK: PROGRAM, NODE: process.execPath };
  const args = ['--norc', '-c', `set -o pipefail; ${script}; echo "code $?" >&2`];
  const { stdout, stderr } = await execute('bash', args, { env });
  return { stdout, stderr, code: Number(/code (\d+)\n$/.exec(stderr)?.[1]) };
}

// The target is never asked: nobody is there.
test('a disk on which there is no room is told before the run, and what stands there stays', async () => {
  const file = join(makeFolder({ 'live.yaml': 'gaps: {} # by hand\n' }), 'live.yaml');
  const run = `"$NODE" "$RUNNER" --target ${ADDRESS_OF_NOBODY} --write-profile ${file}`;
  const { code, stderr } = await inShell(`ulimit -f 8; ${run}`);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`cannot write ${file}: `) });
  expect(readFileSync(file, 'utf8')).toBe('gaps: {} # by hand\n');
});

describe('stdout', () => {
  test('may be left by whoever reads it', async () => {
    const { url } = await start();
    const { stdout, stderr, code } = await inShell(`"$NODE" "$RUNNER" --target ${url} --quiet --list | head -1`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'code 0\n' });
  });

  test.each([
    ['run', async () => `"$RUNNER" --target ${(await start()).url} --quiet ${SOME.join(' ')}`],
    ['check of the mock', async () => '"$MOCK" --check'],
  ])('that takes nothing is told by a %s, and the code is 2', async (_, program) => {
    const { stderr, code } = await inShell(`"$NODE" ${await program()} > /dev/full`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot write to stdout: ENOSPC.') });
  });

  test('may be named as a file, whatever it is', async () => {
    const args = ['--target', (await start()).url, '--quiet', '--write-profile', '/dev/stdout', ...SOME];
    const { code, stdout } = await runRunner(args, { env: { PETSTORE_API_KEY: KEY } });
    expect(stdout).toMatch(/^gaps:$/m);
    expect(code).toBe(0);
  });
});

describe('the reports', () => {
  test('docs/conformance.md names every format with its file, and --help every format', async () => {
    const page = readFileSync(packageFile('docs/conformance.md'), 'utf8');
    const help = (await runRunner(['--help', 'all'])).stdout;
    for (const { name, file } of Object.values(reportFormats)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
      expect(row).toContain(file === undefined ? 'goes to stdout' : `\`${file}\``);
      expect(help).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test('a message about what was wrong is no command to the log of a CI job', async () => {
    const { code, stderr } = await ask('http://127.0.0.1:9/v1', '--report', '##[error]x');
    expect(code).toBe(2);
    expect(stderr).toContain(String.raw`there is no format \u0023#[error]x`);
    expect((await ask('http://127.0.0.1:9/v1', '--only', '\n::error::x')).stderr).not.toMatch(/^\s*::/m);
  });
});

const FILE = 'petstore-conformance.yaml';

test('the config file of the working directory is read, or the one that is named, and the run says so', async () => {
  const { url, log } = await start();
  const config = `target: ${url}\nonly: pets/lists/at-start\nread-only: true\n`;
  const cwd = makeFolder({ [FILE]: config, 'mine.yaml': config });
  const run = (args: string[], env = {}) => runRunner(args, { cwd, env: { PETSTORE_API_KEY: KEY, ...env } });
  const { code, stderr } = await run([]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('reads petstore-conformance.yaml\n')]);
  expect(log.every(({ method }) => method === 'GET')).toBe(true);
  expect(await run(['--config', 'mine.yaml'])).toMatchObject({ code: 0 });
  expect(await run([], { PETSTORE_CONFORMANCE_CONFIG: 'mine.yaml' })).toMatchObject({ code: 0 });
  const missing = await run(['--config', '/no/mine.yaml']);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot read /no/mine.yaml')]);
});

const ALONE = ['--only', 'pets/lists/filter-alone*', '--settle', '0'];

/** As somebody sees it who reads the end of a log, where both streams are one. */
const readLastLine = ({ stdout, stderr }: RunnerEnd): string =>
  (stderr === '' ? stdout : stderr).trimEnd().split('\n').at(-1) ?? '';

test('an entry of a baseline that is removed as the report says leaves a file that can be read, and written', async () => {
  const path = join(makeFolder(), 'known.yaml');
  const faulty = await startMutationServer({ mutants: ['filter-ignored'], apiKey: KEY });
  closeLater(() => faulty.close());
  await ask(faulty.url, ...ALONE, '--write-baseline', path);
  const { url } = await start();
  const outdated = await ask(url, ...ALONE, '--baseline', path);
  expect([outdated.code, readLastLine(outdated)]).toEqual([
    1,
    expect.stringMatching(/the baseline is outdated: 1 known deviation is fixed, the first at \S+known\.yaml:\d+/),
  ]);
  const [, first, last] = /; remove the entry known\.yaml:(\d+)-(\d+): /.exec(outdated.stdout) ?? [];
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.toSpliced(Number(first) - 1, Number(last) - Number(first) + 1).join('\n'));
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1)).toMatch(/^known:|^ +#/);
  expect(await ask(url, ...ALONE, '--baseline', path)).toMatchObject({ code: 0 });
  expect(await ask(faulty.url, ...ALONE, '--baseline', path)).toMatchObject({ code: 1 });

  writeFileSync(path, 'known:\n');
  expect(await ask(url, ...ALONE, '--baseline', path)).toMatchObject({ code: 0 });
  expect(await ask(faulty.url, ...ALONE, '--write-baseline', path)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('0 known deviations kept, 1 added, 0 removed'),
  });
});

test.each([
  ['for programs alone', ['--report', 'json']],
  ['of a shard', ['--report', 'json', '--shard', '1/2']],
])('a report %s leaves one line for whoever waits', async (_, args) => {
  const { url } = await start();
  const env = { PETSTORE_API_KEY: KEY };
  const end = await runRunner(['--target', url, ...ALONE, ...args], { env, cwd: makeFolder() });
  expect(end.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^petstore-conformance: no problem in/)]);
});

test('a target that is not there, or another one, is told before a key is asked for', async () => {
  // Away from this machine no key is tried; these names lead nowhere.
  const gone = await runRunner(['--target', 'http://nobody.invalid/v1']);
  expect([gone.code, readLastLine(gone)]).toEqual([3, expect.stringMatching(/nobody\.invalid\/v1 cannot be tested/)]);
  // 0.0.0.0 is this machine by a name that the program does not take for it.
  const { url } = await start();
  const there = await runRunner(['--target', url.replace('127.0.0.1', '0.0.0.0')]);
  expect([there.code, readLastLine(there)]).toEqual([2, expect.stringMatching(/there is no API key; set/)]);
  const wrong = await runRunner(['--target', url.replace('127.0.0.1', '0.0.0.0').replace('/v1', '/v7')]);
  expect([wrong.code, readLastLine(wrong)]).toEqual([2, expect.stringMatching(/is not the base URL of the API/)]);
});
