import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { judgeList } from './support/judge-list.js';
import { listFirstLists, type FirstList } from './support/list-records.js';
import { words } from '../../support/words.js';

const MARKET = 'test/mock/values/support/market.openapi.yaml';

/** Documents of our own in many styles. */
const DOCUMENTS = [
  MARKET,
  'spec/petstore.openapi.yaml',
  'examples/store-orders/petstore.openapi.yaml',
  ...words`ferry kennel shelter chores gallery`.map((name) => `test/contract/resources/support/documents/${name}.yaml`),
  ...words`payees toolshed library workshop depot rooms billing helpdesk`.map(
    (name) => `test/conformance/resources/support/${name}.openapi.yaml`,
  ),
  ...words`unleash django-rest fastapi alertmanager nestjs directus loopback powerdns wiremock`.map(
    (name) => `test/reality/services/${name}.openapi.yaml`,
  ),
  'test/server/console/shop.openapi.yaml',
  'test/support/tickets.openapi.yaml',
];

test.each(DOCUMENTS)('the first lists of %s break no rule', (path) => {
  const contract = loadContract(path);
  const told = listFirstLists(contract).flatMap(({ kept, rows }) =>
    judgeList(rows, kept, contract).map((broken) => `${kept.name}/${broken}`),
  );
  expect([...new Set(told)]).toEqual([]);
});

const contract = loadContract(MARKET);

/** The market's products with one property of each planted. */
function plant(name: string, make: (place: number) => unknown): string[] {
  const [{ kept, rows }] = listFirstLists(contract) as [FirstList];
  const planted = rows.map((row, place) => Object.assign({}, row, { [name]: make(place) }));
  return [...new Set(judgeList(planted, kept, contract))];
}

test.each([
  ['a time in a description', 'description', () => '2026-01-01T00:00:00Z', 'description: a time where none is meant'],
  ['a time in a number', 'duration', (place: number) => 1_770_000_000 + place, 'duration: a time where none is meant'],
  ['the same price everywhere', 'step', () => 250, 'step: a constant column of free numbers'],
  ['"string"', 'station', (place: number) => `${place}string`, 'station: "string" where the name says more'],
  ['an empty price', 'djangoPrice', () => '', 'djangoPrice: an empty text'],
  ['a ratio of 438', 'conversionRatio', () => 438, 'conversionRatio: a ratio outside of 0 to 1'],
  ['an end before its start', 'endsAt', () => '2001-01-01T00:00:00Z', 'startsAt: after endsAt'],
  ['a maximum below its minimum', 'maxPrice', () => 0.5, 'minPrice: after maxPrice'],
  ['a key twice', 'id', (place: number) => place % 29, 'id: a key twice'],
])('%s would be told', (_, name, make, told) => expect(plant(name, make)).toContain(told));

test('the same seed and day give the same lists', () =>
  expect(listFirstLists(contract)).toEqual(listFirstLists(contract)));
