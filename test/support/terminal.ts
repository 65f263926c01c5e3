import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.js';
import { findFreePort } from './free-port.js';

const run = promisify(execFile);
/** Every test of a worker has it, one after the other. */
const port = await findFreePort();

export const KEY = { authorization: 'Bearer petstore-dev-key' };

/** The pages say 4010; a test needs a port that is free. */
export const onFreePort = (text: string): string => text.replaceAll('4010', String(port));

/** A URL of the mock that the test has started. */
export const mockUrl = (path: string): string => `http://127.0.0.1:${port}${path}`;

export function environment(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], PETSTORE_MOCK_PORT: String(port), ...added };
}

export type Started = { child: ChildProcess; printed: () => string };

/** Starts a command that does not end, in a group of its own, and collects what it prints; ends it after the test. */
export function startCommand(command: string, cwd: string): Started {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    endGroup(child);
    await gone;
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  // npm warns here about the settings of this machine.
  child.stderr.resume();
  return { child, printed: () => printed };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}

/** Ends a command that a test started, by a signal; gives its exit code. */
export function endCommand({ child }: Started): Promise<unknown> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return exited;
}

export const untilServed = (url = mockUrl('/v1/nothing')): Promise<Response> =>
  eventually(() => fetch(url, { headers: KEY }));

export const runShell = (command: string, cwd: string, added?: Record<string, string>): Promise<{ stdout: string }> =>
  run('sh', ['-c', command], { cwd, env: environment(added) });

export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[\d+m/g, '');
}
