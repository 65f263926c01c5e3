import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../../src/cli/mock/options.js';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { makeFolder } from '../support/folder.js';
import { listFrom } from '../../src/cli/options/define-options.js';
import { Running, runProgram } from '../support/run-program.js';
import { createPet, startMock } from '../support/started-mock.js';
import { start, stopLater } from '../support/started-program.js';

async function listPets(url: string, key = 'petstore-dev-key'): Promise<{ status: number; pets: { name: string }[] }> {
  const response = await fetch(`${url}/pets?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, pets: (await response.json()) as { name: string }[] };
}

describe('a right value', () => {
  test('--host takes an IPv6 address, which the URL has in brackets, and --api-key-file one key a line', async () => {
    const cwd = makeFolder({ keys: 'from-a-file\r\n\n  and-another  \n' });
    const { url } = await start(['--host', '::1', '--api-key-file', 'keys'], { cwd });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
    expect((await listPets(url, 'from-a-file')).status).toBe(200);
    expect((await listPets(url, 'and-another')).status).toBe(200);
  });

  test('--host 0.0.0.0 says which addresses it exposes, and gives a URL that works', async () => {
    const running = await start(['--host', '0.0.0.0', '--log', 'json']);
    const ready = JSON.parse(running.stdout) as { url: string; exposed: string[] };
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(Array.isArray(ready.exposed)).toBe(true);
    for (const url of ready.exposed) expect((await listPets(url)).status).toBe(200);
  });

  test('-p and -h are short, --api-key may be repeated, --max-pets answers 507, --no-cors sends no CORS', async () => {
    const keys = ['--api-key', 'first-secret', '--api-key', 'second-secret'];
    const running = await start(['-p', '0', '-h', 'localhost', ...keys, '--max-pets', '51', '--no-cors']);
    expect(running.url).toMatch(/^http:\/\/localhost:\d+\/v1$/);
    const answers = ['first-secret', 'second-secret', undefined].map((key) => listPets(running.url, key));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 401]);
    expect(running.stdout).toContain('key     the 2 you gave');
    expect(running.stdout).not.toMatch(/(first|second)-secret/);
    const create = async (): Promise<Response> =>
      createPet(running, undefined, { headers: { Authorization: 'Bearer first-secret', Origin: 'http://page.test' } });
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 507]);
    expect(first.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('PETSTORE_API_KEY gives the key, which is not shown, and --cors overrules the environment', async () => {
    const env = { PETSTORE_API_KEY: 'from-the-environment', PETSTORE_MOCK_CORS: 'false' };
    const running = await start(['--cors'], { env });
    const headers = { Authorization: 'Bearer from-the-environment', Origin: 'http://page.test' };
    const answer = await fetch(`${running.url}/pets`, { headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'http://page.test']);
    expect(running.stdout).toContain('"Authorization: Bearer $PETSTORE_API_KEY"');
    expect(running.stdout).not.toContain('from-the-environment');
  });

  test('--fixtures takes a path, and --count and --seed make pets that are the same at every start', async () => {
    const cwd = makeFolder({ 'mine.yaml': 'pets: [{ name: Mine, categoryId: 1 }]' });
    const { pets } = await listPets((await start(['--fixtures', './mine.yaml'], { cwd })).url);
    expect(pets).toEqual([{ id: 1, name: 'Mine', categoryId: 1 }]);
    const generated = await listPets((await start(['--count', '30', '--seed', '7'])).url);
    expect(generated.pets).toHaveLength(30);
    const again = await startMock({ count: 30, seed: 7 });
    expect(generated.pets).toEqual((await listPets(again.url)).pets);
  });

  test('--log silent prints nothing at all', async () => {
    const port = await findFreePort();
    const running = new Running(['--log', 'silent', '--port', String(port)]);
    stopLater(running);
    await eventually(() => listPets(`http://127.0.0.1:${port}/v1`));
    expect((await running.stop()).stdout).toBe('');
  });

  test('--version prints the version of package.json', async () => {
    const stdout = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('--help is one screen: the command, ten options and two examples', async () => {
    const { code, stdout, stderr } = await runProgram(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeLessThanOrEqual(40);
    for (const word of ['mcp', '--port', '--spec', '--help all', 'Examples:']) expect(stdout).toContain(word);
    expect(stdout).not.toContain('--max-worlds');
  });

  test('--help all names every flag and shows examples', async () => {
    const { code, stdout, stderr } = await runProgram(['--help', 'all']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const nameOf = ([name, { isNegated }]: ReturnType<typeof listFrom>[number]) =>
      `--${isNegated === true ? 'no-' : ''}${name}`;
    const flags = listFrom(OPTIONS, 'flag').map(nameOf);
    for (const flag of [...flags, '--help', '--version']) expect(stdout).toContain(flag);
    expect(stdout).toContain('Examples:');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('a wrong value ends with 2 and says what to do', () => {
  test('in one line on stderr, and with exit code 2', async () => {
    const stderr = 'petstore-mock: there is no option --prot; did you mean --port?\n';
    expect(await runProgram(['--prot', '4011'])).toEqual({ code: 2, stdout: '', stderr });
  });

  test('control characters that were typed do not reach the terminal', async () => {
    const { stderr } = await runProgram(['--log', '\u001B[31mred']);
    expect(stderr).toContain(String.raw`\u001b[31mred`);
    expect(stderr).not.toContain('\u001B');
  });
});

describe('a place that cannot be listened on ends with 3', () => {
  test('a port that is taken is told in one line with the way out', async () => {
    const { port } = new URL((await start([])).url);
    const { code, stderr } = await runProgram(['--port', port]);
    const wayOut = `choose another (--port ${Number(port) + 1}), or 0 for a free one.`;
    expect(stderr).toBe(`petstore-mock: port ${port} on 127.0.0.1 is in use; ${wayOut}\n`);
    expect(code).toBe(3);
  });

  test('an address that is not of this machine', async () => {
    const { code, stderr } = await runProgram(['--host', '203.0.113.7', '--port', '0']);
    expect(stderr).toContain('203.0.113.7 is not an address of this machine; choose another with --host.');
    expect(code).toBe(3);
  });
});
