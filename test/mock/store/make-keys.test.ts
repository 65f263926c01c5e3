import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, inPath, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';
import { packageFile } from '../../../src/package-files.js';
import type { Key, Kept } from '../../../src/mock/store/kept.js';
import { setUp } from '../../../src/server/set-up.js';
import { words } from '../../support/words.js';

const all = (properties: Record<string, object>): Schema => object(properties, Object.keys(properties));

const crew = { get: { parameters: [inPath('id')], responses: { 200: content(all({ name: TEXT })) } } };

/** Boats, whose keys are texts, and trips, which refer to them. */
const boatsAnd = (more: object, boatId: Schema): object => {
  const sent = { note: TEXT, boatId };
  const boats = { key: 'string', sent: all({ name: TEXT }) } as const;
  return {
    ...keep('/boats/{id}', all({ id: TEXT, name: TEXT }), 'list create get', boats),
    ...keep('/trips/{tripId}', all({ id: NUMBER, ...sent }), 'list create get', { sent: all(sent) }),
    ...more,
  };
};

const create = (world: World, path: string, record: Schema): Schema =>
  ask(world, `POST ${path}`, { body: JSON.stringify(record) }).value as Schema;

const keyOfBoat = (paths: object): unknown => create(openPaths(paths), '/boats', { name: 'Argo' })['id'];

test.each([
  ['any text', {}, TEXT, /^boat-\d+$/],
  ['a text by a pattern, in what refers to it', {}, { ...TEXT, pattern: '^BO[0-9a-f]{8}$' }, /^BO[0-9a-f]{8}$/],
  ['a number, in what refers to it', {}, NUMBER, /^\d+$/],
  ['a number, in a path below it', { '/boats/{id}/crew': crew }, TEXT, /^\d+$/],
])('a key may be %s', (_, more, boatId, form) => expect(keyOfBoat(boatsAnd(more, boatId))).toMatch(form));

test('what a record says of its parent is the key of that, as a number where it has numbers', () => {
  const visit = all({ id: NUMBER, boatId: NUMBER, note: TEXT });
  const sent = all({ note: TEXT });
  const visits = keep('/boats/{id}/visits/{visitId}', visit, 'list create', { key: 'string', sent });
  const one = { '/visits/{visitId}': { parameters: [inPath('visitId')], get: { responses: { 200: content(visit) } } } };
  const world = openPaths({ ...boatsAnd({}, NUMBER), ...one, '/boats/{id}/visits': visits['/boats/{id}/visits'] });
  const { id } = create(world, '/boats', { name: 'Argo' });
  expect(create(world, `/boats/${String(id)}/visits`, { note: 'Hello' })).toMatchObject({ boatId: Number(id) });
  expect(ask(world, `GET /boats/${String(id)}/visits`).value).toMatchObject([{ note: 'Hello' }]);
});

test.each([
  ['room for a few of them', '^cus_[0-9a-z]+$', { maxLength: 8 }],
  ['one of two words, and digits', '^(?:buyer|seller)-[0-9]+$', {}],
  ['a group that may be missing', '^[a-z](?:[a-z0-9-]*[a-z0-9])?$', { maxLength: 63 }],
  ['a group that repeats', '^[a-z]+(?:-[a-z]+)*$', {}],

  ['a least length', '^[0-9a-z]+$', { minLength: 30, maxLength: 30 }],
  ['a look ahead', '^(?=.*[A-Z])(?=.*[0-9])[0-9A-Za-z]{6,}$', {}],
])('keys by a pattern go on, and none comes twice: %s', (_, pattern, bounds) => {
  const id = { ...TEXT, pattern, ...bounds, readOnly: true };
  const customers = { key: 'string', sent: all({ name: TEXT }) } as const;
  const paths = keep('/customers/{id}', all({ id, name: TEXT }), 'list create get', customers);
  const world = openPaths(paths, { others: 50 });
  const seeds = (ask(world, 'GET /customers').value as Schema[]).map((each) => each['id']);
  const made = Array.from({ length: 100 }, () => create(world, '/customers', { name: 'Max' })['id']);
  expect(seeds).toHaveLength(50);
  expect(new Set([...seeds, ...made]).size).toBe(150);
  const keys = [...seeds, ...made].map(String);
  expect(keys.filter((key) => !new RegExp(pattern, 'u').test(key))).toEqual([]);
  // What means nothing looks like it.
  expect(keys.filter((key) => /\s|(.)\1{5}/u.test(key))).toEqual([]);
});

