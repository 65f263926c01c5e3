import { expect, test } from 'vitest';
import { ask } from '../../../support/test-world.js';
import { fill, inQuery, keep, openPaths } from '../../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../../../support/schemas.js';
import { words } from '../../../support/words.js';

const room = object(
  {
    id: NUMBER,
    name: TEXT,
    price: { type: 'number' },
    created_at: { ...TEXT, format: 'date-time' },
    tags: listOf(TEXT),
    hotel: object({ city: TEXT }),
  },
  ['id'],
);
const numbers = words`min_price max_price price[gt] price[lt]`.map((name) => inQuery(name, { type: 'number' }));
const texts = words`created_after created_before tags hotel.city name`.map((name) => inQuery(name));
const { '/rooms': rooms, ...roomPaths } = keep('/rooms/{id}', room);
const world = openPaths({ '/rooms': { ...rooms, parameters: [...numbers, ...texts] }, ...roomPaths });
const day = (date: number): string => `2026-01-0${date}T00:00:00Z`;
fill(world, 'rooms', [
  { id: 1, name: 'Low', price: 10, created_at: day(1), tags: ['quiet'], hotel: { city: 'Rome' } },
  { id: 2, name: 'Mid', price: 20, created_at: day(2), tags: ['quiet', 'sea'], hotel: { city: 'Oslo' } },
  { id: 3, name: 'Top', price: 30, created_at: day(3), tags: [], hotel: { city: 'Rome' } },
  { id: 4, name: 'Odd' },
]);
const idsOf = (query: string): unknown =>
  (ask(world, `GET /rooms?${query}`).value as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);

test.each([
  ['min_price=20', [2, 3]],
  ['max_price=20', [1, 2]],
  ['min_price=15&max_price=25', [2]],
  ['price%5Bgt%5D=20', [3]],
  ['price%5Blt%5D=20', [1]],
  [`created_after=${day(2)}`, [3]],
  [`created_before=${day(2)}`, [1]],
  ['tags=sea', [2]],
  ['tags=quiet&hotel.city=Rome', [1]],
  ['hotel.city=Rome', [1, 3]],
  ['name=Mid', [2]],
  ['name=None', []],
  ['', [1, 2, 3, 4]],
])('of %s are %j, and never what lacks the value', (query, ids) => expect(idsOf(query)).toEqual(ids));

interface Asked {
  parameter: string;
  schema: Record<string, unknown>;
  /** Of the key. */
  type?: 'integer' | 'string';
  isRequired?: boolean;
}

function list({ parameter, schema, type = 'integer', isRequired = true }: Asked, query: string): unknown[] {
  const artist = object({ id: { type }, name: TEXT, owner: object({ id: TEXT, login: TEXT }) }, ['id', 'name']);
  const found = object({ artists: listOf(artist) }, ['artists']);
  const { '/artists': all, ...one } = keep('/artists/{id}', artist, 'list get', { key: type, list: found });
  const parameters = [{ ...inQuery(parameter, schema), required: isRequired }];
  const asked = openPaths({ '/artists': { ...all, parameters }, ...one }, { others: 5 });
  const { artists } = ask(asked, `GET /artists${query}`).value as { artists: { id: unknown }[] };
  return artists.map(({ id }) => id).toReversed();
}

const ALL = [1, 2, 3, 4, 5];
const keys = { type: 'array', items: NUMBER };

test.each([
  [{ parameter: 'ids', schema: keys }, '?ids=1&ids=4', [1, 4]],
  [{ parameter: 'artist_ids', schema: keys }, '?artist_ids=2&artist_ids=3', [2, 3]],
  [{ parameter: 'ids', schema: TEXT }, '?ids=1,4', [1, 4]],
  [
    { parameter: 'ids[]', schema: listOf(TEXT), type: 'string' },
    '?ids%5B%5D=artist-1,artist-2',
    words`artist-1 artist-2`,
  ],
  [{ parameter: 'ids', schema: keys }, '?ids=77', []],
  // No word of it says that these are keys of artists.
  [{ parameter: 'labels', schema: keys }, '?labels=1', ALL],
  [{ parameter: 'ids', schema: TEXT, isRequired: false }, '?ids=1,4', ALL],
  [{ parameter: 'ids', schema: { type: 'array', items: { type: 'boolean' } } }, '?ids=true', ALL],
] as [Asked, string, unknown[]][])('%j and %s list %j', (asked, query, expected) => {
  expect(list(asked, query)).toEqual(expected);
});

test.each(['owner', 'Owner'])('a text %s is no filter of an object, so that it empties no list', (parameter) => {
  expect(list({ parameter, schema: TEXT }, `?${parameter}=ida`)).toEqual(ALL);
});

test('the key of an object is still one', () =>
  expect(list({ parameter: 'owner_id', schema: TEXT }, '?owner_id=nobody')).toEqual([]));
