import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';

const FILE = 'petstore-conformance.yaml';

/** Runs the program in a folder with a config file. */
function runWith(config: string, args: string[], env: Record<string, string> = {}): Promise<RunnerEnd> {
  return runRunner(args, { cwd: makeFolder({ [FILE]: config }), env });
}

const withKey = { PETSTORE_API_KEY: KEY };

describe('the config file', () => {
  test('of the working directory is read, and the run says so', async () => {
    const { url, log } = await start();
    const { code, stderr } = await runWith(`target: ${url}\nonly: pets/lists/at-start\nread-only: true\n`, [], withKey);
    expect([code, stderr]).toEqual([0, expect.stringContaining('reads petstore-conformance.yaml\n')]);
    expect(log.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('may be named by --config and by PETSTORE_CONFORMANCE_CONFIG', async () => {
    const { url } = await start();
    const file = join(makeFolder({ 'mine.yaml': `target: ${url}\nonly: [pets/lists/at-start]\n` }), 'mine.yaml');
    expect(await runRunner(['--config', file], { env: withKey })).toMatchObject({ code: 0 });
    expect(await runRunner([], { env: { ...withKey, PETSTORE_CONFORMANCE_CONFIG: file } })).toMatchObject({ code: 0 });
    const missing = await runRunner(['--config', '/no/mine.yaml'], { env: withKey });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot read /no/mine.yaml')]);
  });
});
