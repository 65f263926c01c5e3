import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';

/** The built program; `npm test` builds before it runs the tests. */
export const PROGRAM = fileURLToPath(new URL('../../dist/cli/petstore-mock.js', import.meta.url));

export const KEY = { authorization: 'Bearer petstore-dev-key' };

export interface RunOptions {
  cwd?: string;
  /** Beside PATH and HOME; nothing else of this process' environment is handed on. */
  env?: Record<string, string>;
}

export type Finished = { code: number | null; stdout: string; stderr: string };

/** A program that runs. */
export class Running {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly exited: Promise<Finished>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], { cwd, env = {} }: RunOptions = {}) {
    const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
    this.process = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = new Promise((resolve) =>
      this.process.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr })),
    );
  }

  /** Waits until something shows on an output. Rejects when the program ends before. */
  async until(pattern: RegExp, output: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    const ended = this.exited.then(({ code }) => {
      throw new Error(`the program ended with ${code}: ${this.stdout}${this.stderr}`);
    });
    // It may also end long after this was waited for.
    ended.catch(() => {});
    for (;;) {
      const match = pattern.exec(this[output]);
      if (match !== null) return match;
      await Promise.race([ended, new Promise((resolve) => this.process[output].once('data', resolve))]);
    }
  }

  async stop(): Promise<Finished> {
    this.process.kill('SIGTERM');
    return this.exited;
  }
}

/** Runs the program to its end. */
export const runProgram = (args: readonly string[], options?: RunOptions): Promise<Finished> =>
  new Running(args, options).exited;

/** Starts the program on a free port and waits until it is ready. */
export async function startProgram(
  args: readonly string[] = [],
  options?: RunOptions,
): Promise<Running & { url: string }> {
  const running = new Running(['--port', '0', ...args], options);
  const [, url = ''] = await running.until(/(?:url +|"url":")(http[^\s"]+)/);
  return Object.assign(running, { url });
}
