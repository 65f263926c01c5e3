import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { startWith, type MutationServer } from '../../mutation/server/start-server.js';
import { variants } from '../../mutation/variants/index.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function listHeadlines(changes: readonly Change[], only: string[]): Promise<string[]> {
  const server = await startWith(changes);
  servers.push(server);
  const { problems } = await runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, only });
  return problems.map(({ headline }) => headline);
}

const plant = (...ids: MutantId[]): Change[] => ids.map((id) => mutants[id].change);

test.each([['list-id-missing'], ['create-id-zero'], ['create-id-as-text']] as const)(
  'a list that has lost no pet is not said to, whatever its ids: %s',
  async (mutant) => {
    expect(await listHeadlines(plant(mutant), ['create/minimal', 'create/alike', 'create/with-status'])).toEqual([
      expect.stringMatching(/`id`/),
    ]);
  },
);

test('and one that has is said to, with such ids too', async () => {
  const only = ['create/minimal', 'create/with-status'];
  expect(await listHeadlines(plant('list-id-missing', 'list-misses-created'), only)).toEqual([
    'A list that is complete lacks a pet that exists',
    '`id` of a pet is missing in the answers of listPets',
  ]);
});

test('a pet whose id the create gave to another is known by its name', async () => {
  const only = ['create/minimal', 'create/name', 'sequences/all-created'];
  expect(await listHeadlines(plant('create-id-zero', 'emoji-in-name-lost'), only)).toContainEqual(
    expect.stringMatching(/^`name` of a pet changes/),
  );
});

test('a choice that looks like a defect is no problem, beside a defect of which an answer has many', async () => {
  const changes = [variants['status-moves-soon'].change, ...plant('list-category-missing')];
  expect(
    await listHeadlines(changes, ['create/with-status', 'sequences/many-creates', 'sequences/all-created']),
  ).toEqual(['`categoryId` of a pet is missing in the answers of listPets']);
});

test('a pet that a smaller page leaves out is not lost, where the largest page is refused', async () => {
  const changes = [mutants['limit-above-50-refused'].change];
  expect(await listHeadlines(changes, ['list/complete', 'create/*'])).toEqual([
    expect.stringMatching(/^listPets refuses with 400/),
  ]);
});
