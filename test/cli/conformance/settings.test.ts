import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { ADDRESS_OF_NOBODY } from '../../conformance/support/ask.js';
import { makeFolder } from '../../support/folder.js';

const FILE = 'petstore-conformance.yaml';
const KEY = { PETSTORE_API_KEY: 'Very-Long-Key-1' };

/** Why the program does nothing, as it would print it. */
async function refusalOf(argv: readonly string[], env: Record<string, string> = KEY): Promise<string> {
  try {
    await runConformance(readConformanceSettings(argv, env, '1.0.0').options);
    return 'not refused';
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return error.code === 'target-unreachable' ? 'not refused' : error.message;
  }
}

const withConfig = (text: string): string[] => ['--config', join(makeFolder({ [FILE]: text }), FILE)];

describe('what was mistyped is told with what to do', () => {
  const contract = join(import.meta.dirname, '../../../package.json');
  test.each([
    [['--settle', '1e9'], '--settle takes a number from 0, not 1e9.'],
    [['--report', 'jsn'], 'there is no format jsn; did you mean json? The formats are pretty, json, junit,'],
    [['--report', 'json,junit'], '--report names several formats; give --report-dir to say where to write them.'],
    [['--max-time', '0'], '--max-time takes a number above 0.'],
    [['--shard', '5/4'], '--shard takes a part of a whole, such as 2/4 for the second of four, not 5/4.'],
    [['--shard', '1/2', '--write-profile', 'x.yaml'], '--write-profile records a whole run, not a shard; give it to'],
    [['--fail-on', 'inconclusiv'], '--fail-on takes inconclusive, not inconclusiv; did you mean inconclusive?'],
    [['--only', 'pets/record/create'], 'no scenario pets/record/create; did you mean pets/records/create?'],
    [['--skip', 'limit/*'], 'there is no scenario limit/*'],
    [['--only', 'pets/records/get', '--skip', 'pets/records/*'], 'no scenario is left to run; check --only and'],
    [['--header', 'X: 日本'], 'the header field X has U+65E5, as character 1, which none can carry.'],
    [['--ca', '/no/such.pem'], '/no/such.pem'],
    [['--spec', contract], 'package.json'],
    [['--target', 'localhost:4010/v1'], 'the target is not a URL; should it be http://localhost:4010/v1?'],
    [['--target', 'ftp://127.0.0.1/v1'], 'the target is a URL of ftp://; only http:// and https:// can be tested.'],
    [['--target', 'staging'], '--target staging is not a URL, and there is no config file here (petstore-conf'],
    [['--target', 'Secret1'], 'the target is not a URL; give the base URL'],
    [['--target', 'http://127.0.0.1/v1?a=b'], 'must have no query and no fragment.'],
    [['http://127.0.0.1/v1'], 'did you mean --target http://127.0.0.1/v1?'],
    [['http://user:Pass-Word@127.0.0.1/v1'], 'it is not shown, since it may be a key. Give the base URL with --t'],
    [['dif', 'a', 'b'], 'unexpected argument dif; did you mean diff?'],
    [['--report', 'html,'], 'there is no format of an empty name.'],
    [['--config', contract], 'this is a package.json of npm, not a config file of petstore-conformance.'],
    [['--baseline', 'a.yaml', '--write-baseline', 'b.yaml'], '--baseline and --write-baseline name different files'],
    [['--baseline', '/no/known.yaml'], 'cannot read /no/known.yaml: there is no such file'],
  ])('%j', async (args, message) => {
    expect(await refusalOf(['--target', ADDRESS_OF_NOBODY, ...args])).toContain(message);
  });

  test('what is right is not, and no target is told before anything else', async () => {
    expect(await refusalOf(['--target', ADDRESS_OF_NOBODY, '--timeout', '3'])).toBe('not refused');
    for (const env of [{}, KEY])
      expect(await refusalOf([], env)).toBe(
        'there is no target; give the base URL with --target, such as --target http://127.0.0.1:4010/v1.',
      );
  });
});

test.each<[string, number, string]>([
  ['timout: 3\n', 1, 'there is no `timout` here; did you mean timeout?'],
  ['quiet: true\ntimeout: soon\n', 2, '`timeout` must be a number, but is "soon".'],
  ['targets:\n  staging: { timeout: 3 }\n', 2, '`url` is missing.'],
  ['targets:\n  local: http://127.0.0.1:4010/v1\n', 2, 'write local: { url: http://127.0.0.1:4010/v1 }.'],
  ['targets:\n  local: http://me:Very-Secret@x/v1\n', 2, 'write local: { url: <base URL> }.'],
  ['- a\n', 1, 'the file must be an object'],
  ['api-key: Very-Secret-Key\n', 1, 'name the variable that holds it: api-key-env: STAGING_KEY.'],
  ['cert-passphrase: Very-Secret-Key\n', 1, 'cert-passphrase-env: STAGING_PASSPHRASE'],
  ['api-key-env: Very-Secret-Key\n', 1, 'must be the name of an environment variable, in capitals'],
  ['headers:\n  X-Api-Key: Very-Secret-Key\n', 1, 'X-Api-Key: { env: GATEWAY_KEY }'],
  ['target: http://ann:Very-Secret-Key@127.0.0.1/v1\n', 1, 'the URL has credentials'],
])('what the file cannot have is told with its line and what to do: %j', async (config, line, message) => {
  const refusal = await refusalOf(['--target', ADDRESS_OF_NOBODY, ...withConfig(config)]);
  expect(refusal).toContain(message);
  expect(refusal).toContain(`${FILE}:${line}:`);
  expect(refusal).not.toContain('Very-Secret-Key');
});