const SPECS = [
  'spec/petstore.openapi.yaml',
  'test/support/tickets.openapi.yaml',
  ...words`toolshed workshop rooms payees`.map((name) => `test/conformance/resources/support/${name}.openapi.yaml`),
];

/** The keys of the first parents there are, outermost first. */
function findParents({ parent }: Kept, { collections }: World): Key[] {
  const above = collections.kept.find(({ name }) => name === parent?.resource);
  if (above === undefined) return [];
  const within = findParents(above, { collections } as World);
  const key = collections.foresee(above, within, 'first');
  return key === undefined ? within : [...within, key];
}

test.each(SPECS)('the keys of %s are foreseen as the records have them once they are made', (spec) => {
  const { world } = setUp({ spec: packageFile(spec), prism: false });
  const { collections } = world;
  const asked = collections.kept.filter(({ key }) => key !== undefined);
  const ends = (kept: Kept): unknown[] =>
    (['first', 'last'] as const).map((turn) => collections.foresee(kept, findParents(kept, world), turn));
  const foreseen = asked.map(ends);
  for (const kept of asked) {
    const within = findParents(kept, world);
    const next = collections.foresee(kept, within, 'next');
    expect(next === undefined ? undefined : collections.open(kept, within).get(next)).toBeUndefined();
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.map(ends)).toEqual(foreseen);
});

const board = object({ slug: TEXT, name: TEXT }, ['slug', 'name']);
/** Where the service may give the key. */
const optional = { ...board, required: ['name'] };
const said = { description: 'Refused.' };
const HOME = { slug: 'home', name: 'A' };
const body = '{"slug":"home","name":"B"}';

function openBoards(sent: Schema, refusals: Record<string, object>): { world: World; log: string[] } {
  const paths = keep('/boards/{slug}', board, 'list create get', { key: 'string', sent, also: refusals });
  const responses = { 201: content(listOf(board)), ...refusals };
  const world = openPaths({ ...paths, '/boards/bulk': { post: { requestBody: content(listOf(sent)), responses } } });
  fill(world, 'boards', [HOME]);
  const log: string[] = [];
  world.onExchange = ({ notes, reason }) => log.push(...notes, ...(reason === undefined ? [] : [reason]));
  return { world, log };
}

test.each([
  ['409 where it is documented', { 400: said, 409: said }, 409],
  ['else 422', { 400: said, 422: said }, 422],
  ['else 400', { 400: said }, 400],
  ['else 409 all the same', {}, 409],
])('a create with a taken key is refused: %s', (_, refusals, status) => {
  const { world, log } = openBoards(board, refusals);
  expect(ask(world, 'POST /boards', { body }).status).toBe(status);
  expect(log).toEqual(['key home is in use: a board with this slug exists already']);
  expect(ask(world, 'GET /boards').value).toEqual([HOME]);
});

test.each([
  [400, 201, 'key home is in use, so the new board has another'],
  [409, 409, 'key home is in use: a board with this slug exists already'],
])(
  'where the service may give the key and %i is documented, a taken one gets %i, which the log says',
  (documented, told, note) => {
    const { world, log } = openBoards(optional, { [documented]: said });
    const { status, value } = ask(world, 'POST /boards', { body });
    expect([status, log]).toEqual([told, [note]]);
    expect((value as { slug?: string }).slug).not.toBe('home');
  },
);

test('of several records, none is made where the key of one is taken', () => {
  const { world } = openBoards(board, { 409: said });
  const two = '[{"slug":"new","name":"N"},{"slug":"home","name":"B"}]';
  expect(ask(world, 'POST /boards/bulk', { body: two }).status).toBe(409);
  expect(ask(world, 'GET /boards').value).toEqual([HOME]);
});

test.each([
  ['Another board has this name.', 409],
  ['It exists already.', 201],
])('where the 409 says "%s", a create with the name of another is answered with %i', (description, status) => {
  const { world } = openBoards(board, { 409: { description } });
  expect(ask(world, 'POST /boards', { body: '{"slug":"new","name":"A"}' }).status).toBe(status);
});
