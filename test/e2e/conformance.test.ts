import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planRun } from '../../src/conformance/product/plan-run.js';
import { readConformanceSettings } from '../../src/cli/conformance/settings.js';
import type { RunResult } from '../../src/conformance/model/result.js';
import { ADDRESS_OF_NOBODY, ask, askForResult, closeLater, OWN_SCENARIO, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
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
    expect(summary.created).toBeLessThanOrEqual(91);
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
  test('is 1 when something deviates, and the report says what and where', async () => {
    const server = await startMutationServer({ mutants: ['filter-ignored'] });
    closeLater(() => server.close());
    const { code, stdout } = await ask(server.url, '--only', 'pets/lists/filter-alone', '--settle', '0');
    expect(code).toBe(1);
    expect(stdout).toContain("--again 'pets/lists/filter-alone[status-available]'");
    expect(stdout).toMatch(/contract {3}spec\/petstore\.openapi\.yaml:\d+ {2}- name: status · in: query/);
    expect(stdout).toContain(`curl -H "Authorization: Bearer $PETSTORE_API_KEY"`);
  });

  test('is 1 with --min-coverage when less was exercised, and the report names what was not', async () => {
    const { url } = await start();
    const { code, stdout } = await ask(url, '--only', 'pets/lists/at-start', '--min-coverage', '90', '--verbose');
    expect(code).toBe(1);
    expect(stdout).toContain('createPet answers 201');
  });

  test('is 1 with --fail-on inconclusive when something is, such as what --max-creates 0 forbids', async () => {
    const { url, log } = await start();
    const selection = ['--only', 'pets/lists/at-start', '--only', 'pets/records/create', '--min-concluded', '75'];
    const { code, stdout } = await ask(url, '--max-creates', '0', ...selection, '--fail-on', 'inconclusive');
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 scenario is inconclusive|--fail-on inconclusive/);
    expect(log.filter(({ method }) => method === 'POST')).toEqual([]);
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
    const stderr = `petstore-conformance: ${ADDRESS_OF_NOBODY} cannot be tested: nothing listens there.\n`;
    expect(await ask(ADDRESS_OF_NOBODY)).toMatchObject({ code: 3, stderr });
  });
});

describe('what is sent', () => {
  test('--read-only sends no POST', async () => {
    const { url, log } = await start();
    expect((await ask(url, '--read-only')).code).toBe(0);
    expect(log.length).toBeGreaterThan(80);
    expect(new Set(log.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
  });

  test('--max-creates is kept to', async () => {
    const { url, log } = await start();
    const asked = ['--max-creates', '3', '--only', 'pets/records/*', '--concurrency', '8', '--settle', '0'];
    const { result } = await askForResult(url, ...asked);
    expect(log.filter(({ operation }) => operation === 'createPet')).toHaveLength(3);
    expect(result.summary.created).toBe(3);
    const { reason } = result.scenarios.find(({ verdict }) => verdict === 'inconclusive') ?? {};
    expect(reason).toMatch(/--max-creates|pets\/records\/create/);
  });

  test('--list and --dry-run send nothing, with a target and a key or without', async () => {
    const { url, log } = await start();
    const [listed, planned] = [await runRunner(['--list']), await ask(url, '--dry-run')];
    expect([listed.code, planned.code, listed.stderr, planned.stderr]).toEqual([0, 0, '', '']);
    for (const { stdout } of [listed, planned]) expect(stdout).toContain('pets/records/create');
    expect(log).toEqual([]);
  });

  test('--again runs one with what it depends on, --header is in every request, and --rate keeps them apart', async () => {
    const { url, log } = await start();
    const started = performance.now();
    const again = ['--again', 'pets/records/get', '--header', 'X-Trace: 7', '--rate', '50', '--settle', '0'];
    const { result } = await askForResult(url, ...again);
    expect(performance.now() - started).toBeGreaterThanOrEqual(((result.summary.requests - 1) * 1000) / 50);
    expect(log.every(({ headers }) => headers['x-trace'] === '7')).toBe(true);
    const told = result.scenarios.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(told).toEqual(['pets/records/create passed', 'pets/records/get passed']);
  });
});

describe('the selection', () => {
  /** What `--list` would list. */
  function list(...args: string[]): string[] {
    return planRun(readConformanceSettings(['--list', ...args], {}, '1.0.0').options).scenarios.map(({ id }) => id);
  }

  test('--only takes an id, a table and a glob', () => {
    expect(list('--only', 'pets/lists/at-start[status-sold]')).toEqual(['pets/lists/at-start[status-sold]']);
    expect(list('--only', 'pets/lists/at-start')).toHaveLength(3);
    expect(list('--only', 'pets/*/at-st*[*]')).toHaveLength(3);
  });

  test('--only runs what a scenario depends on', () =>
    expect(list('--only', 'pets/records/get')).toEqual(['pets/records/create', 'pets/records/get']));

  test('--skip leaves out', () => {
    const ids = list('--skip', 'pets/refusals/*', '--skip', 'pets/lists/at-start');
    expect(ids.filter((id) => id.startsWith('pets/refusals/') || id.startsWith('pets/lists/at-start['))).toEqual([]);
    expect(ids).toContain('pets/lists/limit[1]');
  });

  test('--scenarios adds scenarios, which may build on those that ship', async () => {
    const { url } = await start();
    const own = ['--scenarios', makeFolder({ 'mine.yaml': OWN_SCENARIO }), '--only', 'mine/*', '--settle', '0'];
    const { result } = await askForResult(url, ...own);
    const told = result.scenarios.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(told).toEqual(['mine/own passed', 'pets/records/create passed']);
  });

  test('--bail stops at the first deviation', async () => {
    const server = await startMutationServer({ mutants: ['list-id-as-text'] });
    closeLater(() => server.close());
    const asked = ['--bail', '--only', 'pets/lists/at-start', '--concurrency', '1', '--settle', '0'];
    const { code, result } = await askForResult(server.url, ...asked);
    expect(code).toBe(1);
    expect(result.summary).toMatchObject({ deviated: 1, skipped: 2 });
  });
});
