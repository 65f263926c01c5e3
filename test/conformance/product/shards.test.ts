import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeShards, runConformance, type RunResult } from '../../../src/conformance/index.js';
import { chooseShard, planRun } from '../../../src/conformance/product/plan-run.js';
import { matchesId } from '../../../src/conformance/scenarios/select-scenarios.js';
import { jsonReport } from '../../../src/report/json.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { makeExchange, makeFinding, makeGap, makeResult, makeScenario } from '../../report/results.js';
import { makeFolder } from '../../support/folder.js';

const { scenarios } = planRun({});

describe.each([2, 3, 7])('%i shards', (of) => {
  const shards = Array.from({ length: of }, (_, index) => chooseShard(scenarios, { index: index + 1, of }));

  test('have every scenario between them', () =>
    expect(new Set(shards.flat().map(({ id }) => id))).toEqual(new Set(scenarios.map(({ id }) => id))));

  test('each have what their scenarios build on, in the order of the run', () => {
    for (const shard of shards) {
      const ids = shard.map(({ id }) => id);
      expect(ids).toEqual(scenarios.filter((each) => shard.includes(each)).map(({ id }) => id));
      for (const pattern of shard.flatMap(({ dependsOn }) => dependsOn))
        expect(ids.filter((id) => matchesId(id, pattern))).not.toEqual([]);
    }
  });

  test('share what they do about evenly, and keep the answers to one question together', () => {
    const sizes = shards.map(({ length }) => length);
    // What others build on runs in every shard.
    expect(Math.max(...sizes)).toBeLessThan(scenarios.length * (1 / of + 0.25));
    for (const gap of new Set(scenarios.flatMap((each) => each.gap ?? []))) {
      expect(shards.filter((shard) => shard.some((each) => each.gap === gap))).toHaveLength(1);
    }
  });
});

test('one shard is the whole', () =>
  expect(chooseShard(scenarios, { index: 1, of: 1 }).map(({ id }) => id)).toEqual(scenarios.map(({ id }) => id)));

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

describe('a run in shards', () => {
  const ONLY = ['pets/lists/*filter*', 'pets/records/get*'];
  let [whole, merged]: RunResult[] = [];

  beforeAll(async () => {
    const server = await startMutationServer({ mutants: ['filter-ignored', 'get-category-missing'] });
    const options = { target: server.url, apiKey: server.apiKey, settleMs: 200, only: ONLY };
    try {
      whole = await runConformance(options);
      const parts: string[] = [];
      for (const index of [1, 2]) {
        parts.push(write(`part-${index}.json`, await runConformance({ ...options, shard: { index, of: 2 } })));
      }
      merged = mergeShards(parts.toReversed());
    } finally {
      await server.close();
    }
  });

  test('is merged into the problems of a whole one', () => {
    expect(whole?.problems.length).toBeGreaterThan(1);
    expect(merged?.problems.map(({ headline }) => headline).sort()).toEqual(
      whole?.problems.map(({ headline }) => headline).sort(),
    );
  });

  test('has every scenario once, with its verdict, the same coverage, and no shard any more', () => {
    const verdicts = (result: RunResult | undefined): string[] =>
      (result?.scenarios ?? []).map(({ id, verdict }) => `${id} ${verdict}`).sort();
    expect(verdicts(merged)).toEqual(verdicts(whole));
    expect(merged?.coverage.missing.map(({ id }) => id)).toEqual(whole?.coverage.missing.map(({ id }) => id));
    expect(merged).not.toHaveProperty('shard');
  });

  test('has the same answers to what the contract leaves open', () => {
    const answers = (result: RunResult | undefined): unknown[] =>
      (result?.gaps ?? []).map(({ id, answer }) => [id, answer]);
    expect(answers(merged)).toEqual(answers(whole));
  });
});

describe('what cannot be merged is refused', () => {
  test.each([
    ['a missing shard', [shard(1)], 'shard 2/2 is missing; name the JSON results of all shards.'],
    [
      'a shard that is there twice',
      [shard(1), shard(2), shard(2)],
      /shard 2\/2 is there 2 times: .*1\.json, .*2\.json/,
    ],
    [
      'another target',
      [shard(1), shard(2, { target: 'http://other.example/v1' })],
      /1\.json belongs to another run than .*0\.json: 2 shards of .* at http:\/\/other\.example\/v1, not /,
    ],
    ['another number of shards', [shard(1), shard(2, { shard: { index: 2, of: 3 } })], /belongs to another run/],
    ['a whole run', [makeResult([])], /is the result of a whole run; merge those of runs with --shard/],
  ])('%s', (_, results, message) => {
    expect(() => mergeShards(results.map((result, at) => write(`${at}.json`, result)))).toThrow(message);
  });

  test('a file that is no result, with what it is', () => {
    const path = join(folder, 'other.json');
    writeFileSync(path, '{"openapi":"3.1.0"}');
    expect(() => mergeShards([path])).toThrow(
      /other\.json:1:1: this is an OpenAPI document, not the JSON report of a run/,
    );
  });

  test('a result that someone changed, with the place', () => {
    const path = write('broken.json', shard(1, { durationMs: 'long' as unknown as number }));
    expect(() => mergeShards([path])).toThrow(/broken\.json:\d+:\d+: `durationMs` must be/);
  });
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
    const gap = (id: string, kind: 'choice' | 'value' | 'observation', answer: string | number | string[]) =>
      makeGap({ id, kind, answer, evidence: `saw ${String(answer)}` });
    const { gaps } = merge(
      {
        gaps: [
          gap('a', 'choice', 'not-observed'),
          gap('b', 'choice', 'yes'),
          gap('c', 'value', 5),
          gap('d', 'observation', ['x']),
        ],
      },
      {
        gaps: [
          gap('a', 'choice', 'yes'),
          gap('b', 'choice', 'no'),
          gap('c', 'value', 9),
          gap('d', 'observation', ['y', 'x']),
        ],
      },
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
    const line = (scenario: string, at: number) => ({
      scenario,
      check: 'status',
      rule: 'status',
      at: 'status',
      reason: 'ticket 12',
      expires: 'never',
      place: { file: 'known.yaml', line: at, column: 1 },
    });
    const baseline = (known: number[], unseen: number[]) => ({
      file: 'known.yaml',
      known: known.map((at) => line('a/1', at)),
      expired: [],
      fixed: [],
      unseen: unseen.map((at) => line('a/1', at)),
    });
    const merged = merge({ baseline: baseline([3], [4]) }, { baseline: baseline([], [3, 4]) });
    expect(merged.baseline).toMatchObject({
      known: [{ place: { line: 3 } }],
      fixed: [{ place: { line: 4 } }],
      unseen: [],
    });
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
