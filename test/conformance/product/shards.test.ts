import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeShards, runConformance, type RunResult } from '../../../src/conformance/index.js';
import type { GapResult } from '../../../src/conformance/model/result.js';
import { chooseShard, planRun } from '../../../src/conformance/product/plan-run.js';
import { matchesId } from '../../../src/conformance/scenarios/check-scenario.js';
import { jsonReport } from '../../../src/report/json.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { makeExchange, makeFinding, makeGap, makeResult, makeScenario } from '../../report/results.js';
import { makeFile, makeFolder } from '../../support/folder.js';

const all = planRun({}).scenarios;

describe.each([2, 3, 7])('%i shards', (of) => {
  const shards = Array.from({ length: of }, (_, index) => chooseShard(all, { index: index + 1, of }));

  test('have every scenario between them', () =>
    expect(new Set(shards.flat().map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id))));

  test('each have what their scenarios build on, in the order of the run', () => {
    for (const shard of shards) {
      const ids = shard.map(({ id }) => id);
      expect(ids).toEqual(all.filter((each) => shard.includes(each)).map(({ id }) => id));
      for (const pattern of shard.flatMap(({ dependsOn }) => dependsOn))
        expect(ids.filter((id) => matchesId(id, pattern))).not.toEqual([]);
    }
  });

  test('share what they do about evenly, and keep the answers to one question together', () => {
    const sizes = shards.map(({ length }) => length);
    // What others build on runs in every shard.
    expect(Math.max(...sizes)).toBeLessThan(all.length * (1 / of + 0.25));
    for (const gap of new Set(all.flatMap((each) => each.gap ?? []))) {
      expect(shards.filter((shard) => shard.some((each) => each.gap === gap))).toHaveLength(1);
    }
  });
});

test('one shard is the whole', () =>
  expect(chooseShard(all, { index: 1, of: 1 }).map(({ id }) => id)).toEqual(all.map(({ id }) => id)));

test('more shards than there is to share are refused', () => {
  const [first] = planRun({ only: ['pets/records/create'] }).scenarios;
  expect(first).toBeDefined();
  expect(() => planRun({ only: ['pets/records/create'], shard: { index: 1, of: 9 } })).toThrow(
    '--shard: the selected scenarios can be shared by at most 1 job, not 9.',
  );
});

const folder = makeFolder();

/** Writes a result as a run does. */
function write(name: string, result: RunResult): string {
  const path = join(folder, name);
  writeFileSync(path, jsonReport.write(result, { color: false, quiet: false }));
  return path;
}

const shard = (index: number, more: Partial<RunResult> = {}): RunResult =>
  makeResult([makeScenario(`a/${index}`, 'passed')], { shard: { index, of: 2 }, ...more });

test('a run in shards is merged into a whole one: its problems, verdicts, coverage and answers to gaps', async () => {
  const server = await startMutationServer({ mutants: ['filter-ignored', 'get-category-missing'] });
  const only = ['pets/lists/*filter*', 'pets/records/get*'];
  const options = { target: server.url, apiKey: server.apiKey, settleMs: 200, only };
  const whole = await runConformance(options);
  const parts: string[] = [];
  for (const index of [1, 2])
    parts.push(write(`part-${index}.json`, await runConformance({ ...options, shard: { index, of: 2 } })));
  await server.close();
  const merged = mergeShards(parts.toReversed());
  const show = ({ problems, scenarios, coverage, gaps }: RunResult): unknown => ({
    problems: problems.map(({ headline }) => headline).toSorted(),
    verdicts: scenarios.map(({ id, verdict }) => `${id} ${verdict}`).toSorted(),
    missing: coverage.missing.map(({ id }) => id),
    gaps: gaps.map(({ id, answer }) => [id, answer]),
  });
  expect(whole.problems.length).toBeGreaterThan(1);
  expect(show(merged)).toEqual(show(whole));
  expect(merged).not.toHaveProperty('shard');
});

const OTHER = 'http://other.example/v1';

test.each([
  ['a missing shard', [shard(1)], 'shard 2/2 is missing; name the JSON results of all shards.'],
  ['one that is there twice', [shard(1), shard(2), shard(2)], /shard 2\/2 is there 2 times: .*1\.json, .*2\.json/],
  [
    'another target',
    [shard(1), shard(2, { target: OTHER })],
    /1\.json belongs to another run than .*0\.json: 2 shards of .* at http:\/\/other\.example\/v1, not /,
  ],
  ['another number of shards', [shard(1), shard(2, { shard: { index: 2, of: 3 } })], /belongs to another run/],
  ['a whole run', [makeResult([])], /is the result of a whole run; merge those of runs with --shard/],
  [
    'a result that someone changed, with the place',
    [shard(1, { durationMs: 'long' as unknown as number })],
    /0\.json:\d+:\d+: `durationMs` must be/,
  ],
])('what cannot be merged is refused: %s', (_, results, message) => {
  expect(() => mergeShards(results.map((result, at) => write(`${at}.json`, result)))).toThrow(message);
});

