import { expect, test } from 'vitest';
import {
  fillFromContract,
  NotInContract,
  readContractValues,
} from '../../../src/conformance/wire/request/contract-values.js';
import { loadScenarios } from '../../../src/conformance/language/load-scenarios.js';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { changeContract, shippedContract } from '../../support/shipped.js';

const team = loadContract(packageFile('examples/store-orders/petstore.openapi.yaml'));
const fill = (value: unknown, contract: Contract = team): unknown =>
  fillFromContract(value, readContractValues(contract));
const load = (contract: Contract): ReturnType<typeof loadScenarios> =>
  loadScenarios([packageFile('scenarios')], contract);
const find = (contract: Contract, id: string): ReturnType<typeof loadScenarios>[number] | undefined =>
  load(contract).find((scenario) => scenario.id === id);

test.each([
  ['$limit.maximum', 50],
  ['$limit.maximum+1', 51],
  ['$limit.maximum-1', 49],
  ['$limit.default', 20],
  ['$limit.largestPage', 50],
  ['$statuses', ['available', 'pending', 'reserved', 'sold']],
  ['$statuses#/2', 'reserved'],
  ['limit={$limit.maximum+1}', 'limit=51'],
  ['{ "name": "Rex"{$more} }', '{ "name": "Rex","breed":"mixed" }'],
  ['$run.category', '$run.category'],
])('%s is taken from the contract', (reference, value) => {
  expect(fill({ a: [reference] })).toEqual({ a: [value] });
});

test('of fewer statuses than three some stand more than once', () => {
  const contract = changeContract(['enum: [available, pending, sold]', 'enum: [open, closed]']);
  expect([0, 1, 2].map((index) => fill(`$statuses#/${index}`, contract))).toEqual(['open', 'closed', 'open']);
});

test('what the contract does not state is missing, and a page without a limit is asked for without one', () => {
  const contract = changeContract(['            maximum: 100\n', '']);
  expect(() => fill('$limit.maximum', contract)).toThrow(NotInContract);
  expect(fill('$limit.largestPage', contract)).toBe(100);
  const without = changeContract(['- name: limit', '- name: size']);
  expect(fill({ parameters: { limit: '$limit.largestPage' } }, without)).toEqual({ parameters: {} });
});

test('the shipped scenarios have a case for each status of the contract', () => {
  const ids = load(team).map(({ id }) => id);
  expect(ids).toContain('status-filter/only[reserved]');
  expect(load(shippedContract).map(({ id }) => id)).not.toContain('status-filter/only[reserved]');
});

test('scenarios of what the contract does not have are left out, with the reason', () => {
  const withoutGet = changeContract(['operationId: getPet', 'operationId: fetchPet']);
  expect(find(withoutGet, 'create/minimal')?.leftOut).toBe('the contract has no operation getPet');
  expect(find(withoutGet, 'list/every-time[first]')?.leftOut).toBeUndefined();
  const withoutMaximum = changeContract(['            maximum: 100\n', '']);
  expect(find(withoutMaximum, 'limits/maximum')?.leftOut).toBe('the contract has no maximum of a limit');
  const withoutLimit = changeContract(['- name: limit', '- name: size']);
  expect(find(withoutLimit, 'limits/page[5]')?.leftOut).toBe('the contract has no parameter limit of listPets');
  expect(load(shippedContract).filter(({ leftOut }) => leftOut !== undefined)).toEqual([]);
});
