import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The built program; `npm test` builds before it runs the tests. */
export const RUNNER = fileURLToPath(new URL('../../../dist/cli/petstore-conformance.js', import.meta.url));

export type RunnerEnd = { code: number | null; stdout: string; stderr: string };

export interface RunnerOptions {
  /** Beside PATH; nothing else of this process' environment is handed on. */
  env?: Record<string, string>;
  /** Default: the repository, which has no config file. */
  cwd?: string;
}

/** The program while it runs. */
export class RunnerProgram {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<RunnerEnd>;

  constructor(args: readonly string[], { env = {}, cwd }: RunnerOptions = {}) {
    this.process = spawn(process.execPath, [RUNNER, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    this.ended = new Promise((resolve) => this.process.on('close', (code) => resolve({ code, stdout, stderr })));
  }
}

/** Runs the program to its end. */
export const runRunner = (args: readonly string[], options?: RunnerOptions): Promise<RunnerEnd> =>
  new RunnerProgram(args, options).ended;
