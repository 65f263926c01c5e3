import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';

const run = promisify(execFile);
const children: ChildProcess[] = [];
let port = 0;

export const KEY = { authorization: 'Bearer petstore-dev-key' };

beforeEach(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  ({ port } = server.address() as AddressInfo);
  await new Promise((resolve) => server.close(resolve));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = new Promise((resolve) => child.once('close', resolve));
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await gone;
  }
});

/** The pages say 4010; a test needs a port that is free. */
export function onFreePort(text: string): string {
  return text.replaceAll('4010', String(port));
}

/** A URL of the mock that the test has started. */
export function mockUrl(path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

export function environment(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], PETSTORE_MOCK_PORT: String(port), ...added };
}

export interface Started {
  child: ChildProcess;
  printed: () => string;
}

/** Starts a command that does not end, in a group of its own, and collects what it prints. */
export function startCommand(command: string, cwd: string): Started {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  // npm warns here about the settings of this machine.
  child.stderr.resume();
  return { child, printed: () => printed };
}

/** Ends a command that a test started, by a signal; gives its exit code. */
export function endCommand({ child }: Started): Promise<unknown> {
  children.splice(children.indexOf(child), 1);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return exited;
}

export async function untilServed(url = mockUrl('/v1/nothing')): Promise<Response> {
  return vi.waitFor(() => fetch(url, { headers: KEY }), { timeout: 15_000, interval: 50 });
}

export function runShell(command: string, cwd: string, added?: Record<string, string>): Promise<{ stdout: string }> {
  return run('sh', ['-c', command], { cwd, env: environment(added) });
}

export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[\d+m/g, '');
}
