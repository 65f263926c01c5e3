import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { runRunner } from '../conformance/support/runner-program.js';
import { startMutationServer } from '../mutation/server/start-server.js';

const ONLY = ['--only', 'pets/lists/*filter*', '--only', 'pets/lists/at-start'];

test('two jobs that share a run find what one finds, and merge says so', async () => {
  const server = await startMutationServer({ mutants: ['filter-sold-ignored'] });
  const folder = makeFolder({});
  const env = { PETSTORE_API_KEY: server.apiKey };
  const run = (...more: string[]) =>
    runRunner(['--target', server.url, '--settle', '0.2', ...ONLY, ...more], { cwd: folder, env });
  try {
    const whole = await run('--report', 'json', '--report-dir', 'whole');
    const parts = await Promise.all(
      [1, 2].map((index) => run('--shard', `${index}/2`, '--report', 'pretty,json', '--report-dir', `part${index}`)),
    );
    expect([whole.code, parts.map(({ code }) => code).includes(1)]).toEqual([1, true]);
    expect(parts[0]?.stdout).toContain('shard 1 of 2');

    const merged = await runRunner(
      ['merge', 'part2/conformance.json', 'part1/conformance.json', '--report', 'pretty,json', '--report-dir', 'all'],
      { cwd: folder },
    );
    expect(merged).toMatchObject({ code: 1, stderr: expect.stringContaining('wrote ') });
    const read = (name: string): string[] => {
      const { problems } = JSON.parse(readFileSync(join(folder, name, 'conformance.json'), 'utf8')) as {
        problems: { headline: string }[];
      };
      return problems.map(({ headline }) => headline);
    };
    expect(read('all')).toEqual(read('whole'));
    expect(merged.stdout.split('\n')[0]).toMatch(/^1 problem in /);
  } finally {
    await server.close();
  }
});

test('merge without all parts judges nothing', async () => {
  const server = await startMutationServer({ mutants: [] });
  const folder = makeFolder({});
  try {
    const args = ['--target', server.url, ...ONLY, '--shard', '1/2', '--report', 'json', '--report-dir', 'part1'];
    await runRunner(args, { cwd: folder, env: { PETSTORE_API_KEY: server.apiKey } });
    const merged = await runRunner(['merge', 'part1/conformance.json'], { cwd: folder });
    expect(merged).toMatchObject({ code: 2, stdout: '' });
    expect(merged.stderr).toContain('shard 2/2 is missing; name the JSON results of all shards.');
  } finally {
    await server.close();
  }
});
