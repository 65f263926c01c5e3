import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { runProgram, startProgram, type RunOptions } from '../support/run-program.js';

/** How many pets the program starts with: the plainest sign of which source counted. */
async function countPets(args: readonly string[], options: RunOptions): Promise<number> {
  const running = await startProgram([...args, '--log', 'json'], options);
  await running.stop();
  return (JSON.parse(running.stdout.split('\n')[0] ?? '') as { pets: number }).pets;
}

describe('precedence', () => {
  const cwd = makeFolder({ 'mock.yaml': 'count: 3\n' });
  const env = { PETSTORE_MOCK_COUNT: '4' };

  test('the config file counts before the default', async () => {
    expect(await countPets(['--config', 'mock.yaml'], { cwd })).toBe(3);
  });

  test('the environment counts before the config file', async () => {
    expect(await countPets(['--config', 'mock.yaml'], { cwd, env })).toBe(4);
  });

  test('a flag counts before the environment', async () => {
    expect(await countPets(['--config', 'mock.yaml', '--count', '5'], { cwd, env })).toBe(5);
  });

  test('the environment can name the config file', async () => {
    expect(await countPets([], { cwd, env: { PETSTORE_MOCK_CONFIG: 'mock.yaml' } })).toBe(3);
  });

  test('an empty variable counts as none', async () => {
    expect(await countPets(['--config', 'mock.yaml'], { cwd, env: { PETSTORE_MOCK_COUNT: '' } })).toBe(3);
  });

  test('a key of one source replaces the keys of the others', async () => {
    const folder = makeFolder({ 'mock.yaml': 'api-key: [from-the-file, second-of-the-file]\n' });
    const status = async (url: string, key: string): Promise<number> =>
      (await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${key}` } })).status;
    const running = await startProgram(['--config', 'mock.yaml'], {
      cwd: folder,
      env: { PETSTORE_API_KEY: 'from-the-environment' },
    });
    expect(await status(running.url, 'from-the-environment')).toBe(200);
    expect(await status(running.url, 'from-the-file')).toBe(401);
    await running.stop();
  });
});

describe('the environment', () => {
  test.each([
    [
      'a variable one slip away',
      { PETSTORE_MOCK_PROT: '1' },
      'there is no variable PETSTORE_MOCK_PROT; did you mean PETSTORE_MOCK_PORT?',
    ],
    ['the key under the wrong name', { PETSTORE_MOCK_API_KEY: 'a-secret' }, 'did you mean PETSTORE_API_KEY?'],
    ['CORS under the name of its flag', { PETSTORE_MOCK_NO_CORS: '1' }, 'did you mean PETSTORE_MOCK_CORS=false?'],
    [
      'a wrong value',
      { PETSTORE_MOCK_PORT: 'abc' },
      'PETSTORE_MOCK_PORT must be a whole number from 0 to 65535, not abc.',
    ],
    ['a wrong key', { PETSTORE_API_KEY: 'a secret' }, 'PETSTORE_API_KEY has a space, as character 2'],
    ['a mistyped value', { PETSTORE_MOCK_LOG: 'jsn' }, 'did you mean json?'],
    ['no boolean', { PETSTORE_MOCK_CORS: 'maybe' }, 'PETSTORE_MOCK_CORS must be true or false, not maybe.'],
  ])('%s is refused', async (_, env, message) => {
    const { code, stderr } = await runProgram([], { env });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(code).toBe(2);
  });

  test("somebody else's variables are let be", async () => {
    const env = {
      PETSTORE_MOCK_URL: 'http://localhost:4010/v1',
      PETSTORE_MOCK_SERVICE_HOST: '10.0.0.1',
      PETSTORE_MOCK_PORT_4010_TCP_ADDR: '10.0.0.1',
    };
    expect(await countPets([], { env })).toBe(50);
  });

  test('the address that Kubernetes puts into PETSTORE_MOCK_PORT is no port', async () => {
    const { code, stderr } = await runProgram(['--check'], { env: { PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4010' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('the config file', () => {
  test('paths in it are meant from where it stands', async () => {
    const cwd = makeFolder({
      'mock/config.yaml': 'fixtures: ./pets.yaml\napi-key-file: keys\n',
      'mock/pets.yaml': 'pets: [{ name: A, categoryId: 1 }, { name: B, categoryId: 1 }]',
      'mock/keys': 'of-the-folder',
    });
    expect(await countPets(['--config', 'mock/config.yaml'], { cwd })).toBe(2);
  });

  test('a pack that ships is meant by its name', async () => {
    const cwd = makeFolder({ 'mock.yaml': 'fixtures: one\ndelay: 1-2\ncors: false\n' });
    expect(await countPets(['--config', 'mock.yaml'], { cwd })).toBe(1);
  });

  test('an empty one changes nothing', async () => {
    expect(await countPets(['--config', 'mock.yaml'], { cwd: makeFolder({ 'mock.yaml': '# later\n' }) })).toBe(50);
  });

  test.each([
    [
      'a mistyped option',
      'port: 1\nfixture: one\n',
      'mock.yaml:2:1: there is no option fixture; did you mean fixtures?',
    ],
    ['a wrong value', 'port: 4010\ndelay: fast\n', 'mock.yaml:2:1: delay must be a number of milliseconds'],
    [
      'a number as text',
      "port: '4010'\n",
      'mock.yaml:1:1: port must be a whole number from 0 to 65535, not the text "4010".',
    ],
    ['a key that is a number', 'api-key: 12345678\n', 'mock.yaml:1:1: api-key must be a text'],
    ['a list', '- port\n', 'mock.yaml:1:1: a config file must be a mapping of options, such as `port: 4011`.'],
    ['no YAML', 'port: [\n', 'mock.yaml:2:1: this is not valid YAML'],
    ['an unknown pack', 'fixtures: emtpy\n', 'there is no fixture pack emtpy; did you mean empty?'],
  ])('%s is refused with its line', async (_, text, message) => {
    const { code, stderr } = await runProgram(['--config', 'mock.yaml'], { cwd: makeFolder({ 'mock.yaml': text }) });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('12345678');
    expect(code).toBe(2);
  });
});

describe('--check', () => {
  test('says what it read and ends without listening', async () => {
    const cwd = makeFolder({ 'mock.yaml': 'fixtures: one\n' });
    const { code, stdout } = await runProgram(['--check', '--config', 'mock.yaml'], { cwd });
    expect(stdout).toBe(
      [
        'contract  spec/petstore.openapi.yaml  Petstore 1.0.0, 3 operations',
        'fixtures  one                         1 pet, seed 1',
        'config    mock.yaml',
        'resource  pets  id (integer of the service)  list listPets, create createPet, get getPet',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  test('is silent or JSON when the log is', async () => {
    expect((await runProgram(['--check', '--log', 'silent'])).stdout).toBe('');
    expect(JSON.parse((await runProgram(['--check', '--log', 'json'])).stdout)).toMatchObject({ event: 'checked' });
  });

  test.each([
    [
      'contract',
      ['--spec', 'bad.yaml'],
      { 'bad.yaml': 'title: none\n' },
      'bad.yaml:1:1: this is not an OpenAPI 3 or Swagger 2.0 document',
    ],
    [
      'fixtures',
      ['--fixtures', './bad.yaml'],
      { 'bad.yaml': 'pets: [{ name: 1, categoryId: 1 }]' },
      './bad.yaml:1:10: this pet breaks the contract',
    ],
    [
      'config',
      ['--config', 'bad.yaml'],
      { 'bad.yaml': 'prot: 1' },
      'bad.yaml:1:1: there is no option prot; did you mean port?',
    ],
  ])('finds a %s that cannot be used', async (_, args, files, message) => {
    const { code, stdout, stderr } = await runProgram(['--check', ...args], { cwd: makeFolder(files) });
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
