import { describe, expect, test } from 'vitest';
import type { World } from '../../../../src/mock/world/world.js';
import { findPets, type StoredRecord } from '../../../../src/mock/store/kept.js';
import { ask, createTestWorld, outcome } from '../../../support/test-world.js';
import { fill, inQuery, keep, openPaths } from '../../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema, YES } from '../../../support/schemas.js';
import { words } from '../../../support/words.js';

const book = object({ id: NUMBER, title: TEXT, year: NUMBER }, ['id']);
const BOOKS = [
  { id: 1, title: 'Cork', year: 1990 },
  { id: 2, title: 'Alder', year: 1990 },
  { id: 3, title: 'Birch', year: 1980 },
  { id: 4, title: 'Dogwood', year: 2000 },
  { id: 5, title: 'Elm' },
];

function open(query: Record<string, Schema>, list = listOf(book)): World {
  const parameters = Object.entries(query).map(([name, schema]) => inQuery(name, schema));
  const { '/books': all, ...one } = keep('/books/{id}', book, 'list get', { list });
  const choices = { 'list-order': 'oldest-first' };
  const world = openPaths({ '/books': { ...all, parameters }, ...one }, { choices });
  fill(world, 'books', BOOKS);
  return world;
}

type Books = { items: { id: number }[]; next_cursor?: string };

const idsOf = (world: World, query: string): number[] =>
  (ask(world, `GET /books?${query}`).value as { id: number }[]).map(({ id }) => id);

describe('pages', () => {
  test.each([
    ['limit=2', [1, 2]],
    ['limit=2&offset=2', [3, 4]],
    ['limit=2&offset=9', []],
  ])('by offset: %s', (query, ids) => expect(idsOf(open({ limit: NUMBER, offset: NUMBER }), query)).toEqual(ids));

  test.each([
    ['page=1&per_page=2', [1, 2]],
    ['page=4&per_page=2', []],
    ['per_page=3', [1, 2, 3]],
  ])('by number, from 1: %s', (query, ids) => {
    expect(idsOf(open({ page: { ...NUMBER, default: 1 }, per_page: NUMBER }), query)).toEqual(ids);
  });

  test('by number, from 0, where the contract begins there', () => {
    const world = open({ page: { ...NUMBER, default: 0 }, size: NUMBER });
    expect([...idsOf(world, 'size=2'), ...idsOf(world, 'page=1&size=2')]).toEqual([1, 2, 3, 4]);
  });

  test('by cursor: each page tells where the next begins, and the last that there is none', () => {
    const page = object({ items: listOf(book), next_cursor: { type: ['string', 'null'] } }, ['items']);
    const world = open({ cursor: TEXT, limit: NUMBER }, page);
    const seen: number[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 5 && cursor !== null; pages++) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { items, next_cursor: next } = ask(world, `GET /books?limit=2${query}`).value as Books;
      seen.push(...items.map(({ id }) => id));
      cursor = next ?? null;
    }
    expect([seen, cursor]).toEqual([[1, 2, 3, 4, 5], null]);
  });
});

describe('sorting', () => {
  test.each([
    ['sort=-title', [5, 4, 1, 3, 2]],
    ['sort=title:desc', [5, 4, 1, 3, 2]],
    ['sort=year,title', [3, 2, 1, 4, 5]],
    ['sort=colour', [1, 2, 3, 4, 5]],
    ['sort=title&limit=2&offset=1', [3, 1]],
  ])('%s', (query, ids) => expect(idsOf(open({ sort: TEXT, limit: NUMBER, offset: NUMBER }), query)).toEqual(ids));

  test('a direction may be a parameter of its own', () => {
    const world = open({ sort_by: TEXT, order: { ...TEXT, enum: ['asc', 'desc'] } });
    expect(idsOf(world, 'sort_by=title&order=desc')).toEqual([5, 4, 1, 3, 2]);
  });
});

test('a page that is longer than a text can be is refused with what to do, and is no bug of the mock', () => {
  const world = createTestWorld();
  const pets = findPets(world.contract);
  const [pet] = pets === undefined ? [] : world.collections.open(pets).list({ order: 'newest-first' });
  if (pets === undefined || pet === undefined) throw new Error('there is no pet');
  // Nobody writes these letters out: to ask for their number costs nothing.
  const long = { record: pet.record, text: 'x'.repeat(2 ** 28) } as unknown as StoredRecord;
  world.collections.open(pets).list = () => [long, long, long];
  const told = /^507 these 3 pets together are longer .*; ask for fewer with limit$/;
  expect(outcome(ask(world, 'GET /v1/pets'))).toMatch(told);
  expect(world.journal.entries().at(-1)?.exchange.atFault).toBeUndefined();
});

