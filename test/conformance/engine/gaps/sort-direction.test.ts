import { expect, test } from 'vitest';
import { createSortDirectionObserver, type AskedOrder } from '../../../../src/conformance/engine/gap-observers.js';
import { shippedContract } from '../../../support/shipped.js';
import { see, watchedPets } from './seen.js';

type Item = Record<string, unknown>;

/** What is concluded from lists, each with the order that it was asked for. */
function conclude(...lists: [order: AskedOrder | undefined, records: Item[]][]): unknown {
  const orders = lists.map(([order]) => order);
  const watched = { ...watchedPets, readSort: () => orders.shift() };
  const observer = createSortDirectionObserver({ watched, contract: shippedContract, now: 0 });
  for (const [, body] of lists) observer.note?.(see('listPets', { body }));
  const concluded = observer.conclude();
  return 'answer' in concluded ? concluded.answer : `not observed: ${concluded.notObserved}`;
}

const sized = (...sizes: unknown[]): Item[] => sizes.map((size, id) => ({ id, size }));
const bySize: AskedOrder = { field: 'size', isDirected: false };

test('a list that is sorted by a field alone shows which way', () => {
  expect(conclude([bySize, sized(1, 2, 2, 5, 10)])).toBe('ascending');
  expect(conclude([bySize, sized(10, 9, 2, 1)])).toBe('descending');
  expect(conclude([bySize, sized(10, 9, 20, 1)])).toBe('ignored');
});

test('a direction that the request names, and records that are alike or too few, tell nothing', () => {
  expect(conclude([{ ...bySize, isDirected: true }, sized(4, 3, 2, 1)])).toMatch(/^not observed/);
  expect(conclude([bySize, sized(1, 1, 1, 1, 2)])).toMatch(/^not observed/);
  expect(conclude([bySize, sized(1, 2, 3)])).toMatch(/^not observed/);
});

test('a list that nobody sorted and that is in the same order makes it unclear', () => {
  expect(conclude([undefined, sized(1, 2, 3, 4)], [bySize, sized(1, 2, 3, 4)])).toMatch(/^not observed/);
  expect(conclude([undefined, sized(4, 3, 2, 1)], [bySize, sized(1, 2, 3, 4)])).toBe('ascending');
});

test('services differ in where capitals stand, and that is no other order', () => {
  expect(conclude([bySize, sized('a', 'B', 'c', 'd', 'e')])).toBe('ascending');
  expect(conclude([bySize, sized('B', 'a', 'c', 'd', 'e')])).toBe('ascending');
});
