import { expect, test } from 'vitest';
import { bindSubjects } from '../../../src/conformance/subjects/bind-subjects.js';
import { isCertain } from '../../../src/conformance/subjects/certainty.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';

const contract = loadContract(packageFile('test/conformance/subjects/shop.openapi.yaml'));
const [customers, orders] = bindSubjects(contract).bindings;

test.each([
  [{ name: '$unique', tier: 'basic' }, true],
  [{ name: 'Rex', tier: 'basic' }, false],
  [{ name: '$unique', tier: 'basic', tags: ['a'] }, false],
  [{ id: '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', name: '$unique', tier: 'basic' }, false],
])('whether a service may refuse the customer %j: certain %s', (record, expected) => {
  if (customers === undefined) throw new Error('no customers');
  expect(isCertain(record, customers)).toBe(expected);
});

test('a key of another record is certain where the run has made that record', () => {
  if (orders === undefined) throw new Error('no orders');
  expect(isCertain({ customerId: orders.made.minimal['customerId'], quantity: 1 }, orders)).toBe(true);
  expect(isCertain({ customerId: '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', quantity: 1 }, orders)).toBe(false);
});
