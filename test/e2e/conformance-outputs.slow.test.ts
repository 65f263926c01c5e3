import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { ADDRESS_OF_NOBODY, ask, KEY, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { RUNNER, runRunner } from '../conformance/support/runner-program.js';
import { PROGRAM } from '../support/run-program.js';

const run = promisify(execFile);
const SOME = ['--only', 'pets/lists/at-start'];

/** Runs the program from a shell, for what only a shell can do to its outputs. */
async function inShell(script: string): Promise<{ stdout: string; stderr: string; code: number }> {
  const env = { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY, RUNNER, MOCK: PROGRAM, NODE: process.execPath };
  const { stdout, stderr } = await run('bash', ['--norc', '-c', `set -o pipefail; ${script}; echo "code $?" >&2`], {
    env,
  });
  return { stdout, stderr, code: Number(/code (\d+)\n$/.exec(stderr)?.[1]) };
}

/** The target is never asked: nobody is there. */
describe('an output that cannot be written is told before the run', () => {
  test('a disk on which there is no room, and what stands there stays', async () => {
    const file = join(makeFolder({ 'live.yaml': 'gaps: {} # by hand\n' }), 'live.yaml');
    const { code, stderr } = await inShell(
      `ulimit -f 8; "$NODE" "$RUNNER" --target ${ADDRESS_OF_NOBODY} --write-profile ${file}`,
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`cannot write ${file}: `) });
    expect(readFileSync(file, 'utf8')).toBe('gaps: {} # by hand\n');
  });
});

test('a report whose folder goes during the run reaches stdout, the others their files, and the code is 2', async () => {
  const [gone, kept] = [join(makeFolder(), 'gone'), makeFolder()];
  const { url } = await start((base) => ({
    intercept: (exchange) => {
      rmSync(gone, { recursive: true, force: true });
      writeFileSync(gone, 'in the way');
      return base.intercept(exchange);
    },
  }));
  const profile = join(kept, 'profile.yaml');
  const args = ['--report', 'json', '--report-dir', gone, '--write-profile', profile, ...SOME];
  const { code, stdout, stderr } = await ask(url, ...args);
  expect(stderr).toContain(`cannot write ${join(gone, 'conformance.json')}: a part of the path is a file`);
  expect((JSON.parse(stdout) as RunResult).summary.passed).toBeGreaterThan(0);
  expect(readdirSync(kept)).toEqual(['profile.yaml']);
  expect(code).toBe(2);
});

describe('stdout', () => {
  test('may be left by whoever reads it', async () => {
    const { url } = await start();
    const { stdout, stderr, code } = await inShell(`"$NODE" "$RUNNER" --target ${url} --quiet --list | head -1`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'code 0\n' });
  });

  test('that takes nothing is told, and the code is 2', async () => {
    const { url } = await start();
    const { stderr, code } = await inShell(`"$NODE" "$RUNNER" --target ${url} --quiet ${SOME.join(' ')} > /dev/full`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot write to stdout: ENOSPC.') });
  });

  test('that takes nothing is told by a check of the mock too', async () => {
    const { stderr, code } = await inShell(`"$NODE" "$MOCK" --check > /dev/full`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot write to stdout: ENOSPC.') });
  });

  test('may be named as a file, whatever it is', async () => {
    const args = ['--target', (await start()).url, '--quiet', '--write-profile', '/dev/stdout', ...SOME];
    const { code, stdout } = await runRunner(args, { env: { PETSTORE_API_KEY: KEY } });
    expect(stdout).toMatch(/^gaps:$/m);
    expect(code).toBe(0);
  });

  test('is not the only pipe that takes a result', async () => {
    const { url } = await start();
    const command = `"$NODE" "$RUNNER" --target ${url} --quiet --write-profile >(grep -c '^gaps:' >&2) ${SOME.join(' ')}`;
    const { stderr, code } = await inShell(`${command} > /dev/null; code=$?; wait $!; (exit $code)`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^1$/m) });
  });
});