describe('of a named target', () => {
  const TARGETS = `targets:
  staging:
    url: ${ADDRESS_OF_NOBODY}
    api-key-env: STAGING_KEY
    headers: { X-Gateway-Key: { env: GATEWAY_KEY } }
    read-only: false
  production:
    url: ${ADDRESS_OF_NOBODY}
    api-key-file: no.key
read-only: true
api-key-env: DEV_KEY
`;

  test.each<[string, string[], Record<string, string>, string]>([
    ['a name that is none', ['--target', 'stagin'], {}, 'petstore-conformance.yaml; did you mean staging?'],
    ['no name', [], {}, 'give --target one of staging, production'],
    ['a key of its own, in whose place no other', ['--target', 'production'], { DEV_KEY: 'x' }, 'no.key: there is'],
    ['a key that is not set', ['--target', 'staging'], KEY, ':4:5: api-key-env names the variable STAGING_KEY, which'],
    ['an unset header', ['--target', 'staging'], { STAGING_KEY: 'of-staging' }, 'names the variable GATEWAY_KEY,'],
  ])('%s is told', async (_, args, env, message) => {
    expect(await refusalOf([...args, ...withConfig(TARGETS)], env)).toContain(message);
  });

  test.each<[string, string[], string]>([
    ['by --target', ['--target', 'staging'], TARGETS],
    ['by `target` in the file', [], `target: staging\n${TARGETS}`],
  ])('chosen %s, what it says counts before what stands beside it', (_, args, config) => {
    const env = { STAGING_KEY: 'a-key-of-staging', GATEWAY_KEY: 'a-key-of-the-gateway', ...KEY };
    const { options, config: used } = readConformanceSettings([...args, ...withConfig(config)], env, '1.0.0');
    const headers = { 'X-Gateway-Key': 'a-key-of-the-gateway' };
    const wanted = { target: ADDRESS_OF_NOBODY, apiKey: 'a-key-of-staging', readOnly: false, headers };
    expect([options, used?.target]).toMatchObject([wanted, 'staging']);
  });
});

test('--again runs what it says, whatever the file selects', () => {
  const config = withConfig('only: [pets/records/create]\nskip: [pets/lists/*]\n');
  const again = ['--target', ADDRESS_OF_NOBODY, '--again', 'pets/lists/at-start[status-sold]'];
  const { options } = readConformanceSettings([...again, ...config], KEY, '1.0.0');
  expect([options.only, options.skip]).toEqual([['pets/lists/at-start[status-sold]'], []]);
});

test.each([[{ PETSTORE_CONFORMANCE_API_KEY: 'x' }, 'did you mean PETSTORE_API_KEY?']])(
  'the variable %j is told',
  async (variables, message) => {
    expect(await refusalOf(['--target', ADDRESS_OF_NOBODY], { ...KEY, ...variables })).toContain(message);
  },
);

const entry = (change: (text: string) => string): string =>
  change(`known:
  - scenario: pets/lists/at-start[status-sold]
    shows: [{ check: records, rule: filter, at: body/*/status }]
    reason: ticket 12
    expires: never
`);
test.each<[string, string, number]>([
  ['known: {}\n', '`known` must be an array', 1],
  [entry((text) => text.replace('expires', 'expire')), 'there is no `expire` here; did you mean expires?', 5],
  [entry((text) => text.replace('    reason: ticket 12\n', '')), '`reason` is missing.', 2],
  [entry((text) => text.replace('never', 'soon')), '`expires` must be a day such as 2030-12-31, or never, but is', 5],
  [entry((text) => text.replace('never', '2027-02-30')), '2027-02-30 is not a calendar day.', 5],
  [entry((text) => text.replace('records,', 'recrds,')), 'there is no check recrds; did you mean records?', 3],
  [entry((text) => text.replace('/at-start', '/at-strat')), 'did you mean pets/lists/at-start[status-sold]?', 2],
  [entry((text) => `${text}${text.slice(7)}`), 'already has this deviation in line 2', 6],
  ['known: [\n', 'this is not valid YAML', 2],
])('a baseline that cannot be used is told with its line: %j', async (text, message, line) => {
  const path = join(makeFolder({ 'known.yaml': text }), 'known.yaml');
  const refusal = await refusalOf(['--target', ADDRESS_OF_NOBODY, '--baseline', path]);
  expect(refusal).toContain(message);
  expect(refusal).toContain(`known.yaml:${line}:`);
});
