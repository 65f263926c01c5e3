import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../../src/cli/mock/options.js';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { makeFolder } from '../support/folder.js';
import { listFrom } from '../../src/cli/options/define-options.js';
import { KEY, Running, runProgram } from '../support/run-program.js';
import { start, stopLater } from '../support/started-program.js';

async function listPets(url: string, key = 'petstore-dev-key'): Promise<{ status: number; pets: { name: string }[] }> {
  const response = await fetch(`${url}/pets?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, pets: (await response.json()) as { name: string }[] };
}

const OTHER_CONTRACT = `openapi: 3.1.0
info: { title: Shelter, version: 2.5.0 }
servers: [{ url: /shelter }]
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array } } }
`;

describe('a right value', () => {
  test('--port takes the port', async () => {
    expect(Number(new URL((await start(['--port', '0'])).url).port)).toBeGreaterThan(0);
  });

  test('-p and -h are short for --port and --host', async () => {
    const { url } = await start(['-p', '0', '-h', 'localhost']);
    expect(url).toMatch(/^http:\/\/localhost:\d+\/v1$/);
    expect((await listPets(url)).status).toBe(200);
  });

  test('--host takes an IPv6 address, and the URL has it in brackets', async () => {
    const { url } = await start(['--host', '::1']);
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
    expect((await listPets(url)).status).toBe(200);
  });

  test('--host 0.0.0.0 says which addresses it exposes, and gives a URL that works', async () => {
    const running = await start(['--host', '0.0.0.0', '--log', 'json']);
    const ready = JSON.parse(running.stdout) as { url: string; exposed: string[] };
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(Array.isArray(ready.exposed)).toBe(true);
    for (const url of ready.exposed) expect((await listPets(url)).status).toBe(200);
  });

  test('--api-key may be repeated, and replaces the default one', async () => {
    const running = await start(['--api-key', 'first-secret', '--api-key', 'second-secret']);
    expect((await listPets(running.url, 'first-secret')).status).toBe(200);
    expect((await listPets(running.url, 'second-secret')).status).toBe(200);
    expect((await listPets(running.url)).status).toBe(401);
    expect(running.stdout).toContain('key     the 2 you gave');
    expect(running.stdout).not.toMatch(/(first|second)-secret/);
  });

  test('--api-key-file takes one key a line', async () => {
    const cwd = makeFolder({ keys: 'from-a-file\r\n\n  and-another  \n' });
    const { url } = await start(['--api-key-file', 'keys'], { cwd });
    expect((await listPets(url, 'from-a-file')).status).toBe(200);
    expect((await listPets(url, 'and-another')).status).toBe(200);
  });

  test('PETSTORE_API_KEY gives the key', async () => {
    const running = await start([], { env: { PETSTORE_API_KEY: 'from-the-environment' } });
    expect((await listPets(running.url, 'from-the-environment')).status).toBe(200);
    expect(running.stdout).toContain('"Authorization: Bearer $PETSTORE_API_KEY"');
    expect(running.stdout).not.toContain('from-the-environment');
  });

  test('--spec serves another document under its own base path', async () => {
    const cwd = makeFolder({ 'shelter.yaml': OTHER_CONTRACT });
    const running = await start(['--spec', 'shelter.yaml', '--fixtures', 'empty'], { cwd });
    expect(running.url).toMatch(/\/shelter$/);
    expect(running.stdout).toContain('Shelter 2.5.0');
    expect((await fetch(`${running.url}/pets`)).status).toBe(200);
  });

  test('--fixtures takes a pack that ships, or a path', async () => {
    expect((await listPets((await start(['--fixtures', 'one'])).url)).pets).toHaveLength(1);
    const cwd = makeFolder({ 'mine.yaml': 'pets: [{ name: Mine, categoryId: 1 }]' });
    const { pets } = await listPets((await start(['--fixtures', './mine.yaml'], { cwd })).url);
    expect(pets).toEqual([{ id: 1, name: 'Mine', categoryId: 1 }]);
  });

  test('--count and --seed make other pets, the same at every start', async () => {
    const [first, again, other] = await Promise.all(
      ['7', '7', '8'].map(async (seed) => listPets((await start(['--count', '30', '--seed', seed])).url)),
    );
    expect(first?.pets).toHaveLength(30);
    expect(again?.pets).toEqual(first?.pets);
    expect(other?.pets).not.toEqual(first?.pets);
  });

  test('--delay holds every request back, and the log counts it', async () => {
    const running = await start(['--delay', '150', '--log', 'json']);
    const before = performance.now();
    await listPets(running.url);
    expect(performance.now() - before).toBeGreaterThanOrEqual(149);
    const [, line = ''] = await running.until(/\n(\{"event":"exchange".*)\n/);
    expect((JSON.parse(line) as { durationMs: number }).durationMs).toBeGreaterThanOrEqual(149);
  });

  test('--delay takes a range', async () => {
    const { url } = await start(['--delay', '60-90']);
    const before = performance.now();
    await listPets(url);
    expect(performance.now() - before).toBeGreaterThanOrEqual(59);
  });

  test('--max-pets answers 507 when the store is full', async () => {
    const { url } = await start(['--max-pets', '51']);
    const create = async (): Promise<number> => {
      const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
      const headers = { ...KEY, 'content-type': 'application/json' };
      return (await fetch(`${url}/pets`, { method: 'POST', headers, body })).status;
    };
    expect([await create(), await create()]).toEqual([201, 507]);
  });

  test('--no-cors sends nothing of CORS, and --cors overrules the environment', async () => {
    const allowed = async (url: string): Promise<string | null> =>
      (await fetch(`${url}/pets`, { headers: { origin: 'http://page.test' } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowed((await start([])).url)).toBe('http://page.test');
    expect(await allowed((await start(['--no-cors'])).url)).toBeNull();
    const env = { PETSTORE_MOCK_CORS: 'false' };
    expect(await allowed((await start([], { env })).url)).toBeNull();
    expect(await allowed((await start(['--cors'], { env })).url)).toBe('http://page.test');
  });

  test('--log silent prints nothing at all', async () => {
    const port = await findFreePort();
    const running = new Running(['--log', 'silent', '--port', String(port)]);
    stopLater(running);
    await eventually(() => listPets(`http://127.0.0.1:${port}/v1`));
    expect((await running.stop()).stdout).toBe('');
  });

  test('--version prints the version of package.json', async () => {
    expect(await runProgram(['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
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
    const flags = listFrom(OPTIONS, 'flag').map(
      ([name, { isNegated }]) => `--${isNegated === true ? 'no-' : ''}${name}`,
    );
    for (const flag of [...flags, '--help', '--version']) expect(stdout).toContain(flag);
    expect(stdout).toContain('Examples:');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('a wrong value ends with 2 and says what to do', () => {
  test('in one line on stderr, and with exit code 2', async () => {
    expect(await runProgram(['--prot', '4011'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'petstore-mock: there is no option --prot; did you mean --port?\n',
    });
  });

  test('a contract that is none is told with file and line', async () => {
    const cwd = makeFolder({ 'broken.yaml': 'openapi: 3.1.0\ninfo: [\n' });
    const { code, stderr } = await runProgram(['--spec', 'broken.yaml'], { cwd });
    expect(stderr).toMatch(/^petstore-mock: broken\.yaml:3:1: this is not valid YAML/);
    expect(code).toBe(2);
  });

  test('a key file without a key', async () => {
    const cwd = makeFolder({ keys: '\n  \n' });
    const { code, stderr } = await runProgram(['--api-key-file', 'keys'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'petstore-mock: there is no key in keys.\n' });
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
    expect(stderr).toBe(
      `petstore-mock: port ${port} on 127.0.0.1 is in use; choose another (--port ${Number(port) + 1}), or 0 for a free one.\n`,
    );
    expect(code).toBe(3);
  });

  test('an address that is not of this machine', async () => {
    const { code, stderr } = await runProgram(['--host', '203.0.113.7', '--port', '0']);
    expect(stderr).toContain('203.0.113.7 is not an address of this machine; choose another with --host.');
    expect(code).toBe(3);
  });
});
