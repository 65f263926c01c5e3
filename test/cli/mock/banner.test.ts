import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatBanner, formatCurl, listExposedOrigins } from '../../../src/cli/mock/banner.js';
import { checkFiles, describeCredentials } from '../../../src/cli/mock/describe.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import type { Contract } from '../../../src/contract/contract.js';
import { setUp, type SetUp } from '../../../src/server/set-up.js';
import { makeFile, makeFolder } from '../../support/folder.js';
import { content, inPath } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';

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

test('the usual start names every default in one title, or in a line for each part where it is too wide', async () => {
  const [title = ''] = await print();
  expect(title).toBe('petstore-mock 1.2.3 · Petstore 1.0.0 · 50 pets (pack default, seed 1) · profile default');
  expect((await print({ width: 20 })).slice(0, 4)).toEqual(title.split(' · '));
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
    const get = { responses: { 200: content(record) } };
    const one = { get, delete: { responses: { 204: { description: 'Gone.' } } } };
    return [
      [path, { parameters, get: { responses: { 200: content({ type: 'array', items: record }) } } }],
      [`${path}/{id}`, { parameters: [...parameters, inPath('id')], ...one }],
    ] as const;
  });
  const health = { '/health': { get: { responses: { 204: { description: 'Well.' } } } } };
  const all = { ...Object.fromEntries(paths.flat()), ...health };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Many', version: '1' }, paths: all });
  return setUp({ spec: makeFile('many.json', text), prism: false });
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
  const set = ['each request delayed by 100 to 300 ms', 'room for 60 pets', 'the date 2031-01-01'];
  expect(await rows('with', { args })).toEqual([...set, 'no CORS: pages of other origins are blocked']);
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
  const respond = (schema: Record<string, unknown>): object => ({ responses: { 200: content(schema) } });
  const path = (name: string): Record<string, object> => ({
    [`/${name}`]: { get: respond({ type: 'array', items: item }) },
    [`/${name}/{id}`]: { parameters: [inPath('id')], get: respond(item) },
  });
  const Thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, note: { type: 'string' } } };
  const paths = { ...path('products'), ...path('orders') };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths,
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
const defaults = await readSettings([], {}, '1');

/** The line to try for a contract with these paths. */
function tryFor(paths: string, key?: number): string {
  const text = `openapi: 3.1.0\ninfo: { title: Team, version: 1.0.0 }\npaths:\n${paths}`;
  const records = { findValues: () => ({ id: key }), settle: (_: unknown, sent: unknown) => sent };
  return formatCurl('http://h', parseContract(text), { ...defaults, ...(key === undefined ? {} : { records }) });
}

const ok = "responses: { '200': { description: Fine. } }";
const get = (parameter: string): string => `get: { parameters: [${parameter}], ${ok} }`;
const parameter = (name: string, place: string, schema: string): string =>
  `{ name: ${name}, in: ${place}, required: true, schema: ${schema} }`;
const id = parameter('id', 'path', '{ type: integer }');
const zip = parameter('zip', 'query', '{ type: string, example: 10115 Berlin }');
const team = parameter('X-Team', 'header', '{ type: string, enum: [blue] }');
const list = parameter('of', 'query', '{ type: array, items: { enum: [x, y] }, minItems: 2 }');
const post = (schema: string): string =>
  `post: { requestBody: { required: true, content: { application/json: { schema: ${schema} } } }, ${ok} }`;

test.each<[string, string, string]>([
  ['a query that is required', `  /a: { ${get(zip)} }`, "curl 'http://h/a?zip=10115%20Berlin'"],
  ['a header field that is required', `  /a: { ${get(team)} }`, "curl -H 'X-Team: blue' 'http://h/a'"],
  ['a list that is required', `  /a: { ${get(list)} }`, "curl 'http://h/a?of=x&of=y'"],
  ['a key', `  /a/{id}: { ${get(id)} }`, "curl 'http://h/a/7'"],
  [
    'a body, where there is no GET',
    `  /a: { ${post("{ type: object, required: [n], properties: { n: { const: it's } } }")} }`,
    String.raw`curl -X POST -H 'Content-Type: application/json' --data-raw '{"n":"it'\''s"}' 'http://h/a'`,
  ],
  ['a parent, before a key', `  /a/{id}/b: { ${get(id)} }\n  /a/{id}: { ${get(id)} }`, "curl 'http://h/a/7/b'"],
])('the line to try has %s', (_name, paths, line) => expect(tryFor(paths, 7)).toBe(line));

