import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planRun } from '../../src/conformance/product/plan-run.js';
import { readConformanceSettings } from '../../src/cli/conformance/settings.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import { ADDRESS_OF_NOBODY, ask, askForResult, closeLater, OWN_SCENARIO, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import type { Exchange } from '../mutation/server/behaviour.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { startProgram } from '../support/run-program.js';

describe('against the mock as it is started by default, with nothing but its address', () => {
  let end: RunnerEnd;
  let result: RunResult;

  beforeAll(async () => {
    const mock = await startProgram();
    const folder = makeFolder();
    const reports = ['--report', 'pretty,json', '--report-dir', folder];
    // How long a response may take is the machine's affair.
    end = await runRunner(['--target', mock.url, '--timeout', '200', '--min-coverage', '100', ...reports]);
    await mock.stop();
    result = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as RunResult;
  });

  test('nothing deviates, everything is exercised, and nothing is inconclusive', () => {
    const { summary, scenarios } = result;
    expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
    expect(summary.deviated).toBe(0);
    expect(summary.passed).toBeGreaterThan(180);
    expect(summary.created).toBeLessThanOrEqual(90);
    expect(end.code).toBe(0);
  });

  test('a run without a problem is read at a glance', () => {
    const { code, stdout, stderr } = end;
    // What a busy machine adds is no part of it.
    const all = (stdout + stderr).trimEnd().split('\n');
    const lines = all.filter((line) => !/this machine was too busy|^\d+ s: /.test(line));
    expect([code, lines.length <= 6, lines]).toEqual([0, true, lines]);
    expect(lines[0]).toMatch(/^no problem in \d+ scenarios of Petstore .* at http/);
    expect(stdout).toContain("! no API key was given, so the mock's documented default key was used");
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^no problem in \d+ scenarios · \d+ passed · 0 deviated/);
  });
});

describe('the exit code', () => {
  test('is 0 when nothing deviates', async () => {
    const { url } = await start();
    expect(await ask(url, '--only', 'pets/lists/*')).toMatchObject({ code: 0 });
  });

  test('is 1 when something deviates, and the report says what and where', async () => {
    const server = await startMutationServer({ mutants: ['filter-ignored'] });
    closeLater(() => server.close());
    const { code, stdout } = await ask(server.url, '--only', 'pets/lists/filter-alone');
    expect(code).toBe(1);
    expect(stdout).toContain("--again 'pets/lists/filter-alone[status-available]'");
    expect(stdout).toMatch(/contract {3}spec\/petstore\.openapi\.yaml:\d+ {2}- name: status · in: query/);
    expect(stdout).toContain(`curl -H "Authorization: Bearer $PETSTORE_API_KEY"`);
  });

  test('is 1 with --min-coverage when less was exercised, and the report names what was not', async () => {
    const { url } = await start();
    const selection = ['--only', 'pets/lists/at-start'];
    expect((await ask(url, ...selection, '--min-coverage', '5')).code).toBe(0);
    const { code, stdout } = await ask(url, ...selection, '--min-coverage', '90', '--verbose');
    expect(code).toBe(1);
    expect(stdout).toContain('createPet answers 201');
  });

  test('is 1 with --fail-on inconclusive when something is', async () => {
    const { url } = await start();
    const selection = ['--max-creates', '0', '--only', 'pets/lists/at-start', '--only', 'pets/records/create'];
    expect((await ask(url, ...selection, '--min-concluded', '75')).code).toBe(0);
    expect((await ask(url, ...selection, '--min-concluded', '75', '--fail-on', 'inconclusive')).code).toBe(1);
  });

  test('is 2 when nothing was concluded, and one is told', async () => {
    const { url } = await start(() => ({ seed: () => [] }));
    const { code, stderr } = await ask(url, '--read-only', '--only', 'pets/lists/default-limit');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nothing was concluded') });
  });

  test('is 2 for a key that the target refuses on every operation', async () => {
    const { url, log } = await start();
    const { code, stderr, stdout } = await ask(url, '--api-key', 'Another-Key-1234');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('rejects the credentials for every operation that was tried; give valid ones');
    expect(stderr).not.toContain('Another-Key');
    expect(log.length).toBe(2);
  });

  test('is 3 for a target that is not there', async () => {
    const { code, stderr } = await ask(ADDRESS_OF_NOBODY);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `petstore-conformance: ${ADDRESS_OF_NOBODY} cannot be tested: nothing listens there.\n`,
    });
  });

  test('is 3 for a host that nobody knows', async () => {
    const { code, stderr } = await ask('http://petstore.invalid/v1');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('host name') });
  });
});

