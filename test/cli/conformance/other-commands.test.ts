import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDiffCommand, readMergeCommand } from '../../../src/cli/conformance/other-commands.js';
import { refuseUnreadBaseline } from '../../../src/cli/conformance/run-outputs.js';
import { PrintAndExit } from '../../../src/cli/options/command-line.js';
import { makeResult } from '../../report/results.js';
import { makeFolder } from '../../support/folder.js';

test.each([
  [[], false],
  [['--report=pretty', '--report=json'], true],
])('diff a.yaml b.yaml %j is for programs: %j', (flags, asJson) => {
  expect(readDiffCommand(['a.yaml', 'b.yaml', ...flags])).toEqual({ before: 'a.yaml', now: 'b.yaml', asJson });
});

test('diff --report rejects what is no format, as any option does', () => {
  const read = (report: string) => () => readDiffCommand(['a.yaml', 'b.yaml', '--report', report]);
  expect(read('jsno')).toThrow('--report takes pretty or json, not jsno; did you mean json?');
  expect(read('')).toThrow('--report takes pretty or json, not an empty text.');
});

test.each([
  ['diff', () => readDiffCommand(['--help']), /--report <format> +pretty or json \(default: pretty\)/],
  ['merge', () => readMergeCommand(['--help'], {}), /what --report json wrote for each --shard/],
])('the help of %s says what it reads', (_, read, text) => {
  expect(read).toThrow(PrintAndExit);
  expect(read).toThrow(expect.objectContaining({ text: expect.stringMatching(text) }));
});

test('merge takes the results, and the options that concern a result', () => {
  const flags = ['--report', 'pretty,html', '--report-dir', 'all', '--min-coverage', '90', '--fail-on', 'inconclusive'];
  expect(readMergeCommand(['1.json', '2.json', ...flags], {})).toMatchObject({
    paths: ['1.json', '2.json'],
    reports: ['pretty', 'html'],
    reportDir: 'all',
    minCoverage: 90,
    minConcluded: 90,
    failOn: 'inconclusive',
  });
});

test('under GitHub Actions it writes what a run would', () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary.md' };
  expect(readMergeCommand(['1.json'], env)).toMatchObject({ reports: ['pretty', 'github'], jobSummary: 'summary.md' });
});

test.each([
  [[], "merge: missing required argument 'results'; give the JSON reports of all shards."],
  [['1.json', '--target', 'staging'], "merge: unknown option '--target'; give the JSON reports of all shards."],
  [['1.json', '--min-coverage', '101'], '--min-coverage takes a percentage up to 100, not 101.'],
])('merge %j is rejected', (argv, message) => expect(() => readMergeCommand(argv, {})).toThrow(message));

test('known deviations that no shard has read are not written over', () => {
  const written = join(makeFolder(), 'known.yaml');
  const settings = readMergeCommand(['1.json', '--write-baseline', written], {});
  expect(() => refuseUnreadBaseline(makeResult([]), settings)).not.toThrow();
  writeFileSync(written, 'known: []\n');
  expect(() => refuseUnreadBaseline(makeResult([]), settings)).toThrow(
    `${written} exists, but no shard has read it; give it to each shard with --baseline.`,
  );
  const baseline = { file: written, known: [], expired: [], fixed: [], unseen: [] };
  expect(() => refuseUnreadBaseline(makeResult([], { baseline }), settings)).not.toThrow();
});
