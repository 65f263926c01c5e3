import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RunResult } from '../../src/conformance/model/result.js';
import { ADDRESS_OF_NOBODY, KEY, closeLater } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import type { MutantId } from '../mutation/mutants/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';

const FILTER = ['--only', 'pets/lists/at-start*', '--settle', '0'];

async function startFaulty(...faults: MutantId[]): Promise<(...args: string[]) => Promise<RunnerEnd>> {
  const server = await startMutationServer({ mutants: faults, apiKey: KEY });
  closeLater(() => server.close());
  return (...args) => runRunner(['--target', server.url, ...FILTER, ...args], { env: { PETSTORE_API_KEY: KEY } });
}

/** A path in a folder of its own. */
function baselinePath(text?: string): string {
  return join(makeFolder(text === undefined ? {} : { 'known.yaml': text }), 'known.yaml');
}

/** A baseline as `--write-baseline` writes it for a target that ignores the filter, changed by hand. */
/** As files of an earlier release have it: a problem for each scenario that shows it. */
const KNOWN = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/conformance-baseline.schema.json
#
# Known deviations. They do not fail a run until the day after "expires" (a day in
# UTC, or never). Say in "reason" why each is accepted.
known:
  # GET /pets?status=available: expected "available", found "pending" at body/0/status
  - scenarios:
      - pets/lists/at-start[status-available]
      - pets/lists/at-start[status-pending]
      - pets/lists/at-start[status-sold]
    operation: listPets
    check: records
    rule: filter
    at: body/*/status
    reason: not reviewed yet
    expires: 2999-12-31
`;

function writeKnown(change: (text: string) => string = (text) => text): string {
  const path = baselinePath();
  writeFileSync(path, change(KNOWN));
  return path;
}

describe('--write-baseline', () => {
  test('writes what deviates, with which the next run does not fail', async () => {
    const path = baselinePath();
    const run = await startFaulty('filter-ignored');
    const first = await run('--write-baseline', path);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('0 known deviations kept, 1 added')]);
    expect(parse(readFileSync(path, 'utf8'))).toEqual({
      known: [
        {
          problem: 'The filter by `status` of listPets returns records that do not match',
          scenarios: ['pets/lists/at-start[status-available]'],
          shows: [{ operation: 'listPets', check: 'records', rule: 'filter', at: 'body/*/status' }],
          reason: expect.stringMatching(/^not reviewed yet; written on \d{4}-\d\d-\d\d$/),
          expires: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      ],
    });
    const second = await run('--baseline', path);
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('1 passed · 0 deviated · 3 known')]);
  });

  test('keeps what people wrote, and adds and removes what has changed', async () => {
    const path = writeKnown((text) =>
      text
        .replace(/reason: .*/, 'reason: ticket 12 # Ann knows more')
        .replace(/expires: .*/, 'expires: never')
        .replace('      - pets/lists/at-start[status-sold]\n', ''),
    );
    const run = await startFaulty('filter-ignored');
    expect((await run('--write-baseline', path)).stderr).toContain('2 known deviations kept, 1 added, 0 removed');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('reason: ticket 12 # Ann knows more\n    expires: never\n');
    const { known } = parse(text) as { known: { scenarios: string[]; reason: string }[] };
    expect(known.map(({ scenarios }) => scenarios.length)).toEqual([2, 1]);
    const sound = await startFaulty();
    expect((await sound('--write-baseline', path)).stderr).toContain('0 known deviations kept, 0 added, 3 removed');
    expect((await sound('--baseline', path)).code).toBe(0);
  });

  test('keeps what the run said nothing of', async () => {
    const path = writeKnown();
    const run = await startFaulty('filter-ignored');
    const { stderr } = await run('--only', 'pets/lists/at-start[status-sold]', '--write-baseline', path);
    expect(stderr).toContain('3 known deviations kept, 0 added, 0 removed');
  });

  test('leaves an expiry that has passed to people', async () => {
    const path = writeKnown((text) => text.replace(/expires: .*/, 'expires: 2020-02-02'));
    const run = await startFaulty('filter-ignored');
    expect((await run('--write-baseline', path)).code).toBe(1);
    expect(readFileSync(path, 'utf8')).toContain('expires: 2020-02-02');
  });

  test('writes nothing of a run that lost its target, and refuses two files', async () => {
    const path = baselinePath();
    const end = await runRunner(['--target', ADDRESS_OF_NOBODY, '--api-key', 'x', '--write-baseline', path]);
    expect([end.code, existsSync(path)]).toEqual([3, false]);
    const run = await startFaulty();
    const two = await run('--baseline', writeKnown(), '--write-baseline', path);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('name different files')]);
  });
});