test('a key that no record has is what the schema allows, and the easiest request is chosen, wherever it stands', () => {
  expect(tryFor(`  /a/{id}: { ${get(id)} }`)).toBe("curl 'http://h/a/1'");
  const easy = `  /c: { ${get(zip)} }\n  /d: { get: { ${ok} } }`;
  expect(tryFor(`  /a: { ${post('{ type: object }')} }\n  /b/{id}: { ${get(id)} }\n${easy}`)).toBe("curl 'http://h/d'");
});

function contractWith(security: string): Contract {
  return parseContract(`openapi: 3.1.0
info: { title: Team, version: 1.0.0 }
security: ${security}
paths: { /things: { get: { responses: { '200': { description: Fine. } } } } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    other: { type: oauth2, flows: {} }
    basic: { type: http, scheme: basic }
    header: { type: apiKey, in: header, name: X-Api-Key }
    query: { type: apiKey, in: query, name: api_key }
    cookie: { type: apiKey, in: cookie, name: sid }
`);
}

const own = await readSettings(
  ['--api-key', 'my-key', '--credential', 'basic=rex:secret'],
  { PETSTORE_CREDENTIALS: 'never=read' },
  '1',
);

test('each scheme has a row, the key of the petstore too, and no secret is told', () => {
  const key = ['key', 'petstore-dev-key (the default)'];
  expect(describeCredentials(shipped.contract, defaults)).toEqual([key]);
  const contract = contractWith('[{ basic: [] }, { header: [], query: [] }]');
  expect(describeCredentials(contract, defaults)).toEqual([
    key,
    ['auth', 'basic  Authorization: Basic <user:password in Base64>, the key as the user or as the password'],
    ['auth', 'header  X-Api-Key: <API_KEY>'],
    ['auth', 'query  api_key=<API_KEY> in the query'],
  ]);
  const told = describeCredentials(contract, own).flat().join('\n');
  expect(told).toContain('Basic <user:password in Base64>, the one you gave with --credential');
  expect(told).not.toMatch(/rex|secret|my-key/);
  const none = [['key', 'none: the contract requires no credentials']];
  expect(describeCredentials(contractWith('[]'), defaults)).toEqual(none);
});

test.each([
  ['[{ bearer: [] }]', "curl -H 'Authorization: Bearer petstore-dev-key' 'http://h/things'"],
  ['[{ basic: [] }]', "curl -u 'petstore-dev-key:' 'http://h/things'"],
  ['[{ header: [], cookie: [] }]', "curl -H 'X-Api-Key: petstore-dev-key' -b 'sid=petstore-dev-key' 'http://h/things'"],
  ['[{ query: [] }]', "curl 'http://h/things?api_key=petstore-dev-key'"],
  ['[]', "curl 'http://h/things'"],
])('of %s the line to try is %s', (security, line) => {
  expect(formatCurl('http://h', contractWith(security), defaults)).toBe(line);
});

test('keys of the user are variables in the line to try', () => {
  expect(formatCurl('http://h', contractWith('[{ query: [] }]'), own)).toBe(
    'curl "http://h/things?api_key=$PETSTORE_API_KEY"',
  );
  expect(formatCurl('http://h', contractWith('[{ basic: [] }]'), own)).toBe('curl -u "$BASIC" \'http://h/things\'');
});

test('the variable has one on each line, and a flag counts before it', async () => {
  const { credentials } = await readSettings([], { PETSTORE_CREDENTIALS: 'a=1,2\nb=x:y=z\n a=3' }, '1');
  expect(credentials).toEqual({ a: ['1,2', '3'], b: ['x:y=z'] });
  expect(own.credentials).toEqual({ basic: ['rex:secret'] });
});

test('what is no wildcard exposes no address, and a wildcard those of this machine, but for its own', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '[::1]', '192.0.2.7'])
    expect(listExposedOrigins(host, 4010)).toEqual([]);
  for (const host of ['0.0.0.0', '::', '[::]']) {
    const origins = listExposedOrigins(host, 4010);
    expect(origins.filter((origin) => !/^http:\/\/.+:4010$/.test(origin))).toEqual([]);
    expect(origins.filter((origin) => /127\.0\.0\.1|\[::1\]|fe80:/.test(origin))).toEqual([]);
    expect(host === '0.0.0.0' && origins.some((origin) => origin.includes('['))).toBe(false);
  }
});
