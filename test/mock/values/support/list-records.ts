import type { Contract } from '../../../../src/contract/contract.js';
import type { Kept } from '../../../../src/mock/store/kept.js';
import { createTestWorld } from '../../../support/test-world.js';

export type FirstList = { kept: Kept; rows: Readonly<Record<string, unknown>>[] };

/** A day on which all lists are made. */
export const TODAY = Date.parse('2026-03-02T09:00:00Z');

/** The lists with which the collections of a contract begin, those without a parent. */
export function listFirstLists(contract: Contract, others = 30): FirstList[] {
  const pets = Array.from({ length: others }, (_, index) => {
    return { id: index + 1, name: `Rex ${index}`, categoryId: 1 + (index % 4) };
  });
  const clock = { now: () => TODAY, elapsed: () => 0 };
  const { collections } = createTestWorld({ contract, pets, others, clock });
  const rowsOf = (kept: Kept): FirstList['rows'] =>
    collections
      .open(kept)
      .state()
      .records.map(({ record }) => record);
  return collections.kept
    .filter(({ scope, key }) => scope.length === 0 && key !== undefined)
    .map((kept) => ({ kept, rows: rowsOf(kept) }))
    .filter(({ rows }) => rows.length > 0);
}
