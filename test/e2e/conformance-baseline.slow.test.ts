import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { KEY, closeLater } from '../conformance/support/ask.js';
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

describe('--write-baseline', () => {
  test('writes what deviates, with which the next run does not fail', async () => {
    const path = join(makeFolder(), 'known.yaml');
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
});

describe('--baseline', () => {
  test('--bail passes over what is known', async () => {
    const path = join(makeFolder(), 'known.yaml');
    const run = await startFaulty('filter-ignored');
    await run('--write-baseline', path);
    expect((await run('--baseline', path, '--bail', '--concurrency', '1')).stdout).toContain('3 known');
  });
});