describe('what is sent', () => {
  test('--read-only sends no POST', async () => {
    const { url, log } = await start();
    const { code } = await ask(url, '--read-only');
    expect(code).toBe(0);
    expect(log.length).toBeGreaterThan(80);
    expect(new Set(log.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
  });

  test.each(['0', '1', '3', '7'])('--max-creates %s is kept to', async (most) => {
    const log: Exchange[] = [];
    const { url } = await start((base) => ({
      createPet: (pet, exchange) => {
        log.push(exchange);
        return base.createPet(pet, exchange);
      },
    }));
    const { result } = await askForResult(url, '--max-creates', most, '--only', 'pets/records/*', '--concurrency', '8');
    expect(log.length).toBe(Number(most));
    expect(result.summary.created).toBe(Number(most));
    expect(result.scenarios.find(({ verdict }) => verdict === 'inconclusive')?.reason).toMatch(
      /--max-creates|pets\/records\/create/,
    );
  });

  test.each(['--list', '--dry-run'])('%s sends nothing, and needs neither target nor key', async (flag) => {
    const { code, stdout, stderr } = await runRunner([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('pets/records/create');
    const { url, log } = await start();
    expect((await ask(url, flag)).code).toBe(0);
    expect(log).toEqual([]);
  });

  test('--header is in every request', async () => {
    const { url, log } = await start();
    await ask(url, '--header', 'X-Trace: 7', '--only', 'pets/lists/at-start');
    expect(log.every(({ headers }) => headers['x-trace'] === '7')).toBe(true);
  });

  test('--rate keeps requests apart', async () => {
    const { url } = await start();
    const started = performance.now();
    const { result } = await askForResult(
      url,
      '--rate',
      '20',
      '--only',
      'pets/lists/at-start[status-pending]',
      '--only',
      'pets/lists/at-start[status-sold]',
    );
    expect(performance.now() - started).toBeGreaterThanOrEqual(((result.summary.requests - 1) * 1000) / 20);
  });
});

describe('the selection', () => {
  /** What `--list` would list. */
  function list(...args: string[]): string[] {
    const { options } = readConformanceSettings(['--list', ...args], {}, '1.0.0');
    return planRun(options).scenarios.map(({ id }) => id);
  }

  test('--only takes an id, a table and a glob', () => {
    expect(list('--only', 'pets/lists/at-start[status-sold]')).toEqual(['pets/lists/at-start[status-sold]']);
    expect(list('--only', 'pets/lists/at-start')).toHaveLength(3);
    expect(list('--only', 'pets/*/at-st*[*]')).toHaveLength(3);
  });

  test('--only runs what a scenario depends on', () => {
    expect(list('--only', 'pets/records/get')).toEqual(['pets/records/create', 'pets/records/get']);
  });

  test('--again runs one with what it depends on', async () => {
    const { url } = await start();
    const { result } = await askForResult(url, '--again', 'pets/records/get');
    expect(result.scenarios.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['pets/records/create', 'passed'],
      ['pets/records/get', 'passed'],
    ]);
  });

  test('--skip leaves out', () => {
    const ids = list('--skip', 'pets/refusals/*', '--skip', 'pets/lists/at-start');
    expect(ids.filter((id) => id.startsWith('pets/refusals/') || id.startsWith('pets/lists/at-start['))).toEqual([]);
    expect(ids).toContain('pets/lists/limit[1]');
  });

  test('--scenarios adds scenarios, which may build on those that ship', async () => {
    const { url } = await start();
    const { result } = await askForResult(
      url,
      '--scenarios',
      makeFolder({ 'mine.yaml': OWN_SCENARIO }),
      '--only',
      'mine/*',
    );
    expect(result.scenarios.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['mine/own', 'passed'],
      ['pets/records/create', 'passed'],
    ]);
  });

  test('--bail stops at the first deviation', async () => {
    const server = await startMutationServer({ mutants: ['list-id-as-text'] });
    closeLater(() => server.close());
    const { code, result } = await askForResult(
      server.url,
      '--bail',
      '--only',
      'pets/lists/at-start',
      '--concurrency',
      '1',
    );
    expect(code).toBe(1);
    expect(result.summary).toMatchObject({ deviated: 1, skipped: 2 });
  });
});
