import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer } from '../../mutation/server/start-server.js';

test.each([
  [
    'body-with-trailing-comma',
    'default-limit-none',
    'pets/lists/default-limit',
    /^listPets returns more records than its limit/,
  ],
  [
    'body-gzip-unlabelled',
    'default-limit-none',
    'pets/lists/default-limit',
    /^listPets returns more records than its limit/,
  ],
  [
    'body-after-guard',
    'list-status-upper-case',
    'pets/lists/default-limit',
    /^`status` of a record is text \("AVAILABLE"\)/,
  ],
  [
    'body-with-trailing-comma',
    'created-sold-fetched-available',
    'pets/records/*',
    /^`status` is not as it was sent in responses of getPet/,
  ],
] as const)(
  'what is wrong with an answer besides that it is no JSON is told as well: %s, %s',
  async (...[form, mutant, only, headline]) => {
    const mutants: MutantId[] = [form, mutant];
    const server = await startMutationServer({ mutants });
    const { problems } = await runConformance({
      target: server.url,
      apiKey: server.apiKey,
      settleMs: 0,
      only: [only],
    }).finally(() => server.close());
    expect(problems).toHaveLength(2);
    expect(problems.filter((problem) => headline.test(problem.headline))).toHaveLength(1);
    expect(problems.filter((problem) => problem.headline.includes('not JSON'))).toHaveLength(1);
  },
);
