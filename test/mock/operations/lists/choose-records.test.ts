import { expect, test } from 'vitest';
import { ask } from '../../../support/test-world.js';
import { content, fill, inPath, inQuery, openPaths } from '../../../support/open-paths.js';
import { words } from '../../../support/words.js';

const text = { type: 'string' };
const room = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: text,
    price: { type: 'number' },
    created_at: { ...text, format: 'date-time' },
    tags: { type: 'array', items: text },
    hotel: { type: 'object', properties: { city: text } },
  },
};
const names = words`min_price max_price price[gt] price[lt] created_after created_before tags hotel.city name`;
const numbers = new Set(['min_price', 'max_price', 'price[gt]', 'price[lt]']);
const world = openPaths({
  '/rooms': {
    get: {
      parameters: names.map((name) => inQuery(name, { type: numbers.has(name) ? 'number' : 'string' })),
      responses: { 200: content({ type: 'array', items: room }) },
    },
  },
  '/rooms/{id}': { get: { parameters: [inPath('id')], responses: { 200: content(room) } } },
});
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
