import { expect, test } from 'vitest';
import { checks } from '../../../src/conformance/checks/index.js';
import { mutantList } from '../mutants/index.js';
import { variantList } from '../variants/index.js';
import { expectedChecks } from './expected-checks.js';

test('every mutant of the opponent has checks that should find it, and they exist', () => {
  expect(Object.keys(expectedChecks).toSorted()).toEqual(mutantList.map(({ id }) => id).toSorted());
  const known = new Set(checks.map(({ id }) => id));
  expect(
    Object.values(expectedChecks)
      .flat()
      .filter((check) => !known.has(check)),
  ).toEqual([]);
  expect(Object.values(expectedChecks).every(({ length }) => length > 0)).toBe(true);
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
