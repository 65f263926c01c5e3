import { expect, test } from 'vitest';
import { bindSubjects } from '../../../src/conformance/resources/instantiate-resources.js';
import { listInvented } from '../../../src/conformance/resources/contract-texts.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';

const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const [customers, orders] = bindSubjects(contract).bindings;

test.each([
  [{ name: '$unique', tier: 'basic' }, ['name']],
  [{ tier: 'basic' }, []],
  [{ name: 'Rex', tier: 'basic' }, ['name']],
  [{ name: '$unique', tier: 'basic', tags: ['a'] }, ['name', 'tags']],
])('what a service may refuse of the customer %j is made up: %j', (record, fields) => {
  if (customers === undefined) throw new Error('no customers');
  expect(listInvented(record, customers).fields.toSorted()).toEqual(fields);
});

test('a key of another record is made up, unless the run has made that record', () => {
  if (orders === undefined) throw new Error('no orders');
  const { references } = listInvented({ customerId: orders.made.minimal['customerId'], quantity: 1 }, orders);
  expect(references).toEqual([]);
  const guessed = listInvented({ customerId: '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', quantity: 1 }, orders);
  expect(guessed).toEqual({ references: ['customerId'], choices: [], fields: ['customerId'] });
});
