import { describe, expect, test } from 'vitest';
import type { World } from '../../../../src/mock/world/world.js';
import { ask } from '../../../support/test-world.js';
import { content, fill, inPath, inQuery, openPaths } from '../../../support/open-paths.js';

const text = { type: 'string' };
const whole = { type: 'integer' };
const book = { type: 'object', required: ['id'], properties: { id: whole, title: text, year: whole } };
const BOOKS = [
  { id: 1, title: 'Cork', year: 1990 },
  { id: 2, title: 'Alder', year: 1990 },
  { id: 3, title: 'Birch', year: 1980 },
  { id: 4, title: 'Dogwood', year: 2000 },
  { id: 5, title: 'Elm' },
];

function open(query: Record<string, object>, answer: object = { type: 'array', items: book }): World {
  const world = openPaths(
    {
      '/books': {
        get: {
          parameters: Object.entries(query).map(([name, schema]) => inQuery(name, schema as Record<string, unknown>)),
          responses: { 200: content(answer as Record<string, unknown>) },
        },
      },
      '/books/{id}': { get: { parameters: [inPath('id')], responses: { 200: content(book) } } },
    },
    { choices: { 'list-order': 'oldest-first' } },
  );
  fill(world, 'books', BOOKS);
  return world;
}

const idsOf = (world: World, query: string): number[] =>
  (ask(world, `GET /books?${query}`).value as { id: number }[]).map(({ id }) => id);

describe('pages', () => {
  test.each([
    ['limit=2', [1, 2]],
    ['limit=2&offset=2', [3, 4]],
    ['offset=4', [5]],
    ['limit=2&offset=9', []],
  ])('by offset: %s', (query, ids) => expect(idsOf(open({ limit: whole, offset: whole }), query)).toEqual(ids));

  test.each([
    ['page=1&per_page=2', [1, 2]],
    ['page=3&per_page=2', [5]],
    ['page=4&per_page=2', []],
    ['per_page=3', [1, 2, 3]],
  ])('by number, from 1: %s', (query, ids) => {
    expect(idsOf(open({ page: { ...whole, default: 1 }, per_page: whole }), query)).toEqual(ids);
  });

  test('by number, from 0, where the contract begins there', () => {
    const world = open({ page: { ...whole, default: 0 }, size: whole });
    expect([idsOf(world, 'size=2'), idsOf(world, 'page=1&size=2')]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('by cursor: each page tells where the next begins, and the last that there is none', () => {
    const properties = { items: { type: 'array', items: book }, next_cursor: { type: ['string', 'null'] } };
    const world = open({ cursor: text, limit: whole }, { type: 'object', required: ['items'], properties });
    const seen: number[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 5 && cursor !== null; pages++) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = ask(world, `GET /books?limit=2${query}`).value as { items: { id: number }[]; next_cursor?: string };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? null;
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
  ])('%s', (query, ids) => expect(idsOf(open({ sort: text, limit: whole, offset: whole }), query)).toEqual(ids));

  test('a direction may be a parameter of its own', () => {
    const world = open({ sort_by: text, order: { ...text, enum: ['asc', 'desc'] } });
    expect(idsOf(world, 'sort_by=title&order=desc')).toEqual([5, 4, 1, 3, 2]);
  });
});
