import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiKey } from '../../../src/cli/conformance/settings.js';
import { DEFAULT_API_KEY } from '../../../src/server/options.js';
import { makeFolder } from '../../support/folder.js';
import { readRunnerOptions } from '../support/runner-options.js';

const FAR = 'https://staging.example/v1';
const file = join(makeFolder({ key: ' key-in-the-file\n' }), 'key');

interface Sources {
  args?: string[];
  env?: Record<string, string>;
  config?: string;
  target?: string | undefined;
  plans?: boolean;
  isNeeded?: boolean;
}

const read = ({ args = [], env = {}, config = '', target = FAR, plans = false, isNeeded = true }: Sources) =>
  readApiKey(readRunnerOptions(args, env, config), env, { plans, target, isNeeded });

const FLAG = { args: ['--api-key', 'key-by-flag'] };
const FILE_BY_FLAG = { args: ['--api-key-file', file] };
const ENV = { PETSTORE_API_KEY: 'key-by-variable' };

test.each<[string, Sources]>([
  ['key-by-flag', { ...FLAG, env: { ...ENV, STAGING: 'key-of-staging' }, config: 'api-key-env: STAGING' }],
  ['key-in-the-file', { ...FILE_BY_FLAG, env: { ...ENV, STAGING: 'key-of-staging' }, config: 'api-key-env: STAGING' }],
  ['key-of-staging', { env: { ...ENV, STAGING: 'key-of-staging' }, config: 'api-key-env: STAGING' }],
  ['key-by-variable', { env: ENV, config: `api-key-file: ${file}` }],
  ['key-in-the-file', { config: `api-key-file: ${file}` }],
])('the key is %s', (apiKey, sources) => {
  expect(read(sources)).toMatchObject({ apiKey, isDefaultKey: false, lacksKey: false });
});

test.each<[string, Sources]>([
  ['$PETSTORE_API_KEY', FLAG],
  ['$PETSTORE_API_KEY', { env: ENV }],
  ['$STAGING', { env: { STAGING: 'key-of-staging' }, config: 'api-key-env: STAGING' }],
  [`$(cat '${file}')`, FILE_BY_FLAG],
  // It is documented, so it is no secret.
  [DEFAULT_API_KEY, { target: 'http://127.0.0.1/v1' }],
])('a command to paste has %s where the key is', (inShell, sources) => expect(read(sources).inShell).toBe(inShell));

test('a variable that the config names and nobody sets is no reason to send another key', () => {
  expect(() => read({ env: ENV, config: 'api-key-env: STAGING' })).toThrow(
    /c\.yaml:2:1: api-key-env names the variable STAGING, which is not set\./,
  );
});

test.each(['http://localhost:4010/v1', 'http://127.0.0.1/v1', 'http://127.8.9.1:1/v1', 'http://[::1]:80/v1'])(
  'on this machine, the documented key is tried: %s',
  (target) => {
    expect(read({ target })).toMatchObject({ apiKey: DEFAULT_API_KEY, isDefaultKey: true });
    expect(read({ target, env: ENV })).toMatchObject({ apiKey: 'key-by-variable', isDefaultKey: false });
    // Beside credentials of the user's own, nobody needs it.
    expect(read({ target, isNeeded: false })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: false });
  },
);

test.each([FAR, 'http://localhost.example/v1', 'http://127.0.0.1.example/v1', 'http://10.0.0.1/v1', 'no URL'])(
  'elsewhere, it is not: %s',
  (target) => {
    expect(read({ target })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: true });
    expect(read({ target, isNeeded: false })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: false });
  },
);

test('a plan needs no key, and reads no file', () =>
  expect(read({ plans: true, args: ['--api-key-file', '/no/such/file'] }).apiKey).toBe(''));

test.each<[RegExp, Sources]>([
  [/--api-key and --api-key-file exclude each other/, { args: [...FLAG.args, ...FILE_BY_FLAG.args] }],
  [/begins with the word Bearer/, { env: { PETSTORE_API_KEY: 'bearer abc' } }],
  [/the API key has U\+000A, as character 4, which no header field can carry/, { env: { PETSTORE_API_KEY: 'abc\nd' } }],
])('refused: %s', (message, sources) => expect(() => read(sources)).toThrow(message));

test('no refusal shows the key', () => {
  expect(() => read({ env: { PETSTORE_API_KEY: 'Bearer My-Own-Secret\u0000' } })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('My-Own') }),
  );
});
