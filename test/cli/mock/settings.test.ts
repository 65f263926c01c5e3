import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFiles } from '../../../src/cli/mock/describe.js';
import { loadHandlers, readSettings, type Settings } from '../../../src/cli/mock/settings.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { makeFolder } from '../../support/folder.js';

const folder = makeFolder();

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const read = (argv: string[], env: Record<string, string> = {}): Promise<Settings> => readSettings(argv, env, '1.0.0');
const config = (text: string): string[] => ['--config', write('petstore-mock.yaml', text)];

describe('the keys', () => {
  test('of one source stand together and replace those of the others', async () => {
    const keys = write('keys.txt', 'of-the-file\n\n  another \r\n');
    const env = { PETSTORE_API_KEY: 'of-the-variable' };
    const both = await read(['--api-key', 'flag', '--api-key-file', keys], env);
    expect(both.apiKey).toEqual(['flag', 'of-the-file', 'another']);
    expect((await read(['--api-key-file', keys], env)).apiKey).toEqual(['of-the-file', 'another']);
    expect((await read([], env)).apiKey).toEqual(['of-the-variable']);
    expect((await read([])).apiKey).toEqual(['petstore-dev-key']);
  });

  test('an empty file, and one that is not there, are told', async () => {
    await expect(read(['--api-key-file', write('none.txt', '\n')])).rejects.toThrow('there is no key in ');
    await expect(read(['--api-key-file', '/no/keys'])).rejects.toThrow('cannot read /no/keys: there is no such file.');
  });
});

/** Why the program does not start, as it would print it. */
async function refusalOf(argv: readonly string[], env: Record<string, string> = {}): Promise<string> {
  try {
    checkFiles(await readSettings(argv, env, '1.0.0'));
    return 'not refused';
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return error.message;
  }
}

test.each<[string, string[], string]>([
  ['none', ['--port', '4011'], 'not refused'],
  ['a mistyped flag with a value', ['--api-kee=secret-value'], 'no option --api-kee; did you mean --api-key?'],
  ['a word that is a pack', ['empty'], 'there is no command empty; did you mean --fixtures empty?'],
  ['a number', ['4011'], 'there is no command 4011; did you mean --port 4011?'],
  ['-h for help', ['-h'], '-h sets the host; for help, use --help.'],
  ['a key with a space', ['--api-key', 'my secret'], '--api-key has a space, as character 3; a space ends a key'],
  ['a key with its scheme', ['--api-key', 'Bearer secret'], '--api-key begins with the word Bearer'],
  ['a --spec that is not there', ['--spec', 'none.yaml'], 'cannot read none.yaml: there is no such file.'],
  ['a --fixtures path that is not there', ['--fixtures', './x.yaml'], 'there is no fixture pack at ./x.yaml.'],
  ['--fixtures nope', ['--fixtures', 'nope'], 'no fixture pack nope. The shipped packs are default, edge-cases,'],
  ['--fixtures default.yaml', ['--fixtures', 'default.yaml'], 'to use the shipped one, give its name: default.'],
  ['a --profile that is none', ['--profile', 'package.json'], 'this is a package.json of npm, not a profile.'],
  ['a --spec at which nothing is', ['--spec', 'http://127.0.0.1:1/a'], 'cannot be fetched: nothing listens there'],
  ['a --spec that is no text', ['--spec', process.execPath], 'this is not text.'],
  ['--delay 800-100', ['--delay', '800-100'], '--delay is a reversed range, 800-100; write 100-800.'],
  ['a fault of 9 to 1 ms', ['--fault', '*:delay=9-1'], 'delay is a reversed range, 9-1; write 1-9.'],
  ['--max-pets below the pets', ['--max-pets', '10'], 'store may hold 10 pets (max-pets), but would start with 50'],
  ['a --count past that', ['--count', '1000000000'], 'hold 1000000 pets (max-pets), but would start with 1000000000'],
])('a wrong value is told with what to do: %s', async (_, args, message) => {
  const refusal = await refusalOf(args);
  expect(refusal).toContain(message);
  expect(refusal).not.toContain('secret');
  expect(refusal.split('\n')).toHaveLength(1);
});

