import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../../src/cli/mock/settings.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-settings-'));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const read = (argv: string[], env: Record<string, string> = {}): Promise<Settings> => readSettings(argv, env, '1.0.0');
const config = (text: string): string[] => ['--config', write('petstore-mock.yaml', text)];

test('a flag counts before a variable, a variable before the config file, and that before the default', async () => {
  const file = config('seed: 1\nport: 4001\ncount: 1\n');
  const env = { PETSTORE_MOCK_SEED: '2', PETSTORE_MOCK_PORT: '4002' };
  const { seed, port, count, host } = await read([...file, '--seed', '3'], env);
  expect({ seed, port, count, host }).toEqual({ seed: 3, port: 4002, count: 1, host: '127.0.0.1' });
});

describe('the keys', () => {
  test('of one source stand together and replace those of the others', async () => {
    const keys = write('keys.txt', 'of-the-file\n\n  another \r\n');
    const env = { PETSTORE_API_KEY: 'of-the-variable' };
    expect((await read(['--api-key', 'flag', '--api-key-file', keys], env)).apiKey).toEqual([
      'flag',
      'of-the-file',
      'another',
    ]);
    expect((await read(['--api-key-file', keys], env)).apiKey).toEqual(['of-the-file', 'another']);
    expect((await read([], env)).apiKey).toEqual(['of-the-variable']);
    expect((await read([])).apiKey).toEqual(['petstore-dev-key']);
  });

  test('an empty file, and one that is not there, are told', async () => {
    await expect(read(['--api-key-file', write('none.txt', '\n')])).rejects.toThrow('there is no key in ');
    await expect(read(['--api-key-file', '/no/keys'])).rejects.toThrow('cannot read /no/keys: there is no such file.');
  });
});
