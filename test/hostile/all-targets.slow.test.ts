import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { RUNNER } from '../conformance/support/runner-program.js';
import { hostileKinds, startHostileTarget } from './start-hostile-target.js';

const KEY = 'Hostile-Target-Key-1';
/** What a run is given, and what a busy machine may take for five of them at a time before one counts as without an end. */
const MAX_TIME_S = 6;
const MAX_REAL_MS = 180_000;
const MAX_MEMORY_KB = 300 * 1024;
/**
 * What a run may hold at once. Without a bound, the peak says how much garbage the engine leaves lying on a machine with
 * memory to spare: between 290 and 380 MB for the same target.
 */
const MAX_HELD_MB = 128;

/** The peak of the process alone: what `getrusage` says begins with that of the process that started it. */
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.PEAK_FILE, /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));
`)}`;

type End = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string; peakKb: number };

/** Runs the built program against a target; ends it hard when it has no end. */
function runAgainst(url: string): Promise<End> {
  const peakFile = join(mkdtempSync(join(tmpdir(), 'petstore-peak-')), 'peak');
  const args = ['--max-time', String(MAX_TIME_S), '--timeout', '1', '--settle', '0', '--report', 'json'];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MAX_HELD_MB}`, '--import', TELL_PEAK, RUNNER, '--target', url, ...args],
    {
      env: { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY, PEAK_FILE: peakFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const tooLong = setTimeout(() => child.kill('SIGKILL'), MAX_REAL_MS);
  const outputs = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (outputs[name] += text));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(tooLong);
      resolve({
        code,
        signal,
        ...outputs,
        peakKb: signal === null ? Number(readFileSync(peakFile, 'utf8')) : Infinity,
      });
    });
  });
}

/** A run that could ask has a report; one that could not says why in one line. */
function describeReport({ code, stdout, stderr }: End): string {
  const reasons = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('petstore-conformance: '));
  if (stdout === '') return (code === 3 || code === 2) && reasons.length === 1 ? 'says why' : `nothing: ${stderr}`;
  const { summary, scenarios } = JSON.parse(stdout) as RunResult;
  const counted = summary.passed + summary.deviated + summary.known + summary.observed;
  return counted + summary.inconclusive + summary.skipped === scenarios.length ? 'has a report' : 'does not add up';
}

describe.concurrent('every hostile target there is', () => {
  test.each(hostileKinds)('%s: the run ends, says what it came to, and takes no more than 300 MB', async (kind) => {
    const target = await startHostileTarget(kind);
    try {
      const end = await runAgainst(target.url);
      expect(end.signal).toBeNull();
      expect([1, 2, 3]).toContain(end.code);
      expect(['has a report', 'says why']).toContain(describeReport(end));
      expect(end.stderr).not.toMatch(/^\s+at |this is a bug of/m);
      expect(end.stdout + end.stderr).not.toContain(KEY);
      expect(target.leakedAuthorization).toBe(false);
      expect(end.peakKb).toBeLessThanOrEqual(MAX_MEMORY_KB);
    } finally {
      await target.close();
    }
  });
});
