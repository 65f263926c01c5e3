import { afterEach, expect, test } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { startWith, type MutationServer } from '../../mutation/server/start-server.js';
import { expectHeadline } from '../resources/support/expect-problem.js';
import { variants } from '../../mutation/variants/index.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function run(changes: readonly Change[], only: string[]): Promise<RunResult> {
  const server = await startWith(changes);
  servers.push(server);
  return runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, only });
}

const listHeadlines = async (changes: readonly Change[], only: string[]): Promise<string[]> =>
  (await run(changes, only)).problems.map(({ headline }) => headline);

const plant = (...ids: MutantId[]): Change[] => ids.map((id) => mutants[id].change);

test.each([
  ['list-id-missing', /^`id` of a record is missing in responses of listPets$/],
  ['create-id-zero', /^One key is given to several records \(pets\)$/],
  ['create-id-as-text', /^`id` of a record is text \("\d+"\), not an integer, in responses of createPet$/],
] as const)('a list that has lost no pet is not said to, whatever its ids: %s', async (mutant, headline) => {
  const only = ['pets/records/create*', 'pets/records/list'];
  expectHeadline(await listHeadlines(plant(mutant), only), headline);
});

test('a choice that looks like a defect is no problem, beside a defect of which an answer has many', async () => {
  const changes = [variants['status-moves-soon'].change, ...plant('list-category-missing')];
  const { problems, notes } = await run(changes, ['pets/records/*', 'pets/sequences/words*']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    '`categoryId` of a record is missing in responses of listPets',
  ]);
  expect(notes).toContainEqual(expect.stringMatching(/^records show another `status` than they were created with/));
});

test('a pet that a smaller page leaves out is not lost, where the largest page is refused', async () => {
  expect(await listHeadlines(plant('limit-above-50-refused'), ['pets/records/*', 'pets/sequences/words*'])).toEqual([
    expect.stringMatching(/^listPets rejects with 400 what the contract allows/),
  ]);
});
