import { describe, expect, test } from 'vitest';
import { chooseShard, planRun } from '../../../../src/conformance/product/plan-run.js';
import { matchesId } from '../../../../src/conformance/scenarios/select-scenarios.js';

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
