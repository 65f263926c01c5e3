import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { makeFolder } from '../support/folder.js';
import { connectClient, type Called } from './support/connect-client.js';
import { countTokens } from './support/count-tokens.js';
import { mend } from './support/mend.js';

const SOUND = readFileSync(packageFile('examples/pet-shop/src/api.ts'), 'utf8');
const LUNA = { name: 'Luna', categoryId: 1, status: 'available' };

type Shop = { listPets: (filter: object) => Promise<unknown[]>; addPet: (pet: object) => Promise<{ id: number }> };

/** Lists and adds a pet with the shop's own code, as its page does. */
async function useShop(source: string, { url, key }: { url: string; key: string }): Promise<void> {
  const file = join(makeFolder(), 'api.mjs');
  writeFileSync(file, transformSync('api.ts', source).code);
  const { createApi } = (await import(pathToFileURL(file).href)) as { createApi: (options: object) => Shop };
  const shop = createApi({ baseUrl: url, key, retries: 0 });
  await shop.listPets({ status: 'sold' }).catch(() => {});
  await shop.addPet({ ...LUNA }).catch(() => {});
}

const SENDS = 'body: JSON.stringify(pet)';

test.each([
  ['asks for more than a page has', 'LARGEST_PAGE = 100', 'LARGEST_PAGE = 500'],
  [
    'sends a field by a name of its own',
    SENDS,
    'body: JSON.stringify({ name: pet.name, category: pet.categoryId, status: pet.status })',
  ],
  ['sends a status that there is not', SENDS, "body: JSON.stringify({ ...pet, status: 'new' })"],
])('a pet shop that %s is mended with the tools alone, in eight calls and 6,000 tokens', async (_, sound, planted) => {
  const { call } = await connectClient();
  const answers: Called[] = [];
  const counted = async (...given: Parameters<typeof call>): Promise<Called> => {
    const answer = await call(...given);
    answers.push(answer);
    return answer;
  };
  const broken = SOUND.replace(sound, planted);
  expect(broken).not.toBe(SOUND);
  expect(await mend(broken, { call: counted, run: useShop })).not.toBe(broken);
  expect(answers.length).toBeLessThanOrEqual(8);
  const tokens = answers.map(({ text, data }) => countTokens(text) + countTokens(JSON.stringify(data)));
  expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThan(6000);
});
