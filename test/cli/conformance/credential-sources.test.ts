import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import { makeFolder } from '../../support/folder.js';

const TARGET = ['--target', 'https://staging.example/v1'];
const SOURCE = { login: { path: '/login', body: { user: 'ann', password: 'pass-word-of-ann' }, take: '/token' } };

function read(args: readonly string[], env: Record<string, string> = {}, config = '') {
  const file = ['--config', join(makeFolder({ 'c.yaml': `# config\n${config}` }), 'c.yaml')];
  return readConformanceSettings([...TARGET, ...args, ...file], env, '1.0.0');
}

test.each<[string, string[], Record<string, string>, string]>([
  ['a flag', ['--credential', `bearer=${JSON.stringify(SOURCE)}`], {}, ''],
  [
    'a flag, in YAML',
    [
      '--credential',
      'bearer={ login: { path: /login, body: { user: ann, password: { env: PASSWORD } }, take: /token } }',
    ],
    { PASSWORD: 'pass-word-of-ann' },
    '',
  ],
  ['a variable', [], { PETSTORE_CREDENTIALS: `bearer=${JSON.stringify(SOURCE)}` }, ''],
  [
    'the config file',
    [],
    { PASSWORD: 'pass-word-of-ann' },
    'credentials:\n  bearer:\n    login: { path: /login, body: { user: ann, password: { env: PASSWORD } }, take: /token }',
  ],
  [
    'a target of the config file',
    ['--target', 'near'],
    {},
    `targets:\n  near:\n    url: https://near.example\n    credentials: { bearer: ${JSON.stringify(SOURCE)} }`,
  ],
])('how to log in is read from %s', (_, args, env, config) => {
  const { options, isDefaultKey, lacksKey } = read(args, env, config);
  expect(options.credentials).toEqual({ bearer: SOURCE });
  expect({ isDefaultKey, lacksKey }).toEqual({ isDefaultKey: false, lacksKey: false });
});

test('a text in braces that says nothing of how to log in is the key', () => {
  const { options } = read(['--credential', 'bearer={4f81}', '--credential', 'other={ a: 1 }']);
  expect(options.credentials).toEqual({ bearer: '{4f81}', other: '{ a: 1 }' });
});

test('a command to paste runs the command, and has a variable for the token of a login', () => {
  const { shell } = read([], {}, `credentials: { bearer: { command: sh get.sh }, my-key: ${JSON.stringify(SOURCE)} }`);
  expect(shell.credentials).toEqual({ bearer: '$(sh get.sh)', 'my-key': '$MY_KEY_TOKEN' });
});

test.each([
  ['{ login: { path: /login, passwrd: hunter2-hunter2 } }', /bearer has login\.passwrd, which it cannot have/],
  ['{ login: { path: login, body: { password: hunter2-hunter2 } } }', /bearer has login\.path, which must be a path/],
  ['{ oauth2: { client_secret: hunter2-hunter2 } }', /bearer has oauth2 without client_id/],
  [
    '{ login: { path: /login, body: { password: { env: NOBODY_SETS } } } }',
    /names the variable NOBODY_SETS, which is not set/,
  ],
])('what cannot be used is told with its place, and without what may be secret: %s', (source, message) => {
  const config = `credentials:\n  bearer: ${source}`;
  expect(() => read([], {}, config)).toThrow(message);
  expect(() => read([], {}, config)).toThrow(/c\.yaml:3:/);
  expect(() => read(['--credential', `bearer=${source}`])).toThrow(message);
  expect(() => read([], {}, config)).not.toThrow(/hunter2/);
});

test('the key of the mock is for a target on this machine to which nothing else is given', () => {
  const near = (...args: string[]) => {
    const { options, isDefaultKey } = readConformanceSettings(
      ['--target', 'http://127.0.0.1:9/v1', ...args],
      {},
      '1.0.0',
    );
    return { apiKey: options.apiKey, isDefaultKey };
  };
  expect(near()).toMatchObject({ isDefaultKey: true });
  const none = { apiKey: '', isDefaultKey: false };
  expect(near('--credential', 'basic=ann:secret')).toEqual(none);
  expect(near('--header', 'X-Api-Key: 4f81c06e')).toEqual(none);
  expect(near('--header', 'X-Trace: nightly')).toMatchObject({ isDefaultKey: true });
});