const time = { ...TEXT, format: 'date-time' };
const price = { type: 'number' };
const hotelOf = object({ city: TEXT });
const room = object({ id: NUMBER, name: TEXT, price, created_at: time, tags: listOf(TEXT), hotel: hotelOf }, ['id']);
const numbers = words`min_price max_price price[gt] price[lt]`.map((name) => inQuery(name, { type: 'number' }));
const texts = words`created_after created_before tags hotel.city name`.map((name) => inQuery(name));
const { '/rooms': rooms, ...roomPaths } = keep('/rooms/{id}', room);
const hotel = openPaths({ '/rooms': { ...rooms, parameters: [...numbers, ...texts] }, ...roomPaths });
const day = (date: number): string => `2026-01-0${date}T00:00:00Z`;
fill(hotel, 'rooms', [
  { id: 1, name: 'Low', price: 10, created_at: day(1), tags: ['quiet'], hotel: { city: 'Rome' } },
  { id: 2, name: 'Mid', price: 20, created_at: day(2), tags: ['quiet', 'sea'], hotel: { city: 'Oslo' } },
  { id: 3, name: 'Top', price: 30, created_at: day(3), tags: [], hotel: { city: 'Rome' } },
  { id: 4, name: 'Odd' },
]);
const roomsOf = (query: string): unknown =>
  (ask(hotel, `GET /rooms?${query}`).value as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);

test.each([
  ['min_price=20', [2, 3]],
  ['max_price=20', [1, 2]],
  ['min_price=15&max_price=25', [2]],
  ['price%5Bgt%5D=20', [3]],
  ['price%5Blt%5D=20', [1]],
  [`created_after=${day(2)}`, [3]],
  [`created_before=${day(2)}`, [1]],
  ['tags=sea', [2]],
  ['name=Mid', [2]],
  ['name=None', []],
])('of %s are %j, and never what lacks the value', (query, ids) => expect(roomsOf(query)).toEqual(ids));

interface Asked {
  parameter: string;
  schema: Record<string, unknown>;
  /** Of the key. */
  type?: 'integer' | 'string';
  isRequired?: boolean;
}

function listArtists({ parameter, schema, type = 'integer', isRequired = true }: Asked, query: string): unknown[] {
  const artist = object({ id: { type }, name: TEXT, owner: object({ id: TEXT, login: TEXT }) }, ['id', 'name']);
  const found = object({ artists: listOf(artist) }, ['artists']);
  const { '/artists': all, ...one } = keep('/artists/{id}', artist, 'list get', { key: type, list: found });
  const parameters = [{ ...inQuery(parameter, schema), required: isRequired }];
  const asked = openPaths({ '/artists': { ...all, parameters }, ...one }, { others: 5 });
  const { artists } = ask(asked, `GET /artists${query}`).value as { artists: { id: unknown }[] };
  return artists.map(({ id }) => id).toReversed();
}

const ALL = [1, 2, 3, 4, 5];
const NAMED = words`artist-1 artist-2`;
const keys = { type: 'array', items: NUMBER };

test.each([
  [{ parameter: 'ids', schema: keys }, '?ids=1&ids=4', [1, 4]],
  [{ parameter: 'artist_ids', schema: keys }, '?artist_ids=2&artist_ids=3', [2, 3]],
  [{ parameter: 'ids', schema: TEXT }, '?ids=1,4', [1, 4]],
  [{ parameter: 'ids[]', schema: listOf(TEXT), type: 'string' }, '?ids%5B%5D=artist-1,artist-2', NAMED],
  [{ parameter: 'ids', schema: keys }, '?ids=77', []],
  // No word of it says that these are keys of artists.
  [{ parameter: 'labels', schema: keys }, '?labels=1', ALL],
  [{ parameter: 'ids', schema: TEXT, isRequired: false }, '?ids=1,4', ALL],
  [{ parameter: 'ids', schema: { type: 'array', items: { type: 'boolean' } } }, '?ids=true', ALL],
] as [Asked, string, unknown[]][])('%j and %s list %j', (asked, query, expected) => {
  expect(listArtists(asked, query)).toEqual(expected);
});

test.each(['owner', 'Owner'])('a text %s is no filter of an object, so that it empties no list', (parameter) => {
  expect(listArtists({ parameter, schema: TEXT }, `?${parameter}=ida`)).toEqual(ALL);
});