test.each<[Record<string, string>, string]>([
  [{ PETSTORE_MOCK_API_KEY: 'a-secret' }, 'did you mean PETSTORE_API_KEY?'],
  [{ PETSTORE_API_KEY: 'a secret' }, 'PETSTORE_API_KEY has a space, as character 2'],
  // What Kubernetes puts there of a service of that name, and what others may have.
  [{ PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4010', PETSTORE_MOCK_PORT_4010_TCP_ADDR: '10.0.0.1' }, 'not refused'],

  [{ PETSTORE_MOCK_SERVICE_HOST: '10.0.0.1', PETSTORE_MOCK_URL: 'http://localhost:4010/v1' }, 'not refused'],
])('the variables %j are told with what to do', async (env, message) => {
  const refusal = await refusalOf([], env);
  expect(refusal).toContain(message);
  expect(refusal).not.toContain('secret');
});

test.each<[Record<string, string>, number]>([
  [{ PORT: '8080' }, 8080],
  [{ PORT: '8080', PETSTORE_MOCK_PORT: '4011' }, 4011],
  [{ PORT: '8080', PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4010' }, 8080],
  [{ PORT: 'tcp://10.0.0.1:80' }, 4010],
])('the variables %j set the port %i', async (env, port) => {
  expect((await readSettings([], env, '1.0.0')).port).toBe(port);
  expect((await readSettings(['--port', '1'], env, '1.0.0')).port).toBe(1);
});

test.each([
  ['pack.yaml', 'pets:\n  - categoryId: 1\n    nam: Rex\n    status: sold\n', '--fixtures', ['pack.yaml:3:5', 'name?']],
  ['pack.yaml', 'recods: {}\n', '--fixtures', ['pack.yaml:1:1', 'did you mean records?']],
  ['own.mjs', 'export function createPett() {}\n', '--handlers', ['own.mjs: ', 'did you mean createPet?']],
])('%s with %j is rejected at its place, with what was meant', async (name, text, flag, parts) => {
  const rejection = await refusalOf([flag, write(name, text)]);
  for (const part of parts) expect(rejection).toContain(part);
});

test.each([
  ['port: 4010\ndelay: fast\n', 'mock.yaml:2:1: delay must be a number of milliseconds'],
  ['api-key: 12345678\n', 'mock.yaml:1:1: api-key must be a text'],
  ['port: [\n', 'mock.yaml:2:1: this is not valid YAML'],
  ['fixtures: emtpy\n', 'there is no fixture pack emtpy; did you mean empty?'],
  ['fixtures: one\ndelay: 1-2\ncors: false\n', 'not refused'],
])('the config file %j is told with its line', async (text, message) => {
  const refusal = await refusalOf(config(text));
  expect(refusal).toContain(message.replace('mock.yaml', 'petstore-mock.yaml'));
  expect(refusal).not.toContain('12345678');
});

test('a module exports handlers by name, or as its default', async () => {
  const named = await loadHandlers(
    write('named.mjs', 'export function getPet() {}\nexport const listPets = () => {};'),
  );
  expect(Object.keys(named).sort()).toEqual(['getPet', 'listPets']);
  const whole = await loadHandlers(write('default.mjs', 'export default { "get-pet"() {} };'));
  expect(Object.keys(whole)).toEqual(['get-pet']);
});

test.each([
  ['gone.mjs', undefined, /^there is no file of handlers at .*gone\.mjs\.$/],
  ['empty.mjs', 'const getPet = 1;', /empty\.mjs: it exports no handlers; write/],
  ['number.mjs', 'export const getPet = 1;', /number\.mjs: its export getPet is not a function\.$/],
  ['text.mjs', 'export default "getPet";', /text\.mjs: it exports no handlers/],
  ['throws.mjs', '\n\nthrow new Error("no database");', /throws\.mjs:3: the module cannot be loaded: no database\.$/],
])('%s is refused, with what to do', async (name, text, message) => {
  const path = text === undefined ? join(folder, name) : write(name, text);
  const rejection = { code: 'bad-handler', message: expect.stringMatching(message) };
  await expect(loadHandlers(path)).rejects.toMatchObject(rejection);
});

test('--handlers has the program answer with them, and --check names them', async () => {
  const path = write('pets.mjs', 'export function getPet(call) { return call.next(); }');
  const settings = await readSettings(['--handlers', path, '--check'], {}, '1.0.0');
  expect(Object.keys(settings.handlers ?? {})).toEqual(['getPet']);
  expect(checkFiles(settings).text).toMatch(/^handlers +\S+pets\.mjs +getPet$/m);
  const odd = write('odd.mjs', 'export function getPat(call) { return call.next(); }');
  const wrong = await readSettings(['--handlers', odd, '--check'], {}, '1.0.0');
  expect(() => checkFiles(wrong)).toThrow('the contract has no operation getPat; did you mean getPet?');
});
