import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { startPinboard } from '../conformance/engine/created/pinboard.js';
import { ADDRESS_OF_NOBODY, ask, closeLater, KEY, start } from '../conformance/support/ask.js';
import { RunnerProgram, runRunner } from '../conformance/support/runner-program.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { eventually } from '../support/eventually.js';
import { makeFolder } from '../support/folder.js';

/** A target that drops its first connections, as one does that still starts. */
async function startLate(dropped: number): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  })
    .on('connection', (socket) => void (++connections <= dropped && socket.destroy()))
    .listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closeLater(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, connections: () => connections };
}

describe('waiting and ending', () => {
  test('--wait-for-target waits until it is there', async () => {
    const target = await startLate(3);
    const { code } = await ask(target.url, '--wait-for-target', '200', '--only', 'pets/lists/at-start[status-sold]');
    expect([code, target.connections() > 3]).toEqual([0, true]);
  });

  test('--wait-for-target gives up, and says how long it waited', async () => {
    const { code, stderr } = await ask(ADDRESS_OF_NOBODY, '--wait-for-target', '0.5');
    expect([code, stderr]).toEqual([3, expect.stringContaining('nothing listens there, after waiting 0.5 s.')]);
  });

  test('an interruption ends with a report of what was done, and 130', async () => {
    let answered = 0;
    const hanging = new Promise<undefined>(() => {});
    const { url } = await start(() => ({ intercept: () => (answered++ < 8 ? undefined : hanging) }));
    // Longer than this test may take: the response that hangs is not waited for.
    const asked = ['--report', 'json', '--only', 'pets/lists/*', '--concurrency', '1', '--timeout', '86400'];
    const runner = new RunnerProgram(['--target', url, '--api-key', KEY, ...asked]);
    await eventually(() => expect(answered).toBe(9));
    runner.process.kill('SIGINT');
    const { code, stdout } = await runner.ended;
    expect(code).toBe(130);
    const { interrupted, summary } = JSON.parse(stdout) as RunResult;
    expect({ interrupted, deviated: summary.deviated }).toEqual({ interrupted: true, deviated: 0 });
    expect(summary.passed).toBeGreaterThan(0);
    expect(summary.inconclusive).toBeGreaterThan(0);
  });

  test('a second interruption, while a run tidies up, costs no report', async () => {
    let removals = 0;
    const { url, spec } = await startPinboard({
      // Nothing that is to be removed is ever answered.
      first: ({ method }) => method === 'DELETE' && (removals += 1) > 0,
    });
    const folder = makeFolder();
    // This one removes its records itself.
    const asked = [
      '--only',
      'pins/records/*',
      '--skip',
      '*/equal-listed*',
      '--report',
      'json,junit',
      '--report-dir',
      folder,
    ];
    const runner = new RunnerProgram(['--target', url, '--spec', spec, '--api-key', KEY, ...asked]);
    await eventually(() => expect(removals).toBe(1));
    // It is written before anything is removed.
    const { summary } = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as RunResult;
    expect(summary.passed).toBeGreaterThan(3);
    runner.process.kill('SIGINT');
    runner.process.kill('SIGTERM');
    expect((await runner.ended).code).toBe(130);
    const { leftBehind } = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as RunResult;
    const left = { many: 'pins', count: expect.any(Number), why: 'since the run has not cleaned up' };
    expect(leftBehind).toMatchObject([left]);
  });

  test('an interruption while the target is waited for ends with 130 too', async () => {
    const target = await startLate(Infinity);
    const runner = new RunnerProgram(['--target', target.url, '--api-key', KEY, '--wait-for-target', '86400']);
    // Once it has tried, it listens to signals.
    await eventually(() => expect(target.connections()).toBeGreaterThan(1));
    runner.process.kill('SIGINT');
    const { code, stderr } = await runner.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')]);
  });
});

/** As much of a HAR as is looked at. */
interface HarLog {
  version: string;
  entries: { request: { headers: object[] }; response: { content: { text: string } } }[];
}

describe('what was mistyped is told with what to do, without a stack trace', () => {
  test('no key, on this machine where the target does not take the default one of the mock', async () => {
    const server = await startMutationServer();
    closeLater(() => server.close());
    const here = await runRunner(['--target', server.url]);
    const told = expect.stringMatching(/there is no API key; .* default key is rejected/);
    expect([here.code, here.stderr]).toEqual([2, told]);
  });
});

describe('the key', () => {
  test('a header field that is called like a secret and says nothing takes nothing else out', async () => {
    const { url } = await start();
    const { stdout } = await ask(url, '--header', 'X-Auth-Mode: 1', '--report', 'har', '--only', 'pets/lists/at-start');
    const { log } = JSON.parse(stdout) as { log: HarLog };
    const [entry] = log.entries;
    expect(log.version).toBe('1.2');
    expect(entry?.request.headers).toContainEqual({ name: 'X-Auth-Mode', value: '[redacted]' });
    expect(entry?.response.content.text).toMatch(/"categoryId":1\b/);
  });
});

test('--help is one screen, --help all names every option, and --version the version', async () => {
  const short = await runRunner(['--help']);
  expect(short).toMatchObject({ code: 0, stderr: '' });
  expect(short.stdout.split('\n').length).toBeLessThanOrEqual(40);
  for (const word of ['init', 'gaps', 'diff', 'merge', '--target', '--spec', '--help all', 'Examples:'])
    expect(short.stdout).toContain(word);
  const help = await runRunner(['--help', 'all']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const flag of ['--target', '--api-key-file', '--max-creates', '--again', '--report-dir', '--ca', '--settle'])
    expect(help.stdout).toContain(flag);
  expect((await runRunner(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
