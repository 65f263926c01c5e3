import { beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { JUDGES } from '../support/judges/all.js';
import { runGolden } from './golden-run.js';
import { write as writeAs } from './results.js';

/**
 * A run against a service with a handful of problems, in every format. After a change that is meant:
 * `npx vitest run test/report/golden.test.ts -u`, and read what changed.
 */
const GOLDEN: Readonly<Record<string, string>> = {
  pretty: 'pretty.txt',
  json: 'result.json',
  junit: 'junit.xml',
  html: 'page.html',
  markdown: 'comment.md',
  github: 'annotations.txt',
  sarif: 'log.sarif',
  har: 'traffic.har',
};

let result: RunResult;
beforeAll(async () => {
  result = await runGolden();
});

function write(name: string): string {
  const text = writeAs(name, result);
  // The version of this package comes and goes.
  if (name === 'sarif') return text.replace(/("semanticVersion": )"[^"]*"/, '$1"1.2.3"');
  return name === 'har' ? text.replace(/"version":"\d+\.\d+\.\d+[^"]*"/, '"version":"1.2.3"') : text;
}

test('there is a golden file for each format', () =>
  expect(Object.keys(GOLDEN).toSorted()).toEqual(Object.keys(reportFormats).toSorted()));

test('the run has every verdict, and something that it not covered', () => {
  const { passed, deviated, known, observed, inconclusive, skipped } = result.summary;
  for (const count of [passed, deviated, known, observed, inconclusive, skipped]) expect(count).toBeGreaterThan(0);
  expect(result.coverage.missing.length).toBeGreaterThan(0);
  expect(result.baseline?.fixed).toHaveLength(1);
});

test.each(Object.entries(GOLDEN))('%s is written as before', async (name, file) => {
  await expect(write(name)).toMatchFileSnapshot(`golden/${file}`);
});

test.each(Object.entries(JUDGES))('%s stands before its judge', async (name, judge) => {
  expect(await judge(write(name))).toEqual([]);
});
