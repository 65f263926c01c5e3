import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { RunResult } from '../../../src/conformance/result.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer, type MutationServer } from '../../mutation/server/start-server.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function run(mutants: MutantId[], only: string[]): Promise<RunResult> {
  const server = await startMutationServer({ mutants });
  servers.push(server);
  return runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, only });
}

function count({ scenarios }: RunResult, prefix: string, verdict: string): number {
  return scenarios.filter((each) => each.id.startsWith(prefix) && each.verdict === verdict).length;
}

test.each(['create-in-envelope', 'create-null', 'create-not-stored'] as const)(
  'a create that was accepted lets refusals be tried, whatever it answered or became of it: %s',
  async (mutant) => {
    const result = await run([mutant], ['create-invalid/shape', 'create-invalid/digits']);
    expect(count(result, 'create-invalid/', 'passed')).toBeGreaterThan(10);
    expect(count(result, 'create-invalid/', 'inconclusive')).toBe(0);
  },
);

test.each(['create-accepts-array-body', 'create-accepts-category-past-int64'] as const)(
  'so that another defect is named beside it: %s',
  async (mutant) => {
    const { problems } = await run(['create-in-envelope', mutant], ['create-invalid/shape', 'create-invalid/digits']);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^createPet accepts /), expect.stringMatching(/are missing/)]),
    );
  },
);

test('a step that failed stops only what takes something from it', async () => {
  const { scenarios } = await run(['get-unknown-500'], ['create/minimal', 'create-invalid/digits']);
  const minimal = scenarios.find(({ id }) => id === 'create/minimal');
  expect(minimal?.steps.map(({ id }) => id)).toEqual(['before', 'not-yet', 'create', 'fetch', 'list']);
});

test('a create that was refused lets nothing be concluded that rests on it', async () => {
  const server = await run(['create-category-int32', 'limit-100-refused'], ['create-invalid/shape']);
  expect(count(server, 'create-invalid/shape', 'deviated')).toBe(0);
});

test.each(['create-null', 'create-in-envelope', 'create-id-missing'] as const)(
  'a pet whose creation does not say which it is, is found by its name, and judged by what was sent: %s',
  async (mutant) => {
    const { problems } = await run([mutant, 'create-category-int32'], ['create/category']);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([expect.stringMatching(/past 2\^31 wrap around/)]),
    );
  },
);

test.each<[MutantId, MutantId, string, RegExp]>([
  // The largest page is refused: a smaller one shows the same.
  ['limit-100-refused', 'list-misses-newest', 'create/minimal', /lacks a pet that exists/],
  ['limit-100-refused', 'space-before-body-refused', 'create/field-order', /^createPet refuses with 400/],
  // A list in another form shows its pets all the same.
  ['list-as-object-by-id', 'get-0-returns-first', 'get/unknown', /^getPet answers another pet/],
  // A redirect to what was created says that it was.
  ['create-303', 'create-category-int32', 'create/category', /past 2\^31 wrap around/],
])('what %s answers is enough for %s to be named', async (mutant, other, only, headline) => {
  const { problems } = await run([mutant, other], [only]);
  expect(problems.map((problem) => problem.headline)).toEqual(
    expect.arrayContaining([expect.stringMatching(headline)]),
  );
});

test('one address whose answers are cut off does not end a run: others are answered whole', async () => {
  const result = await run(['body-without-last-chunk', 'create-id-zero'], ['authentication/listPets', 'create/alike']);
  expect(result.targetLost).toBe(false);
  expect(result.problems.map(({ headline }) => headline)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^listPets gives no whole answer/),
      expect.stringMatching(/^One `id` is given to several pets/),
    ]),
  );
});