test('what is no result is refused with what it is', () => {
  const path = makeFile('other.json', '{"openapi":"3.1.0"}');
  expect(() => mergeShards([path])).toThrow(
    /other\.json:1:1: this is an OpenAPI document, not the JSON report of a run/,
  );
});

describe('of what two shards saw', () => {
  const merge = (...parts: Partial<RunResult>[]): RunResult =>
    mergeShards(parts.map((part, at) => write(`${at}.json`, shard(at + 1, part))));

  test('a deviation outweighs a pass in what both ran', () => {
    const deviates = makeScenario('a/both', 'deviated', {
      steps: [{ id: 'get', exchanges: [makeExchange({ findings: [makeFinding()] })] }],
    });
    const { summary, problems } = merge({ scenarios: [makeScenario('a/both', 'passed')] }, { scenarios: [deviates] });
    expect(summary).toMatchObject({ deviated: 1, passed: 0, problems: 1 });
    expect(problems).toHaveLength(1);
  });

  test('an answer outweighs none, two that differ are both told, and the larger value holds', () => {
    const gapsOf = (
      ...seen: [id: string, kind: GapResult['kind'], answer: GapResult['answer']][]
    ): Partial<RunResult> => ({
      gaps: seen.map(([id, kind, answer]) => makeGap({ id, kind, answer, evidence: `saw ${String(answer)}` })),
    });
    const { gaps } = merge(
      gapsOf(['a', 'choice', 'not-observed'], ['b', 'choice', 'yes'], ['c', 'value', 5], ['d', 'observation', ['x']]),
      gapsOf(['a', 'choice', 'yes'], ['b', 'choice', 'no'], ['c', 'value', 9], ['d', 'observation', ['y', 'x']]),
    );
    expect(gaps.map(({ answer, evidence }) => [answer, evidence])).toEqual([
      ['yes', 'saw yes'],
      ['other', 'yes: saw yes; no: saw no'],
      [9, 'saw 5; saw 9'],
      [['x', 'y'], 'saw x; saw y,x'],
    ]);
  });

  test('only what neither exercised is missing, and each counts its own requests', () => {
    const missing = (...ids: string[]) =>
      ids.map((id) => ({ id, kind: 'status' as const, contract: { file: 'a.yaml', line: 1, pointer: '/paths' } }));
    const part = (ids: string[]): Partial<RunResult> => ({
      coverage: { total: 9, covered: 9 - ids.length, missing: missing(...ids) },
      summary: { ...makeResult([]).summary, requests: 10, created: 2 },
    });
    const { coverage, summary } = merge(part(['one', 'both']), part(['both', 'two']));
    expect(coverage).toMatchObject({ total: 9, covered: 8, missing: [{ id: 'both' }] });
    expect(summary).toMatchObject({ requests: 20, created: 4 });
  });

  test('a known deviation is fixed only if no shard shows it and its scenario passed', () => {
    const about = {
      scenario: 'a/1',
      check: 'status',
      rule: 'status',
      at: 'status',
      reason: 'ticket 12',
      expires: 'never',
    };
    const lines = (...at: number[]) =>
      at.map((line) => Object.assign({}, about, { place: { file: 'known.yaml', line, column: 1 } }));
    const baseline = (known: number[], unseen: number[]): Partial<RunResult> => ({
      baseline: { file: 'known.yaml', known: lines(...known), expired: [], fixed: [], unseen: lines(...unseen) },
    });
    const merged = merge(baseline([3], [4]), baseline([], [3, 4]));
    expect(merged.baseline).toMatchObject({ known: lines(3), fixed: lines(4), unseen: [] });
  });

  test('a change since a profile counts, a note only if both have it', () => {
    const drift = (changes: string[], notes: string[]) => ({
      profile: { file: 'staging.yaml' },
      changes: changes.map((id) => ({ id, before: 'yes', now: 'no' })),
      notes: notes.map((id) => ({ id, before: 'yes', now: 'not-observed' })),
    });
    const merged = merge({ drift: drift(['a'], ['b', 'c']) }, { drift: drift([], ['a', 'c']) });
    expect(merged.drift).toMatchObject({ changes: [{ id: 'a' }], notes: [{ id: 'c' }] });
  });
});
