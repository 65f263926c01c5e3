import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import { startMutationServer } from '../mutation/server/start-server.js';

/** Runs the built program on a service that ignores its filter, as a step of GitHub Actions would. */
async function runStep(env: Record<string, string>, ...args: string[]): Promise<RunnerEnd & { summary: string }> {
  const server = await startMutationServer({ mutants: ['filter-ignored'] });
  const folder = makeFolder({ 'summary.md': 'of an earlier step\n' });
  const file = join(folder, 'summary.md');
  try {
    const end = await runRunner(
      ['--target', server.url, '--only', 'pets/lists/filter-alone*', '--settle', '0', ...args],
      { env: { PETSTORE_API_KEY: server.apiKey, GITHUB_STEP_SUMMARY: file, ...env } },
    );
    return { ...end, summary: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

test('under GitHub Actions the annotations follow the pretty report, and the summary is appended', async () => {
  const { code, stdout, summary } = await runStep({ GITHUB_ACTIONS: 'true' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^1 problem in /);
  // The log shows their messages as well, so those are folded.
  expect(stdout).toMatch(
    / requests in [\d.]+ s\n::group::The annotations\n::error file=spec\/petstore\.openapi\.yaml,line=\d+,title=(?:.*\n::.*)*\n::endgroup::\n$/,
  );
  expect(stdout.match(/^✗ The filter by `status`/gm)).toHaveLength(1);
  expect(stdout.match(/^1 problem /gm)).toHaveLength(2);
  expect(summary).toMatch(/^of an earlier step\n### petstore-conformance: \d+ problems?\n/);
});

test('elsewhere, and with a --report of its own, there are none', async () => {
  const runs = [await runStep({}), await runStep({ GITHUB_ACTIONS: 'true' }, '--report', 'pretty')];
  for (const { stdout, summary } of runs) {
    expect(stdout).not.toMatch(/^::/m);
    expect(summary).toBe('of an earlier step\n');
  }
});

test('alone, --report github names each problem above its annotation, and folds nothing', async () => {
  const { stdout } = await runStep({}, '--report', 'github');
  expect(stdout).toMatch(/^1 problem in .*\n✗ The filter by `status` .*\n::error /);
  expect(stdout).not.toContain('::group::');
});
