import { existsSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import type { DrawnRequest } from './draw-request.js';
import type { Received } from './judge.js';

/** A program under test: where it listens, and its process. */
export interface FuzzedProgram {
  /** Without a path. */
  port: number;
  pid: number;
  /** Why the program has ended; `undefined` while it runs. */
  ended(): string | undefined;
}

/** By when an answer counts as never coming, however busy the machine is. */
const NEVER_MS = 100_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** The answer; or in words, why none came. */
export function ask(
  port: number,
  { method, path, headers, body }: Pick<DrawnRequest, 'method' | 'path' | 'headers'> & { body?: string },
): Promise<Received | string> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', agent, method, path: `/v1${path}`, headers: { ...headers, ...length } };
    const sent = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', ({ message }) => resolve(message));
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.setTimeout(NEVER_MS, () => sent.destroy(new Error('no answer came')));
    sent.on('error', ({ message }) => resolve(message)).end(body);
  });
}

/** What a process has used of the processor so far, in ticks of the system: the same however busy the machine is. */
export function readTicks(pid: number): number {
  const text = readProcess(pid, 'stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Empty for a process that has ended. */
function readProcess(pid: number, what: string): string {
  const file = `/proc/${pid}/${what}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** What a process holds of the machine's memory, in MiB. */
export const readMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readProcess(pid, 'status'))?.[1] ?? 0) / 1024;

const CALIBRATION = `[${'"words",'.repeat(120_000)}"last"]`;

/** What a body of about 1 MB costs that is only read, in ticks: what everything else is compared with. */
export async function measureReading({ port, pid }: FuzzedProgram): Promise<number> {
  const before = readTicks(pid);
  const headers = { 'content-type': 'application/json' };
  const ROUNDS = 4;
  for (let round = 0; round < ROUNDS; round++) {
    await ask(port, { method: 'POST', path: '/anything', headers, body: CALIBRATION });
  }
  return Math.max(1, (readTicks(pid) - before) / ROUNDS);
}
