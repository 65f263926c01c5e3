import { inTurn } from '../../scripts/turns.mjs';
import { describe, expect, test } from 'vitest';
import { legal, open, record, summarize } from './ask-server.js';
import { mutants, type MutantId } from './mutants/index.js';
import type { Change } from './server/behaviour.js';
import { startMutationServer } from './server/start-server.js';
import { variants, type VariantId } from './variants/index.js';

describe('every variant', () => {
  test.each(inTurn(Object.keys(variants) as VariantId[], 4))('%s keeps the interface', async (variant) => {
    expect(await summarize(await open(startMutationServer({ variant })))).toEqual(legal);
  });
});

describe('every mutant', () => {
  /** Mutants with the same needs are compared with the same plain transcript. */
  const plain = new Map<Change | undefined, Promise<string[]>>();

  test.each(inTurn(Object.keys(mutants) as MutantId[], 8))('%s shows in the replay', async (id) => {
    const { needs, change } = mutants[id];
    const base = needs === undefined ? [] : [needs];
    const pending = plain.get(needs) ?? record(base);
    plain.set(needs, pending);
    const [expected, actual] = await Promise.all([pending, record([...base, change])]);
    expect(actual.filter((line, index) => line !== expected[index])).not.toEqual([]);
    // The mutant is a difference in answers; a crash of the mutation server would be one too.
    expect(actual).toHaveLength(expected.length);
  });
});
