import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatBanner } from '../../../src/cli/mock/banner.js';
import { checkFiles } from '../../../src/cli/mock/describe.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { setUp, type SetUp } from '../../../src/server/set-up.js';
import { content, inPath } from '../../support/open-paths.js';
import { makeFolder } from '../../support/folder.js';

const URL = 'http://127.0.0.1:4010/v1';
const shipped = setUp();

interface Given {
  args?: string[];
  made?: Partial<SetUp>;
  exposed?: string[];
  width?: number | undefined;
  followed?: string[];
}

async function print({ args = [], made = {}, exposed = [], width, followed }: Given = {}): Promise<string[]> {
  const settings = await readSettings(args, {}, '1.2.3');
  const given = { setUp: { ...shipped, ...made }, settings, exposed, width, followed };
  const facts = { version: '1.2.3', url: URL, admin: 'off', ...given };
  return formatBanner(facts).split('\n');
}

/** The rows with a name, without it. */
async function rows(name: string, given?: Given): Promise<string[]> {
  return (await print(given)).filter((line) => line.startsWith(`  ${name.padEnd(6)}  `)).map((line) => line.slice(10));
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
    '/pets          listPets   stateful',
    '/pets/{petId}  getPet     from the contract, deprecated, removed on 2030-12-05',
  ]);
});

/** What a contract of so many resources makes of a start: each has a list and a create, and every third is below another. */
function setUpMany(many: number): SetUp {
  const record = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const paths = Array.from({ length: many }, (_, index) => {
    const isInside = index % 3 === 2;
    const path = isInside ? `/things${index - 1}/{parent}/parts${index}` : `/things${index}`;
    const parameters = isInside ? [inPath('parent')] : [];
    const list = { get: { responses: { 200: content({ type: 'array', items: record }) } } };
    const one = {
      get: { responses: { 200: content(record) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    };
    return [
      [path, { parameters, ...list }],
      [`${path}/{id}`, { parameters: [...parameters, inPath('id')], ...one }],
    ] as const;
  });
  const spec = join(makeFolder(), 'many.json');
  const all = {
    ...Object.fromEntries(paths.flat()),
    '/health': { get: { responses: { 204: { description: 'Well.' } } } },
  };
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Many', version: '1' }, paths: all }));
  return setUp({ spec, prism: false });
}

test('a contract whose operations do not fit on a screen shows its resources, and where all of them are', async () => {
  const made = setUpMany(40);
  expect((await print({ made })).length).toBeLessThanOrEqual(24);
  expect(await rows('keeps', { made })).toHaveLength(12);
  expect((await rows('keeps', { made }))[0]).toMatch(/^things0 {3}\d+ records {2}GET DELETE {2}\/things0$/);
  expect(await rows('', { made })).toEqual(['and 28 resources more, which --check lists']);
  expect(await rows('all', { made })).toEqual([
    '121 operations, 1 stateless, generated from the contract: see http://127.0.0.1:4010/ in a browser',
  ]);
  expect(await rows('GET', { made })).toEqual([]);
});

test('records below others are counted for each, and a contract that fits keeps its table', async () => {
  const inside = (await rows('keeps', { made: setUpMany(6) })).at(-1);
  expect(inside).toMatch(/^parts5 +\d+ in each +GET DELETE {2}\/things4\/\{parent\}\/parts5$/);
  const five = setUpMany(5);
  expect(await rows('keeps', { made: five })).toEqual([]);
  expect([...(await rows('GET', { made: five })), ...(await rows('DELETE', { made: five }))]).toHaveLength(16);
});

test('thousands of operations take no more work for each', async () => {
  const [first] = shipped.contract.operations;
  let reads = 0;
  const operations = Array.from({ length: 500 }, (_, index) => ({
    ...first,
    get path() {
      reads += 1;
      return `/pets${index}`;
    },
  })) as unknown as SetUp['contract']['operations'];
  // What the build knows of the shipped contract's resources names operations that are not there now.
  const { resources: _, ...document } = shipped.contract.document;
  await print({ made: { contract: { ...shipped.contract, document, operations }, stateless: ['getPet'] } });
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
  expect(await rows('gaps', { made: { profile } })).toEqual(['default choice, since the profile does not say: a, b']);
});

test('the default key is shown; a key of the user’s is not', async () => {
  expect((await print()).join('\n')).toContain('petstore-dev-key');
  expect((await print({ args: ['--api-key', 'My-Own-Key-123'] })).join('\n')).not.toContain('My-Own-Key');
});

test('a contract cannot steer the terminal', async () =>
  expect((await print({ made: { notes: ['\u001B[2Jnothing to see'] } })).join('\n')).not.toContain('\u001B'));

test('what --watch follows is named, and so is that it follows nothing', async () => {
  expect(await rows('watch')).toEqual([]);
  expect(await rows('watch', { followed: ['api.yaml', 'models.yaml'] })).toEqual(['api.yaml, models.yaml']);
  expect(await rows('watch', { followed: ['1', '2', '3', '4', '5', '6'] })).toEqual(['1, 2, 3, 4 and 2 more']);
  expect(await rows('watch', { followed: [] })).toEqual(['no file was given: nothing can change']);
});

test('the records that a pack has are counted, a collection without any as none, and what is generated besides', async () => {
  const folder = makeFolder();
  const spec = join(folder, 'shop.json');
  const item = { $ref: '#/components/schemas/Thing' };
  const respond = (schema: Record<string, unknown>): object => ({
    responses: { 200: { description: 'Found.', ...content(schema) } },
  });
  const path = (name: string): Record<string, object> => ({
    [`/${name}`]: { get: respond({ type: 'array', items: item }) },
    [`/${name}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: respond(item),
    },
  });
  const Thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, note: { type: 'string' } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: { ...path('products'), ...path('orders') },
    components: { schemas: { Thing } },
  };
  writeFileSync(spec, JSON.stringify(document));
  const count = async (pack: string): Promise<string | undefined> => {
    const fixtures = join(folder, 'pack.yaml');
    writeFileSync(fixtures, pack);
    const [title] = await print({ made: setUp({ spec, fixtures }) });
    const { text } = checkFiles(await readSettings(['--spec', spec, '--fixtures', fixtures], {}, '1.2.3'));
    const [counted] = /\d+ collections, \d+ records?/.exec(title ?? '') ?? [];
    expect(text).toContain(String(counted));
    return counted;
  };
  expect(await count('records: { products: [{ id: 1 }, { id: 2 }], orders: [] }')).toBe('2 collections, 2 records');
  expect(await count('records: { products: [{ id: 1 }] }')).toBe('2 collections, 51 records');
  expect(await count('records: { products: [], orders: [{ id: 7 }] }')).toBe('2 collections, 1 record');
});
