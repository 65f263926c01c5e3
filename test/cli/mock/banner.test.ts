import { expect, test } from 'vitest';
import { formatBanner } from '../../../src/cli/mock/banner.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { setUp, type SetUp } from '../../../src/server/set-up.js';

const URL = 'http://127.0.0.1:4010/v1';
const shipped = setUp();

interface Given {
  args?: string[];
  made?: Partial<SetUp>;
  exposed?: string[];
  width?: number | undefined;
}

async function print({ args = [], made = {}, exposed = [], width }: Given = {}): Promise<string[]> {
  const settings = await readSettings(args, {}, '1.2.3');
  const facts = { version: '1.2.3', setUp: { ...shipped, ...made }, settings, url: URL, exposed, admin: 'off', width };
  return formatBanner(facts).split('\n');
}

/** The rows with a name, without it. */
async function rows(name: string, given?: Given): Promise<string[]> {
  const lines = (await print(given)).filter((line) => line.startsWith(`  ${name.padEnd(6)}  `));
  return lines.map((line) => line.slice(10));
}

test('the usual start names every default in one title', async () => {
  const [title] = await print();
  expect(title).toBe('petstore-mock 1.2.3 · Petstore 1.0.0 · 50 pets (pack default, seed 1) · profile default');
});

test('a title that is too wide for the terminal takes a line for each part', async () => {
  expect((await print({ width: 20 })).slice(0, 4)).toEqual([
    'petstore-mock 1.2.3',
    'Petstore 1.0.0',
    '50 pets (pack default, seed 1)',
    'profile default',
  ]);
});

test('every operation has a row in which the columns stand below each other', async () => {
  expect(await rows('GET')).toEqual([
    '/pets          listPets',
    '/pets/{petId}  getPet     deprecated, removed on 2030-12-05',
  ]);
  expect(await rows('POST')).toEqual(['/pets          createPet']);
});

test('what keeps state is told from what does not, as soon as there is a difference', async () => {
  expect(await rows('GET', { made: { stateless: ['getPet'] } })).toEqual([
    '/pets          listPets   keeps state',
    '/pets/{petId}  getPet     from the contract, deprecated, removed on 2030-12-05',
  ]);
});

test('the rows of a contract with thousands of operations take no more work for each', async () => {
  const [first] = shipped.contract.operations;
  let reads = 0;
  const operations = Array.from({ length: 500 }, (_, index) => ({
    ...first,
    get path() {
      reads += 1;
      return `/pets${index}`;
    },
  })) as unknown as SetUp['contract']['operations'];
  const made = { contract: { ...shipped.contract, operations }, stateless: ['getPet'] };
  expect(await rows('GET', { made })).toHaveLength(500);
  expect(reads).toBeLessThan(500 * 10);
});

test('the address, a command to try, and where other machines reach it', async () => {
  expect(await rows('url')).toEqual([URL]);
  expect((await rows('try'))[0]).toContain(`${URL}/pets`);
  expect(await rows('open', { exposed: ['http://10.0.0.2:4010/v1'] })).toEqual([
    'http://10.0.0.2:4010/v1  open to every machine that can reach this one',
  ]);
});

test('what makes this mock different from another is told, and nothing else', async () => {
  expect(await rows('with')).toEqual([]);
  const args = ['--delay', '100-300', '--max-pets', '60', '--now', '2031-01-01', '--no-cors'];
  expect(await rows('with', { args })).toEqual([
    'each request delayed by 100 to 300 ms',
    'room for 60 pets',
    'the date 2031-01-01',
    'no CORS: pages of other origins are blocked',
  ]);
});

test('choices that are not the default are listed, and only some of many', async () => {
  expect(await rows('gaps')).toEqual([]);
  const changed = shipped.gaps.filter(({ kind }) => kind === 'choice').slice(0, 6);
  const choices = Object.fromEntries(changed.map(({ id }) => [id, 'something-else']));
  const [row] = await rows('gaps', { made: { profile: { ...shipped.profile, choices } } });
  expect(row).toMatch(/^(?:[\w-]+: something-else(?:, | and )){4}2 more$/);
});

test('what a profile leaves open is told', async () => {
  const profile = { ...shipped.profile, unknown: ['a', 'b'] };
  expect(await rows('gaps', { made: { profile } })).toEqual([
    'left at the default, since the profile does not say: a, b',
  ]);
});

test('the default key is shown; a key of the user’s is not', async () => {
  expect((await print()).join('\n')).toContain('petstore-dev-key');
  expect((await print({ args: ['--api-key', 'My-Own-Key-123'] })).join('\n')).not.toContain('My-Own-Key');
});

test('a contract cannot steer the terminal', async () => {
  expect((await print({ made: { notes: ['\u001B[2Jnothing to see'] } })).join('\n')).not.toContain('\u001B');
});
