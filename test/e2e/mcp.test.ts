import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { caller } from '../mcp/support/connect-client.js';
import { eventually } from '../support/eventually.js';

const PROGRAM = packageFile('dist/cli/petstore-mock.js');

type Ended = { code: number; stdout: string; stderr: string };

async function run(...args: string[]): Promise<Ended> {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [PROGRAM, ...args])) };
  } catch (error) {
    return error as Ended;
  }
}

async function startClient(args: string[] = [], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const command = { command: process.execPath, args: [PROGRAM, 'mcp', ...args], env, cwd: packageFile('') };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  return client;
}

test('the help of mcp says what its flags allow, and that of the program names it', async () => {
  const { stdout } = await run('mcp', '--help');
  expect(stdout).toMatch(/--allow-target <url>[\s\S]*--allow-creates[\s\S]*--key-env <name>/);
  expect((await run('--help')).stdout).toContain('petstore-mock mcp');
});

test.each([
  [['mcp', '--allow-target', 'staging'], '--allow-target must be a URL such as https://staging.example'],
  [['mcp', '--allow-tagret', 'x'], 'mcp: unknown option'],
  [['mcp', '--key-env', 'sk-0123456789'], '--key-env must be the name of an environment variable.'],
  [['--port', '0', 'mcp'], 'did you mean mcp as the first word?'],
])('%j ends with 2 and says why', async (args, message) => {
  const { code, stderr, stdout } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('sk-0123456789');
});

test('the program serves its tools, takes keys from its environment, and ends with its client', async () => {
  const client = await startClient(['--key-env', 'STAGING_KEY'], { STAGING_KEY: 'petstore-dev-key' });
  const call = caller(client);
  const { data } = await call('mock', { do: 'start' });
  const result = await call('conformance', { keyFrom: 'STAGING_KEY', only: ['pets/lists/at-start*'] });
  expect(result.data).toMatchObject({ run: 'run-1', verdicts: { passed: 4 } });
  await client.close();
  await eventually(async () => expect(await isListening(data['url'])).toBe(false));
});

async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test.each([
  ['its input ends', (child: ChildProcess) => child.stdin?.end()],
  ['it is told to stop', (child: ChildProcess) => child.kill('SIGTERM')],
])('it ends with 0 when %s, with its mocks, and has written nothing but messages', async (_, end) => {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1.0.0' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'mock', arguments: { do: 'start' } } });
  await eventually(() => expect(written).toContain('"id":2'));
  const ended = once(child, 'exit');
  end(child);
  expect(await ended).toEqual([0, null]);
  for (const line of written.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test('a start without mcp loads nothing of it', async () => {
  const trace = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, NODE_DEBUG: 'esm' };
    return (await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env, maxBuffer: 1e8 })).stderr;
  };
  const [usual, mcp] = [await trace('--check'), await trace('mcp', '--help')];
  expect(usual).toContain('dist/cli/petstore-mock.js');
  expect(usual).not.toContain('dist/mcp/sdk.js');
  expect(mcp).toContain('dist/mcp/sdk.js');
});
