import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiKey, readConformanceSettings, readTls } from '../../../src/cli/conformance/settings.js';
import { DEFAULT_API_KEY } from '../../../src/server/options.js';
import { makeSelfSignedCertificate } from '../../hostile/self-signed-certificate.js';
import { makeFolder } from '../../support/folder.js';
import { readRunnerOptions } from '../support/runner-options.js';

const FAR = 'https://staging.example/v1';
const SOURCE = { login: { path: '/login', body: { user: 'ann', password: 'pass-word-of-ann' }, take: '/token' } };
const AS_JSON = JSON.stringify(SOURCE);
const AS_YAML = '{ login: { path: /login, body: { user: ann, password: { env: PASSWORD } }, take: /token } }';
const PASSWORD = { PASSWORD: 'pass-word-of-ann' };

function readSettings(args: readonly string[], env: Record<string, string> = {}, config = '') {
  const file = ['--config', join(makeFolder({ 'c.yaml': `# config\n${config}` }), 'c.yaml')];
  return readConformanceSettings(['--target', FAR, ...args, ...file], env, '1.0.0');
}

test.each<[string, string[], Record<string, string>, string]>([
  ['a flag', ['--credential', `bearer=${AS_JSON}`], {}, ''],
  ['a variable', [], { PETSTORE_CREDENTIALS: `bearer=${AS_JSON}` }, ''],
  ['the config file', [], PASSWORD, `credentials: { bearer: ${AS_YAML} }`],
  ['a target', ['--target', 'a'], {}, `targets: { a: { url: 'http://a', credentials: { bearer: ${AS_JSON} } } }`],
])('how to log in is read from %s', (_, args, env, config) => {
  const { options, isDefaultKey, lacksKey } = readSettings(args, env, config);
  expect([options.credentials, isDefaultKey, lacksKey]).toEqual([{ bearer: SOURCE }, false, false]);
});

test('a text in braces that says nothing of how to log in is the key', () => {
  const { options } = readSettings(['--credential', 'bearer={4f81}', '--credential', 'other={ a: 1 }']);
  expect(options.credentials).toEqual({ bearer: '{4f81}', other: '{ a: 1 }' });
});

test('a command to paste runs the command, and has a variable for the token of a login', () => {
  const { shell } = readSettings([], {}, `credentials: { bearer: { command: sh get.sh }, my-key: ${AS_JSON} }`);
  expect(shell.credentials).toEqual({ bearer: '$(sh get.sh)', 'my-key': '$MY_KEY_TOKEN' });
});

test.each([
  ['{ login: { path: /login, passwrd: hunter2-hunter2 } }', /bearer has login\.passwrd, which it cannot have/],
  ['{ login: { path: login, body: { password: hunter2-hunter2 } } }', /bearer has login\.path, which must be a path/],
  ['{ oauth2: { client_secret: hunter2-hunter2 } }', /bearer has oauth2 without client_id/],
  ['{ login: { path: /login, body: { password: { env: NOBODY_SETS } } } }', /variable NOBODY_SETS, which is not set/],
])('what cannot be used is told with its place, and without what may be secret: %s', (source, message) => {
  const inFile = (): unknown => readSettings([], {}, `credentials:\n  bearer: ${source}`);
  expect(inFile).toThrow(message);
  expect(inFile).toThrow(/c\.yaml:3:/);
  expect(inFile).not.toThrow(/hunter2/);
  expect(() => readSettings(['--credential', `bearer=${source}`])).toThrow(message);
});

test('the key of the mock is for a target on this machine to which nothing else is given', () => {
  const near = (...args: string[]): unknown[] => {
    const { options, isDefaultKey } = readSettings(['--target', 'http://127.0.0.1:9/v1', ...args]);
    return [options.apiKey, isDefaultKey];
  };
  expect(near()).toEqual([DEFAULT_API_KEY, true]);
  expect(near('--credential', 'basic=ann:secret')).toEqual(['', false]);
  expect(near('--header', 'X-Api-Key: 4f81c06e')).toEqual(['', false]);
  expect(near('--header', 'X-Trace: nightly')).toEqual([DEFAULT_API_KEY, true]);
});

const file = join(makeFolder({ key: ' key-in-the-file\n' }), 'key');

interface Sources {
  args?: string[];
  env?: Record<string, string>;
  config?: string;
  target?: string | undefined;
  plans?: boolean;
  isNeeded?: boolean;
}

const readKey = ({ args = [], env = {}, config = '', target = FAR, plans = false, isNeeded = true }: Sources) =>
  readApiKey(readRunnerOptions(args, env, config), env, { plans, target, isNeeded });

const FLAG = { args: ['--api-key', 'key-by-flag'] };
const FILE_BY_FLAG = { args: ['--api-key-file', file] };
const ENV = { PETSTORE_API_KEY: 'key-by-variable' };
const STAGING = { env: { ...ENV, STAGING: 'key-of-staging' }, config: 'api-key-env: STAGING' };

test.each<[string, Sources]>([
  ['key-by-flag', { ...FLAG, ...STAGING }],
  ['key-in-the-file', { ...FILE_BY_FLAG, ...STAGING }],
  ['key-of-staging', STAGING],
  ['key-by-variable', { env: ENV, config: `api-key-file: ${file}` }],
  ['key-in-the-file', { config: `api-key-file: ${file}` }],
])('the key is %s', (apiKey, sources) => {
  expect(readKey(sources)).toMatchObject({ apiKey, isDefaultKey: false, lacksKey: false });
});

