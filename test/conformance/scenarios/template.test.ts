import { describe, expect, test } from 'vitest';
import {
  fillFromContract,
  fillTemplate,
  NotInContract,
  readContractValues,
  REFERENCE,
  type Scope,
  UnresolvedReference,
} from '../../../src/conformance/http/template.js';
import { Literal } from '../../../src/conformance/model/exchange.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { type Contract, loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';
import { changeContract, shippedContract } from '../../support/shipped.js';
import { words } from '../../support/words.js';

const response = {
  status: 201,
  headers: { location: '/v1/pets/7' },
  body: { id: 9007199254740993n, tags: ['a', 'b/c'] },
};
let named = 0;
const scope: Scope = {
  case: { limit: 3, name: 'Rex {$unique}', body: { status: '$steps.create.outputs.petId' } },
  each: { id: 5 },
  steps: { create: { request: { body: { name: 'Rex' } }, response, outputs: { petId: 7 } } },
  outputsOf: (id) => (id === 'create/minimal' ? { petId: 8 } : undefined),
  request: { body: { name: 'Tom' } },
  response,
  unique: () => `Cf${named}`,
  contract: { paths: { '/pets': { get: { limit: 20 } } } },
  run: { nextKeys: [8, 9] },
};

test.each([
  ['$case.limit', 3],
  ['$case.body', { status: 7 }],
  ['$each', { id: 5 }],
  ['$each#/id', 5],
  ['$steps.create.outputs.petId', 7],
  ['$steps.create.response.status', 201],
  ['$steps.create.response.header.Location', '/v1/pets/7'],
  ['$steps.create.response.body#/id', 9007199254740993n],
  ['$steps.create.response.body#/tags/1', 'b/c'],
  ['$steps.create.request.body#/name', 'Rex'],
  ['$scenarios.create/minimal.outputs.petId', 8],
  ['$request.body#/name', 'Tom'],
  ['$response.status', 201],
  ['$run.nextKeys', [8, 9]],
  ['$run.nextKeys#/1', 9],
  ['$contract#/paths/~1pets/get/limit', 20],
  ['$unique', 'Cf0'],
])('%s becomes its value', (reference, value) => {
  expect(reference).toMatch(REFERENCE);
  expect(fillTemplate(reference, scope)).toEqual(value);
});

test.each([
  ['a {$case.limit} b {$run.nextKeys#/0}', 'a 3 b 8'],
  ['{"id":{$steps.create.response.body#/id}}', '{"id":9007199254740993}'],
  ['$$case.limit', '$case.limit'],
  ['{not a reference}', '{not a reference}'],
  ['costs 5$', 'costs 5$'],
])('%s becomes %s', (text, filled) => expect(fillTemplate(text, scope)).toBe(filled));

test('what a target answered is never read as a reference', () => {
  const tricky: Scope = { ...scope, response: { ...response, body: { name: '$case.limit {$run.nextKeys}' } } };
  expect(fillTemplate('$response.body#/name', tricky)).toBe('$case.limit {$run.nextKeys}');
  expect(fillTemplate('x {$response.body#/name}', tricky)).toBe('x $case.limit {$run.nextKeys}');
});

test.each(['$x', '$steps.a.b', '$case.limit', '{$unique}', '$$y', { id: '$each' }])(
  'a literal %j stands for itself',
  (value) => {
    expect(fillTemplate(new Literal(value), scope)).toEqual(value);
    expect(fillTemplate({ petId: new Literal(value) }, scope)).toEqual({ petId: value });
  },
);

describe('a reference to what is not there is named', () => {
  test.each(words`
    $steps.list.response.body $steps.create.response.body#/name $steps.create.response.body#/__proto__
    $steps.create.response.body#/constructor $steps.create.outputs.other $scenarios.create/other.outputs.petId
    $each#/name $response.header.Sunset
  `)('%s', (reference) => {
    expect(() => fillTemplate(reference, scope)).toThrow(UnresolvedReference);
    expect(() => fillTemplate(reference, scope)).toThrow(reference);
  });
});

const NONE = words`$cases.x $case $steps.a $steps.a.b $run.other $run.created $response $response.bodies`;

test.each([...NONE, '$ case.x'])('%s is no reference', (text) => expect(text).not.toMatch(REFERENCE));

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

test('what the contract does not state is missing, and a page without a limit is asked for without one', () => {
  // Of fewer statuses than three some stand more than once.
  const two = changeContract(['enum: [available, pending, sold]', 'enum: [open, closed]']);
  expect([0, 1, 2].map((index) => fill(`$statuses#/${index}`, two))).toEqual(['open', 'closed', 'open']);
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
  const step = '{ id: list, operationId: listPets, parameters: { limit: $limit.maximum }, expect: { status: 200 } }';
  const longest = `{ id: longest, title: the longest page, basis: '#/paths/~1pets/get', steps: [${step}] }`;
  const file = makeFolder({ 'mine.yaml': `scenarios:\n  - ${longest}\n` });
  const contract = changeContract(['            maximum: 100\n', '']);
  expect(() => loadScenarios([file], contract)).toThrow(
    'mine.yaml:2:5: mine/longest: the contract has no maximum of a limit.',
  );
  expect(loadScenarios([file], shippedContract)[0]?.steps[0]?.parameters).toEqual({ limit: 100 });
});
