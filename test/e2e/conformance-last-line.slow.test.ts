import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, closeLater, KEY, start } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { runRunner, type RunnerEnd } from '../conformance/support/runner-program.js';
import { startMutationServer } from '../mutation/server/start-server.js';

const FILTER = ['--only', 'pets/lists/filter-alone*', '--settle', '0'];

/** As somebody sees it who reads the end of a log, where both streams are one. */
function readLastLine({ stdout, stderr }: RunnerEnd): string {
  return (stderr === '' ? stdout : stderr).trimEnd().split('\n').at(-1) ?? '';
}

test('an entry of a baseline that is removed as the report says leaves a file that can be read, and written', async () => {
  const path = join(makeFolder(), 'known.yaml');
  const faulty = await startMutationServer({ mutants: ['filter-ignored'], apiKey: KEY });
  closeLater(() => faulty.close());
  await ask(faulty.url, ...FILTER, '--write-baseline', path);
  const { url } = await start();
  const outdated = await ask(url, ...FILTER, '--baseline', path);
  expect([outdated.code, readLastLine(outdated)]).toEqual([
    1,
    expect.stringMatching(/the baseline is outdated: 1 known deviation is fixed, the first at \S+known\.yaml:\d+/),
  ]);
  const [, first, last] = /; remove the entry known\.yaml:(\d+)-(\d+): /.exec(outdated.stdout) ?? [];
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.toSpliced(Number(first) - 1, Number(last) - Number(first) + 1).join('\n'));
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1)).toMatch(/^known:|^ +#/);
  expect(await ask(url, ...FILTER, '--baseline', path)).toMatchObject({ code: 0 });
  expect(await ask(faulty.url, ...FILTER, '--baseline', path)).toMatchObject({ code: 1 });

  writeFileSync(path, 'known:\n');
  expect(await ask(url, ...FILTER, '--baseline', path)).toMatchObject({ code: 0 });
  expect(await ask(faulty.url, ...FILTER, '--write-baseline', path)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('0 known deviations kept, 1 added, 0 removed'),
  });
});

test.each([
  ['for programs alone', ['--report', 'json']],
  ['into files', ['--report', 'json', '--report-dir', '.']],
  ['of a shard', ['--report', 'json', '--shard', '1/2']],
])('a report %s leaves one line for whoever waits', async (_, args) => {
  const { url } = await start();
  const env = { PETSTORE_API_KEY: KEY };
  const end = await runRunner(['--target', url, ...FILTER, ...args], { env, cwd: makeFolder() });
  expect(end.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^petstore-conformance: no problem in/)]);
});

test('a target that is not there, or another one, is told before a key is asked for', async () => {
  // Away from this machine no key is tried; these names lead nowhere.
  const gone = await runRunner(['--target', 'http://nobody.invalid/v1']);
  expect([gone.code, readLastLine(gone)]).toEqual([3, expect.stringMatching(/nobody\.invalid\/v1 cannot be tested/)]);
  // 0.0.0.0 is this machine by a name that the program does not take for it.
  const { url } = await start();
  const there = await runRunner(['--target', url.replace('127.0.0.1', '0.0.0.0')]);
  expect([there.code, readLastLine(there)]).toEqual([2, expect.stringMatching(/there is no API key; set/)]);
  const wrong = await runRunner(['--target', url.replace('127.0.0.1', '0.0.0.0').replace('/v1', '/v7')]);
  expect([wrong.code, readLastLine(wrong)]).toEqual([2, expect.stringMatching(/is not the base URL of the API/)]);
});
