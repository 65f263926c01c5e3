import { describe, expect, test } from 'vitest';
import { judgeService } from './support/judge-service.js';
import { judgeShop } from './support/judge-shop.js';
import { wordsOf } from './support/one-problem.js';
import { HELPDESK_MUTANTS, LIBRARY_MUTANTS } from './support/service-changes.js';
import { helpdesk, library } from './support/services.js';
import { SHOP_MUTANTS } from './shop-changes.js';

/** Of which a run tells several problems, with the reason. */
const SEVERAL: Readonly<Record<string, { most: number; because: string }>> = {
  'create-echoes-wrong': { most: 2, because: 'the answers of two resources are wrong in a field each, of other names' },
  'create-forgets-optional': {
    most: 2,
    because: 'two resources lose fields of other names, and a third has none to lose',
  },
  'filter-without-case': { most: 2, because: 'the filters of two resources have other names' },
  'list-misses-newest': {
    most: 3,
    because: 'the whole list of orders is seen to have them all, so the lists of two others and a filter are each told',
  },
  'remove-all': {
    most: 3,
    because: 'notes and orders that belong to a customer who is gone are refused, each by its create',
  },
  'remove-another': { most: 2, because: 'what was to be removed is there, and what was not is lost' },
};

describe.each([
  { name: 'a helpdesk', mutants: HELPDESK_MUTANTS, judge: (mutant: string) => judgeService(helpdesk, [mutant]) },
  { name: 'a library', mutants: LIBRARY_MUTANTS, judge: (mutant: string) => judgeService(library, [mutant]) },
  { name: 'a shop', mutants: SHOP_MUTANTS, judge: (mutant: string) => judgeShop([mutant]) },
])('$name', ({ mutants, judge }) => {
  test.each(Object.keys(mutants))('with %s has one problem, and its headline says which', async (mutant) => {
    const headlines = (await judge(mutant)).problems.map(({ headline }) => headline);
    expect(headlines).toEqual([expect.stringMatching(wordsOf(mutant)), ...headlines.slice(1)]);
    expect(headlines.slice(SEVERAL[mutant]?.most ?? 1)).toEqual([]);
  });
});