describe('--baseline', () => {
  test('a fault that is not in it still fails the run, and only that is told as one', async () => {
    const path = writeKnown((text) => text.replace('      - pets/lists/at-start[status-sold]\n', ''));
    const run = await startFaulty('filter-ignored');
    const { code, stdout } = await run('--baseline', path);
    expect(code).toBe(1);
    expect(stdout).toContain("--again 'pets/lists/at-start[status-sold]'");
    expect(stdout).not.toContain("--again 'pets/lists/at-start[status-pending]'");
    expect(stdout).toMatch(/1 problem · 1 of \d+ scenarios deviate · \d+ passed · 2 known/);
  });

  test('another fault in a scenario that is known is a deviation', async () => {
    const path = writeKnown((text) => text.replace('rule: filter', 'rule: other'));
    const run = await startFaulty('filter-ignored');
    const { code, stdout } = await run('--baseline', path);
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 problem · 3 of 4 scenarios deviate')]);
  });

  test('what has expired fails the run, which says so with the line', async () => {
    const path = writeKnown((text) => text.replace(/expires: .*/, 'expires: 2020-02-02'));
    const run = await startFaulty('filter-ignored');
    const { code, stdout } = await run('--baseline', path, '--quiet');
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 problem · 3 of 4 scenarios deviate')]);
    expect(stdout).toMatch(/✗ \S+known\.yaml:8:9 {2}expired on 2020-02-02, but still deviates/);
  });

  test('what is fixed fails the run until its line is removed', async () => {
    const path = writeKnown();
    const sound = await startFaulty();
    const { code, stdout } = await sound('--baseline', path, '--quiet');
    expect([code, stdout]).toEqual([1, expect.stringContaining('4 passed · 0 deviated')]);
    expect(stdout).toMatch(
      /✗ \S+known\.yaml:10:9 {2}no longer deviates; remove \S+ from the entry known\.yaml:\d+-\d+: pets\/lists\/at-start\[status-sold\]/,
    );
    writeFileSync(path, 'known: []\n');
    expect((await sound('--baseline', path)).code).toBe(0);
  });

  test('what was not run is not called fixed', async () => {
    const path = writeKnown();
    const sound = await startFaulty();
    const { code, stdout } = await sound(
      '--baseline',
      path,
      '--skip',
      '*[status-sold]',
      '--skip',
      '*[status-pending]',
      '--report',
      'json',
    );
    const { baseline } = JSON.parse(stdout) as RunResult;
    expect(code).toBe(1);
    expect(baseline?.fixed.map(({ scenario }) => scenario)).toEqual(['pets/lists/at-start[status-available]']);
    expect(baseline?.unseen).toHaveLength(2);
  });

  test('what a run concluded nothing of is not called fixed', async () => {
    const path = writeKnown((text) =>
      ['later-listed', 'listed-again', 'words-listed'].reduce(
        (known, id) => known.replace(/lists\/at-start\[[^\]]*\]/, `sequences/${id}`),
        text,
      ),
    );
    const server = await startMutationServer({ apiKey: KEY });
    closeLater(() => server.close());
    const args = [
      '--target',
      server.url,
      '--only',
      'pets/sequences/later-listed',
      '--max-creates',
      '0',
      '--baseline',
      path,
    ];
    const { stdout } = await runRunner([...args, '--report', 'json'], { env: { PETSTORE_API_KEY: KEY } });
    const { baseline, summary } = JSON.parse(stdout) as RunResult;
    // Nor of what it depends on.
    expect(summary.inconclusive).toBe(3);
    expect([baseline?.fixed, baseline?.unseen.length]).toEqual([[], 3]);
  });

  test('--bail passes over what is known', async () => {
    const path = writeKnown();
    const run = await startFaulty('filter-ignored');
    const { stdout } = await run('--baseline', path, '--bail', '--concurrency', '1');
    expect(stdout).toContain('3 known');
  });
});
