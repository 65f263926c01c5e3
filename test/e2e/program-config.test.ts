import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { runProgram, startProgram, type RunOptions } from '../support/run-program.js';

/** How many pets the program starts with: the plainest sign of which source counted. */
async function countPets(args: readonly string[], options: RunOptions): Promise<number> {
  const running = await startProgram([...args, '--log', 'json'], options);
  await running.stop();
  return (JSON.parse(running.stdout.split('\n')[0] ?? '') as { pets: number }).pets;
}

test('a flag counts before the environment, that before the config file, whose paths are meant from where it stands', async () => {
  const cwd = makeFolder({
    'mock/config.yaml': 'fixtures: ./pets.yaml\napi-key-file: keys\n',
    'mock/pets.yaml': 'pets: [{ name: A, categoryId: 1 }, { name: B, categoryId: 1 }]',
    'mock/keys': 'of-the-folder',
  });
  const env = { PETSTORE_MOCK_CONFIG: 'mock/config.yaml' };
  expect(await countPets([], { cwd, env })).toBe(2);
  expect(await countPets([], { cwd, env: { ...env, PETSTORE_MOCK_FIXTURES: 'one' } })).toBe(1);
  expect(await countPets(['--fixtures', 'empty'], { cwd, env: { ...env, PETSTORE_MOCK_FIXTURES: 'one' } })).toBe(0);
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

  test('with --strict ends with 1 if there is a note, whose texts cannot steer the terminal', async () => {
    const info = 'openapi: 3.1.0\ninfo: { title: "T\\e[31m\\nnote forged", version: "1" }\n';
    const path = "paths: { /a: { get: { responses: { '200': { description: ok } } } } }\n";
    const spec = { 'noted.yaml': `${info}paths: {}\n`, 'plain.yaml': `${info}${path}` };
    const cwd = makeFolder(spec);
    const check = (...args: string[]): ReturnType<typeof runProgram> => runProgram(['--check', ...args], { cwd });
    const [noted, strict, plain] = await Promise.all([
      check('--spec', 'noted.yaml'),
      check('--spec', 'noted.yaml', '--strict'),
      check('--spec', 'plain.yaml', '--strict'),
    ]);
    expect([noted.code, strict.code, plain.code]).toEqual([0, 1, 0]);
    expect(strict.stderr).toBe('petstore-mock: --strict fails on the note above.\n');
    expect(strict.stdout).toContain('T\\u001b[31m\\u000anote forged');
    expect(strict.stdout).toMatch(/^note +noted.yaml:3:1: the document has no operation/m);
    const alone = await runProgram(['--strict']);
    expect([alone.code, alone.stderr]).toEqual([2, 'petstore-mock: --strict belongs to --check; add --check.\n']);
  });

  test('is silent or JSON when the log is', async () => {
    expect((await runProgram(['--check', '--log', 'silent'])).stdout).toBe('');
    expect(JSON.parse((await runProgram(['--check', '--log', 'json'])).stdout)).toMatchObject({ event: 'checked' });
  });
});