test.each<[string, Sources]>([
  ['$PETSTORE_API_KEY', FLAG],
  ['$STAGING', STAGING],
  [`$(cat '${file}')`, FILE_BY_FLAG],
  // It is documented, so it is no secret.
  [DEFAULT_API_KEY, { target: 'http://127.0.0.1/v1' }],
])('a command to paste has %s where the key is', (inShell, sources) => expect(readKey(sources).inShell).toBe(inShell));

test.each(['http://localhost:4010/v1', 'http://127.8.9.1:1/v1', 'http://[::1]:80/v1'])(
  'on this machine, the documented key is tried: %s',
  (target) => {
    expect(readKey({ target })).toMatchObject({ apiKey: DEFAULT_API_KEY, isDefaultKey: true });
    expect(readKey({ target, env: ENV })).toMatchObject({ apiKey: 'key-by-variable', isDefaultKey: false });
    // Beside credentials of the user's own, nobody needs it.
    expect(readKey({ target, isNeeded: false })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: false });
  },
);

test.each(['http://localhost.example/v1', 'http://127.0.0.1.example/v1', 'http://10.0.0.1/v1', 'no URL'])(
  'elsewhere, it is not: %s',
  (target) => {
    expect(readKey({ target })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: true });
    expect(readKey({ target, isNeeded: false })).toMatchObject({ apiKey: '', isDefaultKey: false, lacksKey: false });
  },
);

test('a plan needs no key, and reads no file', () =>
  expect(readKey({ plans: true, args: ['--api-key-file', '/no/such/file'] }).apiKey).toBe(''));

test.each<[RegExp, Sources]>([
  [/--api-key and --api-key-file exclude each other/, { args: [...FLAG.args, ...FILE_BY_FLAG.args] }],
  [/^(?!.*My-Own).*begins with the word Bearer/, { env: { PETSTORE_API_KEY: 'bearer My-Own-Secret' } }],
  [/the API key has U\+000A, as character 4, which no header field can carry/, { env: { PETSTORE_API_KEY: 'abc\nd' } }],
  // A variable that the config names and nobody sets is no reason to send another key.
  [/c\.yaml:2:1: api-key-env names the variable STAGING, which is not set\./, { ...STAGING, env: ENV }],
])('a key is rejected with %s', (message, sources) => expect(() => readKey(sources)).toThrow(message));

const PASSPHRASE = 'open-sesame-12345';
const [own, other] = [makeSelfSignedCertificate(), makeSelfSignedCertificate()];
const locking = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE } as const;
const folder = makeFolder({
  'own.pem': own.cert,
  'own.key': own.key,
  'both.pem': own.cert + own.key,
  'two.pem': own.cert + other.cert,
  'other.key': other.key,
  'locked.key': String(createPrivateKey(own.key).export(locking)),
  'broken.pem': own.cert.replace(/[A-Za-z]{8}/, 'AAAAAAAA').replace(/\n[^-\n]{10}/, '\n'),
  'no.pem': 'no certificate',
});
const at = (name: string): string => join(folder, name);

const readCertificates = (args: string[], env: Record<string, string> = {}) =>
  readTls(readRunnerOptions(args, env), env);

test('authorities are read, one or several, and a client certificate with its key, from two files or from one', () => {
  expect(readCertificates([])).toEqual({ ca: undefined, clientCertificate: undefined, insecure: false });
  expect(readCertificates(['--insecure']).insecure).toBe(true);
  expect(readCertificates(['--ca', at('two.pem')]).ca).toBe(own.cert + other.cert);
  const two = ['--cert', at('own.pem'), '--cert-key', at('own.key')];
  expect(readCertificates(two).clientCertificate).toMatchObject(own);
  expect(readCertificates(['--cert', at('both.pem')]).clientCertificate?.key).toBe(own.cert + own.key);
});

test('a locked key is unlocked by the variable', () => {
  const args = ['--cert', at('own.pem'), '--cert-key', at('locked.key')];
  const unlock = (passphrase: string) => readCertificates(args, { PETSTORE_CERT_PASSPHRASE: passphrase });
  expect(unlock(PASSPHRASE).clientCertificate?.passphrase).toBe(PASSPHRASE);
  expect(() => readCertificates(args)).toThrow('is locked; set PETSTORE_CERT_PASSPHRASE to its passphrase.');
  expect(() => unlock('')).toThrow('is locked');
  expect(() => unlock('wrong')).toThrow(`the passphrase does not unlock the key in ${at('locked.key')}.`);
});

test.each([
  [['--ca', 'no.pem'], /^--ca: .*no\.pem has no readable PEM certificates\.$/],
  [['--cert', 'no.pem', '--cert-key', 'own.key'], /^--cert: .*no\.pem has no readable PEM certificates\.$/],
  [['--cert', 'own.pem'], /own\.pem has no readable PEM private key\.$/],
  [['--cert', 'own.pem', '--cert-key', 'other.key'], /other\.key is not the key of the certificate in .*own\.pem\.$/],
  [['--cert-key', 'own.key'], /^--cert-key needs --cert, the certificate of this key\.$/],
])('what would fail later is refused at once: %s', (args, message) => {
  expect(() => readCertificates(args.map((each) => (each.startsWith('--') ? each : at(each))))).toThrow(message);
});
