import { expect, test } from 'vitest';
import { checks } from '../../../src/conformance/judge/index.js';
import { mutantList } from '../mutants/index.js';
import { variantList } from '../variants/index.js';

test('every mutant names checks that exist', () => {
  const known = new Set(checks.map(({ id }) => id));
  const named = mutantList.flatMap(({ foundBy }) => foundBy);
  expect(named.filter((check) => !known.has(check))).toEqual([]);
});

test('every group of mutants and of variants has its test', () => {
  expect([...new Set(mutantList.map(({ group }) => group))].toSorted()).toEqual([
    'authentication',
    'create',
    'deep',
    'errors-and-transport',
    'filter',
    'get',
    'hidden',
    'limits',
    'list',
  ]);
  expect([...new Set(variantList.map(({ group }) => group))].toSorted()).toEqual([
    'answers',
    'collections',
    'creation',
    'keys-and-paths',
    'odd-requests',
    'orders-and-ids',
    'parameters',
    'time',
    'transport',
  ]);
});
