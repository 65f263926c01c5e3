import { describe, expect, test } from 'vitest';
import type { World } from '../../../../src/mock/world/world.js';
import { findPets, type StoredRecord } from '../../../../src/mock/store/kept.js';
import { ask, createTestWorld, outcome } from '../../../support/test-world.js';
import { fill, inQuery, keep, openPaths } from '../../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../../support/schemas.js';

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

type Page = { items: { id: number }[]; next_cursor?: string };

const idsOf = (world: World, query: string): number[] =>
  (ask(world, `GET /books?${query}`).value as { id: number }[]).map(({ id }) => id);

describe('pages', () => {
  test.each([
    ['limit=2', [1, 2]],
    ['limit=2&offset=2', [3, 4]],
    ['offset=4', [5]],
    ['limit=2&offset=9', []],
  ])('by offset: %s', (query, ids) => expect(idsOf(open({ limit: NUMBER, offset: NUMBER }), query)).toEqual(ids));

  test.each([
    ['page=1&per_page=2', [1, 2]],
    ['page=3&per_page=2', [5]],
    ['page=4&per_page=2', []],
    ['per_page=3', [1, 2, 3]],
  ])('by number, from 1: %s', (query, ids) => {
    expect(idsOf(open({ page: { ...NUMBER, default: 1 }, per_page: NUMBER }), query)).toEqual(ids);
  });

  test('by number, from 0, where the contract begins there', () => {
    const world = open({ page: { ...NUMBER, default: 0 }, size: NUMBER });
    expect([idsOf(world, 'size=2'), idsOf(world, 'page=1&size=2')]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('by cursor: each page tells where the next begins, and the last that there is none', () => {
    const page = object({ items: listOf(book), next_cursor: { type: ['string', 'null'] } }, ['items']);
    const world = open({ cursor: TEXT, limit: NUMBER }, page);
    const seen: number[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 5 && cursor !== null; pages++) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { items, next_cursor: next } = ask(world, `GET /books?limit=2${query}`).value as Page;
      seen.push(...items.map(({ id }) => id));
      cursor = next ?? null;
    }
    expect([seen, cursor]).toEqual([[1, 2, 3, 4, 5], null]);
  });
});

describe('sorting', () => {
  test.each([
    ['sort=title', [2, 3, 1, 4, 5]],
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
  expect(outcome(ask(world, 'GET /v1/pets'))).toMatch(
    /^507 these 3 pets together are longer .*; ask for fewer with limit$/,
  );
  expect(world.journal.entries().at(-1)?.exchange.atFault).toBeUndefined();
});
