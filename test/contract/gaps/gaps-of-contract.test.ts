import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { listGapsOf } from '../../../src/contract/gaps/gaps-of-contract.js';
import { adoptProfile, readProfile, profileOf } from '../../../src/contract/gaps/profile.js';
import { packageFile } from '../../../src/package-files.js';
import { changeContract, gapEntries, shippedContract, shippedGaps } from '../../support/shipped.js';

const shop = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const { asked, known } = listGapsOf(shop, gapEntries);
const ids = asked.map(({ id }) => id);

test('of the petstore the petstore is asked, under the plain ids: the service as a whole, and its pets', () => {
  const whole = gapEntries.filter(({ each }) => each?.of === 'service' || each?.of === 'bearer').map(({ id }) => id);
  const own = listGapsOf(shippedContract, gapEntries).asked;
  expect(own.map(({ resource: _, ...gap }) => gap)).toEqual(shippedGaps);
  expect(own.filter(({ resource }) => resource === undefined).map(({ id }) => id)).toEqual(whole);
  expect(new Set(own.map(({ resource }) => resource))).toEqual(new Set([undefined, 'pets']));
});

test('of another contract with the same paths, a gap is where that has its parameter', () => {
  const tag = '- { name: tag, in: query, schema: { type: string } }\n        ';
  const contract = changeContract(['- name: limit', `${tag}- name: limit`]);
  const placeOf = (id: string): string | undefined =>
    listGapsOf(contract, gapEntries).asked.find((each) => each.id === id)?.contract;
  expect(contract.document.at('/paths/~1pets/get/parameters/0/name')).toBe('tag');
  expect(placeOf('limit-above-maximum')).toBe('#/paths/~1pets/get/parameters/1');
  expect(placeOf('unknown-status-filter')).toBe('#/paths/~1pets/get/parameters/2');
});

test('of another contract, each resource is asked in its own words', () => {
  expect(asked.find(({ id }) => id === 'orders.list-order')).toMatchObject({
    question: 'In which order does a list return the orders?',
    contract: '#/paths/~1orders/get',
    choices: { 'oldest-first': 'the order created first comes first' },
    of: { resource: 'orders', gap: 'list-order' },
  });
  expect(ids).toContain('customers.remove-gone');
  expect(ids).not.toContain('list-order');
});

test('what belongs to the service as a whole is asked once', () =>
  expect(ids.filter((id) => id.endsWith('wrong-method'))).toEqual(['wrong-method']));

test('what the contract states is no gap: a list that documents 400 says what becomes of a limit out of bounds', () =>
  expect(ids).not.toContain('orders.limit-below-minimum'));

test.each([
  ['orders.list-ordr', 'oldest-first', 'did you mean orders.list-order?'],
  ['order.list-order', 'oldest-first', 'did you mean orders.list-order?'],
  ['orders.list-order', 'oldest', 'oldest is not a choice of orders.list-order; did you mean oldest-first?'],
])('a profile may not answer %s with %s, and is told what is near', (id, answer, hint) =>
  expect(() => readProfile({ gaps: { [id]: answer } }, known)).toThrow(hint),
);

test('an answer for one resource holds for that alone, and one without a name for all', () => {
  const gaps = { 'list-order': 'newest-first', 'orders.list-order': 'oldest-first', 'remove-gone': 'gone-410' };
  const profile = adoptProfile(readProfile({ gaps }, known), known, 'given');
  const orders = { 'list-order': 'oldest-first', 'remove-gone': 'gone-410' };
  expect(profileOf(profile, 'orders').choices).toMatchObject(orders);
  expect(profileOf(profile, 'customers').choices).toMatchObject({ 'list-order': 'newest-first' });
});

test('what is said of the names of pets is not said of the texts of orders', () => {
  const gaps = { 'empty-name': 'refused-400', 'orders.list-order': 'oldest-first' };
  const profile = adoptProfile(readProfile({ gaps }, known), known, 'given');
  expect(profileOf(profile, 'orders').choices).toMatchObject({ 'empty-name': 'accepted' });
});
