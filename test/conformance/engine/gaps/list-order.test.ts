import { expect, test } from 'vitest';
import { conclude, create, see, type Pet } from './seen.js';

const petOf = (id: number, name: string, categoryId = 1, status = 'sold'): Pet => ({ id, name, categoryId, status });
/** In the order of their creation; no field of theirs is in any order. */
const mixed = [
  petOf(1, 'Max', 2, 'sold'),
  petOf(2, 'Ben', 1, 'available'),
  petOf(3, 'Zoe', 3, 'pending'),
  petOf(4, 'Ada', 1, 'sold'),
];
const order = (created: Pet[], ...lists: Pet[][]): unknown =>
  conclude('list-order', [...created.map((pet) => create(pet)), ...lists.map((body) => see('listPets', { body }))]);

test('pets in the order of their creation are oldest first, in the reverse of it newest first', () => {
  expect(order(mixed, mixed)).toBe('oldest-first');
  expect(order(mixed, mixed.toReversed())).toBe('newest-first');
});

test('pets of others between them tell nothing', () => {
  const withOthers = mixed.flatMap((each, index) => [petOf(900 - index, 'Other'), each]);
  expect(order(mixed, withOthers)).toBe('oldest-first');
});

test('pets in no order are other', () => {
  const [a, b, c, d] = mixed as [Pet, Pet, Pet, Pet];
  expect(order(mixed, [b, a, d, c])).toBe('other');
  expect(order(mixed, mixed, mixed.toReversed())).toBe('other');
});

test('three pets are too few', () =>
  expect(order(mixed.slice(0, 3), mixed)).toMatch(/^not observed: this needs a list with 5 pairs/));

test('pets that are on no page tell nothing', () =>
  expect(order(mixed, [petOf(900, 'Other'), petOf(901, 'Another')])).toMatch(/^not observed/));

test('pets that were created at the same time tell nothing', () => {
  const together = mixed.map((pet) => create(pet, { sentAt: 0, answeredAt: 100 }));
  expect(conclude('list-order', [...together, see('listPets', { body: mixed })])).toMatch(/^not observed/);
});

test.each([
  ['name', mixed.map((pet, index) => ({ ...pet, name: `Rex ${index}` }))],
  ['categoryId', mixed.map((pet, index) => ({ ...pet, categoryId: index }))],
  ['status', mixed.map((pet) => ({ ...pet, status: 'sold' }))],
])('an order that may as well be one by %s is not taken for one by creation', (key, pets) => {
  const lists = [pets, [petOf(900, 'Other', 9, 'available')]];
  expect(order(pets, ...lists)).toBe(`not observed: the order could also be by ${key}`);
});

test('where every pet of the target is alike in a field, no order is one by it', () => {
  const alike = mixed.map((pet) => ({ ...pet, status: 'sold' }));
  expect(order(alike, alike)).toBe('oldest-first');
});

test('a refused list is no list', () => {
  const refused = see('listPets', { body: mixed, status: 400 });
  expect(conclude('list-order', [...mixed.map((pet) => create(pet)), refused])).toMatch(/^not observed/);
});