test('the key of an object is still one', () =>
  expect(listArtists({ parameter: 'owner_id', schema: TEXT }, '?owner_id=nobody')).toEqual([]));

const article = object({ id: TEXT, title: TEXT }, ['id', 'title']);

function openArticles(
  envelope: Record<string, object>,
  parameters: object[],
  others = 5,
): ReturnType<typeof openPaths> {
  const list = object({ articles: listOf(article), ...envelope }, ['articles', ...Object.keys(envelope)]);
  const { '/articles': all, ...one } = keep('/articles/{id}', article, 'list get', { key: 'string', list });
  return openPaths({ '/articles': { ...all, parameters }, ...one }, { others });
}

const LIMITED = [inQuery('limit', NUMBER), inQuery('offset', NUMBER)];

test.each([
  ['a total has any name that says of what it is', { articlesCount: 5, errorCount: 7 }],
  ['what counts beside a total counts the page', { articlesCount: 2, grandTotal: 5 }],
  ['itemCount counts the page where totalItems stands beside it', { itemCount: 2, totalItems: 5 }],
])('%s', (_, counts) => {
  const schemas = Object.keys(counts).map((name) => [name, name === 'errorCount' ? { ...NUMBER, const: 7 } : NUMBER]);
  const world = openArticles(Object.fromEntries(schemas) as Record<string, object>, LIMITED);
  expect(ask(world, 'GET /articles?limit=2').value).toMatchObject(counts);
});

test('a cursor list says its first and last key, and whether there is more', () => {
  const facts = { object: { const: 'list' }, first_id: TEXT, last_id: TEXT, has_more: YES };
  const world = openArticles(facts, [inQuery('after'), inQuery('limit', NUMBER)]);
  type Page = { articles: { id: string }[]; first_id: string; last_id: string; has_more: boolean };
  const page = ask(world, 'GET /articles?limit=3').value as Page;
  const ends = { first_id: page.articles[0]?.id, last_id: page.articles[2]?.id };
  expect(page).toMatchObject({ object: 'list', ...ends, has_more: true });
  const rest = ask(world, `GET /articles?limit=3&after=${page.last_id}`).value as Page;
  expect(rest).toMatchObject({ last_id: rest.articles[1]?.id, has_more: false });
});

test('the first and last key of an empty list are none', () => {
  const world = openArticles({ first_id: { type: ['string', 'null'] }, last_id: TEXT }, LIMITED, 0);
  expect(ask(world, 'GET /articles').value).toEqual({ articles: [], first_id: null, last_id: '' });
});

test('a page says that it is the first or the last, and where the one before it is', () => {
  const counts = { totalElements: NUMBER, numberOfElements: NUMBER };
  const facts = { ...counts, first: YES, last: YES, empty: YES, previous: { type: ['string', 'null'] } };
  const world = openArticles(facts, [inQuery('page', { ...NUMBER, default: 0 }), inQuery('size', NUMBER)]);
  const page = { totalElements: 5, numberOfElements: 2, first: true, last: false, empty: false, previous: null };
  expect(ask(world, 'GET /articles?size=2').value).toMatchObject(page);
  const last = ask(world, 'GET /articles?size=2&page=2').value as { previous: string };
  expect(last).toMatchObject({ totalElements: 5, numberOfElements: 1, first: false, last: true });
  expect(last.previous).toMatch(/\/articles\?size=2&page=1$/);
});

test('what the contract does not let a count say stays as the contract has it', () => {
  const world = openArticles({ articlesCount: { type: 'integer', enum: [99] } }, LIMITED);
  expect(ask(world, 'GET /articles').value).toMatchObject({ articlesCount: 99 });
});

test('what an envelope must have beside its records is there, however deep they stand', () => {
  const data = object({ articles: listOf(article), revision: NUMBER }, ['articles', 'revision']);
  const paths = keep('/articles/{id}', article, 'list get', { key: 'string', list: object({ data }, ['data']) });
  const { value } = ask(openPaths(paths, { others: 2 }), 'GET /articles');
  const two = [expect.any(Object), expect.any(Object)];
  expect(value).toEqual({ data: { articles: two, revision: expect.any(Number) as number } });
});

test('a key that is a text in a record and an integer in a path is made of digits', () => {
  const world = openPaths(keep('/articles/{id}', article), { others: 2 });
  expect(ask(world, 'GET /articles').value).toMatchObject([{ id: '2' }, { id: '1' }]);
  expect(ask(world, 'GET /articles/2').value).toMatchObject({ id: '2' });
});
