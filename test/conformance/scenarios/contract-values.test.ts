import { expect, test } from 'vitest';
import { fillFromContract, NotInContract, readContractValues } from '../../../src/conformance/http/template.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';
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
  ['{ "name": "Rex"{$more} }', '{ "name": "Rex"{$more} }'],
  ['$run.nextKeys', '$run.nextKeys'],
])('%s is taken from the contract', (reference, value) => expect(fill({ a: [reference] })).toEqual({ a: [value] }));

test('of fewer statuses than three some stand more than once', () => {
  const contract = changeContract(['enum: [available, pending, sold]', 'enum: [open, closed]']);
  expect([0, 1, 2].map((index) => fill(`$statuses#/${index}`, contract))).toEqual(['open', 'closed', 'open']);
});

test('what the contract does not state is missing, and a page without a limit is asked for without one', () => {
  const contract = changeContract(['            maximum: 100\n', '']);
  expect(() => fill('$limit.maximum', contract)).toThrow(NotInContract);
  expect(fill('$limit.largestPage', contract)).toBe(100);
  const without = changeContract(['- name: limit', '- name: breed']);
  expect(fill({ parameters: { limit: '$limit.largestPage' } }, without)).toEqual({ parameters: {} });
});

test('the shipped scenarios have a case for each status of the contract', () => {
  expect(load(team).map(({ id }) => id)).toContain('pets/lists/filter-value[status-reserved]');
  expect(load(shippedContract).map(({ id }) => id)).not.toContain('pets/lists/filter-value[status-reserved]');
});

test("the petstore's own scenarios are left out of a contract that lacks what they use, with the reason", () => {
  const withoutGet = changeContract(['operationId: getPet', 'operationId: fetchPet']);
  expect(find(withoutGet, 'petstore/sunset-header')?.leftOut).toBe('the contract has no operation getPet');
  expect(find(withoutGet, 'petstore/status-omitted')?.leftOut).toBeUndefined();
  const withoutLimit = changeContract(['- name: limit', '- name: size']);
  expect(find(withoutLimit, 'petstore/status-omitted')?.leftOut).toBe(
    'the contract has no parameter limit of listPets',
  );
  expect(load(shippedContract).filter(({ leftOut }) => leftOut !== undefined)).toEqual([]);
});

test('a file of a team that asks for what the contract does not state is refused, with its place', () => {
  const file = makeFolder({
    'mine.yaml': `scenarios:
  - id: longest
    title: the longest page
    basis: '#/paths/~1pets/get'
    steps: [{ id: list, operationId: listPets, parameters: { limit: $limit.maximum }, expect: { status: 200 } }]
`,
  });
  const contract = changeContract(['            maximum: 100\n', '']);
  expect(() => loadScenarios([file], contract)).toThrow(
    'mine.yaml:2:5: mine/longest: the contract has no maximum of a limit.',
  );
  expect(loadScenarios([file], shippedContract)[0]?.steps[0]?.parameters).toEqual({ limit: 100 });
});
