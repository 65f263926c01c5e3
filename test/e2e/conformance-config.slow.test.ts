import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADDRESS_OF_NOBODY, KEY, start } from '../conformance/support/ask.js';
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

  test('counts after the environment, which counts after a flag', async () => {
    const config = `target: ${ADDRESS_OF_NOBODY}\ntimeout: 3\nmin-coverage: nonsense\n`.replace('nonsense', '5');
    const { url } = await start();
    const only = ['--only', 'pets/lists/at-start'];
    expect((await runWith(config, only, { ...withKey, PETSTORE_CONFORMANCE_TARGET: url })).code).toBe(0);
    const variables = { ...withKey, PETSTORE_CONFORMANCE_TARGET: ADDRESS_OF_NOBODY };
    expect((await runWith(config, [...only, '--target', url], variables)).code).toBe(0);
    const strict = { ...withKey, PETSTORE_CONFORMANCE_TARGET: url, PETSTORE_CONFORMANCE_MIN_COVERAGE: '99' };
    expect((await runWith(config, only, strict)).code).toBe(1);
    expect((await runWith(config, [...only, '--min-coverage', '1'], strict)).code).toBe(0);
  });

  test('selects nothing where --again says what to run', async () => {
    const { url } = await start();
    const config = `target: ${url}\nonly: [pets/records/create]\nskip: [pets/lists/*]\n`;
    const { stdout } = await runWith(config, ['--again', 'pets/lists/at-start[status-sold]'], withKey);
    expect(stdout).toContain('1 passed');
  });

  test('has paths from where it stands', async () => {
    const folder = makeFolder({ [FILE]: 'baseline: known.yaml\nspec: no.yaml\n', 'known.yaml': 'known: []\n' });
    const { code, stderr } = await runRunner(['--config', join(folder, FILE), '--target', ADDRESS_OF_NOBODY], {
      env: withKey,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot read ${join(folder, 'no.yaml')}`)]);
  });
});

describe('named targets', () => {
  const targets = (staging: string): string => `targets:
  staging:
    url: ${staging}
    api-key-env: STAGING_KEY
    only: [pets/lists/at-start, pets/records/create]
    read-only: false
    headers: { X-Trace: nightly, X-Gateway-Key: { env: GATEWAY_KEY } }
  production:
    url: ${ADDRESS_OF_NOBODY}
read-only: true
`;

  test('one is chosen by --target; what it says counts before what stands beside it', async () => {
    const { url, log } = await start();
    const env = { STAGING_KEY: KEY, GATEWAY_KEY: 'gateway-secret', PETSTORE_API_KEY: 'of-another-target' };
    const { code, stdout, stderr } = await runWith(targets(url), ['--target', 'staging', '--report', 'json'], env);
    expect([code, stderr]).toEqual([0, expect.stringContaining('reads petstore-conformance.yaml, target staging')]);
    expect(log.some(({ method }) => method === 'POST')).toBe(true);
    expect(log[0]?.headers).toMatchObject({ 'x-trace': 'nightly', 'x-gateway-key': 'gateway-secret' });
    expect(stdout + stderr).not.toContain('gateway-secret');
  });

  test('one is the default where `target` names it', async () => {
    const { url } = await start();
    const env = { STAGING_KEY: KEY, GATEWAY_KEY: 'gateway-secret' };
    expect(await runWith(`target: staging\n${targets(url)}`, [], env)).toMatchObject({ code: 0 });
  });

  test('a target with a key of its own is never sent that of the others', async () => {
    const config = `api-key-env: DEV_KEY\ntargets: { production: { url: '${ADDRESS_OF_NOBODY}', api-key-file: no.key } }\n`;
    const { code, stderr } = await runWith(config, ['--target', 'production'], { DEV_KEY: KEY });
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot read no.key')]);
  });
});

describe('the environment', () => {
  test('gives options, lists with commas', async () => {
    const env = {
      ...withKey,
      PETSTORE_CONFORMANCE_ONLY: 'pets/lists/at-start, pets/lists/limit-at-bounds',
      PETSTORE_CONFORMANCE_READ_ONLY: 'yes',
    };
    const { url, log } = await start();
    expect(await runRunner(['--target', url], { env })).toMatchObject({ code: 0 });
    expect(log.every(({ method }) => method === 'GET')).toBe(true);
  });
});
