import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADDRESS_OF_NOBODY, KEY, makeFolder, start } from '../conformance/support/ask.js';
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
    const { code, stderr } = await runWith(`target: ${url}\nonly: list/every-time\nread-only: true\n`, [], withKey);
    expect([code, stderr]).toEqual([0, expect.stringContaining('reads petstore-conformance.yaml\n')]);
    expect(log.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('may be named by --config and by PETSTORE_CONFORMANCE_CONFIG', async () => {
    const { url } = await start();
    const file = join(makeFolder({ 'mine.yaml': `target: ${url}\nonly: [list/every-time]\n` }), 'mine.yaml');
    expect(await runRunner(['--config', file], { env: withKey })).toMatchObject({ code: 0 });
    expect(await runRunner([], { env: { ...withKey, PETSTORE_CONFORMANCE_CONFIG: file } })).toMatchObject({ code: 0 });
    const missing = await runRunner(['--config', '/no/mine.yaml'], { env: withKey });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot read /no/mine.yaml')]);
  });

  test('counts after the environment, which counts after a flag', async () => {
    const config = `target: ${ADDRESS_OF_NOBODY}\ntimeout: 3\nmin-coverage: nonsense\n`.replace('nonsense', '5');
    const { url } = await start();
    const only = ['--only', 'list/every-time'];
    const byVariable = await runWith(config, only, { ...withKey, PETSTORE_CONFORMANCE_TARGET: url });
    expect(byVariable.code).toBe(0);
    const variables = { ...withKey, PETSTORE_CONFORMANCE_TARGET: ADDRESS_OF_NOBODY };
    expect((await runWith(config, [...only, '--target', url], variables)).code).toBe(0);
    const strict = { ...withKey, PETSTORE_CONFORMANCE_TARGET: url, PETSTORE_CONFORMANCE_MIN_COVERAGE: '99' };
    expect((await runWith(config, only, strict)).code).toBe(1);
    expect((await runWith(config, [...only, '--min-coverage', '1'], strict)).code).toBe(0);
  });

  test('selects nothing where --again says what to run', async () => {
    const { url } = await start();
    const config = `target: ${url}\nonly: [create/minimal]\nskip: [list/*]\n`;
    const { stdout } = await runWith(config, ['--again', 'list/every-time[first]'], withKey);
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
    only: [list/every-time, create/minimal]
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

  test.each<[string, string[], Record<string, string>, string]>([
    [
      'a name that is none',
      ['--target', 'stagin'],
      {},
      'there is no target stagin in petstore-conformance.yaml; did you mean staging?',
    ],
    ['no name', [], {}, 'give --target one of staging, production'],
    [
      'a key that is not set',
      ['--target', 'staging'],
      withKey,
      ':4:5: api-key-env names the variable STAGING_KEY, which is not set',
    ],
    [
      'a header that is not set',
      ['--target', 'staging'],
      { STAGING_KEY: KEY },
      'names the variable GATEWAY_KEY, which is not set',
    ],
  ])('%s is told', async (_, args, env, message) => {
    const { code, stderr } = await runWith(targets(ADDRESS_OF_NOBODY), args, env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a target with a key of its own is never sent that of the others', async () => {
    const config = `api-key-env: DEV_KEY\ntargets: { production: { url: '${ADDRESS_OF_NOBODY}', api-key-file: no.key } }\n`;
    const { code, stderr } = await runWith(config, ['--target', 'production'], { DEV_KEY: KEY });
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot read no.key')]);
  });
});

describe('what the file cannot have is told with its line and what to do', () => {
  test.each<[string, number, string]>([
    ['timout: 3\n', 1, 'there is no `timout` here; did you mean timeout?'],
    ['quiet: true\ntimeout: soon\n', 2, '`timeout` must be a number, but is "soon".'],
    ['timeout: 0\n', 1, '`timeout` must be'],
    ['concurrency: 1.5\n', 1, '`concurrency` must be an integer'],
    ['report: [pretty, jsn]\n', 1, '`1` must be one of'],
    ['targets:\n  staging: { url: "http://x/v1", tmeout: 3 }\n', 2, 'there is no `tmeout` here; did you mean timeout?'],
    ['targets:\n  staging: { timeout: 3 }\n', 2, '`url` is missing.'],
    ['- a\n', 1, 'the file must be an object'],
    ['fail-on: [\n', 2, 'this is not valid YAML'],
    ['category-id: dogs\n', 1, '`category-id` must be'],
    ['api-key: Very-Secret-Key\n', 1, 'name the variable that holds it: api-key-env: STAGING_KEY.'],
    ['targets:\n  a:\n    apiKey: Very-Secret-Key\n', 3, 'do not put a secret into a file'],
    ['cert-passphrase: Very-Secret-Key\n', 1, 'cert-passphrase-env: STAGING_PASSPHRASE'],
    ['api-key-env: Very-Secret-Key\n', 1, 'must be the name of an environment variable, in capitals'],
    ['headers:\n  X-Api-Key: Very-Secret-Key\n', 1, 'X-Api-Key: { env: GATEWAY_KEY }'],
    ['target: http://ann:Very-Secret-Key@127.0.0.1/v1\n', 1, 'the URL has credentials'],
  ])('%j', async (config, line, message) => {
    const { code, stderr, stdout } = await runWith(config, ['--target', ADDRESS_OF_NOBODY], withKey);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(`${FILE}:${line}:`);
    expect(stdout + stderr).not.toContain('Very-Secret-Key');
  });

  test('an empty file has nothing to say', async () => {
    const { code, stderr } = await runWith('', ['--target', ADDRESS_OF_NOBODY], withKey);
    expect([code, stderr]).toEqual([3, expect.stringContaining('nothing listens there')]);
  });
});

describe('the environment', () => {
  test('gives options, lists with commas', async () => {
    const env = {
      ...withKey,
      PETSTORE_CONFORMANCE_ONLY: 'list/every-time, create/minimal',
      PETSTORE_CONFORMANCE_READ_ONLY: 'yes',
    };
    const { url, log } = await start();
    expect(await runRunner(['--target', url], { env })).toMatchObject({ code: 0 });
    expect(log.every(({ method }) => method === 'GET')).toBe(true);
  });

  test.each([
    [
      { PETSTORE_CONFORMANCE_TIMOUT: '3' },
      'there is no variable PETSTORE_CONFORMANCE_TIMOUT; did you mean PETSTORE_CONFORMANCE_TIMEOUT?',
    ],
    [{ PETSTORE_CONFORMANCE_API_KEY: 'x' }, 'did you mean PETSTORE_API_KEY?'],
    [{ PETSTORE_CONFORMANCE_TIMEOUT: 'soon' }, 'PETSTORE_CONFORMANCE_TIMEOUT takes a number from 0, not soon.'],
    [{ PETSTORE_CONFORMANCE_BAIL: 'perhaps' }, 'PETSTORE_CONFORMANCE_BAIL takes true or false, not perhaps.'],
  ])('%j is told', async (variables, message) => {
    const { code, stderr } = await runRunner(['--target', ADDRESS_OF_NOBODY], { env: { ...withKey, ...variables } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
