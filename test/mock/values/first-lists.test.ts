import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { judgeList } from './support/judge-list.js';
import { listFirstLists } from './support/list-records.js';
import { words } from '../../support/words.js';
import { createPetstoreFetch } from '../../../src/index.js';
import type { SchemaObject } from '../../../src/contract/model.js';
import { NOWHERE, type Place, type Wanted } from '../../../src/contract/samples/sample.js';
import { createMaker } from '../../../src/mock/values/create-maker.js';
import { createDraw, splitName, isTimeOfEnd, isTimeOfOutcome, isTimeText } from '../../../src/mock/values/making.js';

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

test('the same seed and day give the same lists', () =>
  expect(listFirstLists(contract)).toEqual(listFirstLists(contract)));

const NOW = Date.parse('2026-03-02T00:00:00Z');

function make(name: string, rules: SchemaObject, place: Partial<Place> = {}, index = 3): unknown {
  const type = (rules['type'] as Wanted['type'] | undefined) ?? 'string';
  const patterns = typeof rules['pattern'] === 'string' ? [rules['pattern']] : [];
  const maker = createMaker({ draw: createDraw(name), index, now: NOW });
  return maker({ ...NOWHERE, ...place, name, type, rules, patterns });
}

test.each([
  ['starts_at', 'starts at'],
  ['HTMLUrl', 'html url'],
  ['address-line2', 'address line'],
])('%s says "%s"', (name, said) => expect(splitName(name)).toBe(said));

test.each(words`
  createdAt created_at startsOn dueDate date_of_birth dateCreated lastSeen timestamp valid_until expiration
  modify_time deadlineUtc birthday
`)('%s is a time', (name) => expect(isTimeText(name)).toBe(true));

test.each(words`
  description location icon version duration position format station season reason update candidate prepTime
  response_time dependsOn worksAt timeZone salutation collection
`)('%s is no time', (name) => expect(isTimeText(name)).toBe(false));

test('an outcome may never come, an end is planned, and neither is a verification', () => {
  expect(words`deletedAt endDate verification completion`.filter(isTimeOfOutcome)).toEqual(['deletedAt']);
  expect(words`deletedAt endDate expiresAt createdAt`.filter(isTimeOfEnd)).toEqual(words`deletedAt endDate expiresAt`);
});

const DECIMAL = String.raw`^-?\d{0,8}(?:\.\d{0,2})?$`;

test.each([
  ['a price as text', 'price', {}, /^\d+\.\d\d$/],
  ['a decimal with a pattern', 'total', { format: 'decimal', pattern: DECIMAL }, /^\d+\.\d\d$/],
  ['a format that nobody knows', 'contact', { format: 'phone-number' }, /^\+\d{8,}$/],
  [
    'a date of mails',
    'dateSent',
    { format: 'date-time-rfc-2822' },
    /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d .* GMT$/,
  ],
  ['a user name', 'username', {}, /^[a-z]+\d+$/],
  ['a country as its example', 'country', { example: 'NL' }, /^[A-Z]{2}$/],
  ['a country with room for two letters', 'country', { maxLength: 2 }, /^[A-Z]{2}$/],
  ['a time as its example', 'createdAt', { example: '2022-04-08' }, /^20\d\d-\d\d-\d\d$/],
  ['a time by its example alone', 'when', { example: '2022-04-08T10:00:00Z' }, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['a number of something as its example', 'profileRef', { example: 'p-123456' }, /^p-(?!123456)\d{6}$/],
  ['a name that the contract alone knows', 'sauce', { example: 'Pesto rosso' }, /^Pesto rosso$/],
])('%s', (_, name, rules, form) => expect(make(name, { type: 'string', ...rules })).toMatch(form));

test.each([
  ['calls', ['duration'], /^\+\d+$/],
  ['emails', ['subject'], /@example\.com$/],
  ['flights', ['departsAt'], /^[A-Z][A-Za-z ]+$/],
  ['holidays', ['days'], /^20\d\d-\d\d-\d\dT/],
])('`from` of %s is what stands around it says', (subject, siblings, form) => {
  expect(make('from', { type: 'string' }, { subject, siblings: ['from', 'to', ...siblings] })).toMatch(form);
});

test.each([
  ['hitRatio', {}, 0, 1],
  ['progress', {}, 0, 100],
  ['latitude', {}, -90, 90],
  ['price', { multipleOf: 250 }, 250, 2500],
  ['share', { exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.01, 0.99],
  ['odd', { example: 40_000 }, 20_000, 60_000],
])('%s with %j is from %d to %d', (name, rules, least, most) => {
  const made = make(name, { type: 'number', ...rules }) as number;
  expect(made).toBeGreaterThanOrEqual(least);
  expect(made).toBeLessThanOrEqual(most);
});

test('what begins and what ends keep their order, whichever is made first', () => {
  const schema = { type: 'string', format: 'date' };
  expect(String(make('endDate', schema, { holder: { startDate: '2031-05-05' } })) > '2031-05-05').toBe(true);
  expect(String(make('startDate', schema, { holder: { endDate: '2021-05-05' } })) < '2021-05-05').toBe(true);
  expect(make('maxPrice', { type: 'integer' }, { holder: { minPrice: 499 } })).toBeGreaterThanOrEqual(499);
});

test('the first record has the contract’s own examples', () =>
  expect(make('email', { type: 'string', example: 'ada@example.org' }, {}, 0)).toBe('ada@example.org'));

async function create(spec: string, path: string, body: object): Promise<Record<string, unknown>> {
  const mock = createPetstoreFetch({ spec, prism: false });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer petstore-dev-key' };
  const response = await mock.fetch(`${mock.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

test('what a service assigns is what the seeds have; nothing is counted or done yet', async () => {
  const made = await create(MARKET, '/products', { name: 'Oat milk' });
  expect(made).toMatchObject({ name: 'Oat milk', isVerified: false, reviewCount: 0 });
  expect([1, 2, 3, 4, 5]).toContain(made['rating']);
  expect(made['year']).toBeGreaterThan(1989);
});

test('what comes into being has the first of the states that the contract lists', async () => {
  const spec = 'examples/store-orders/petstore.openapi.yaml';
  expect(await create(spec, '/store/orders', { petId: 1, quantity: 2 })).toMatchObject({ status: 'placed' });
});

test('what only a list shows of a record is each record’s own', async () => {
  const mock = createPetstoreFetch({ spec: MARKET, prism: false });
  const listed = (await (await mock.fetch('http://localhost/products')).json()) as { stockLocation: string }[];
  expect(new Set(listed.map(({ stockLocation }) => stockLocation)).size).toBeGreaterThan(10);
});

test('an operation without state answers in the same words', async () => {
  const mock = createPetstoreFetch({ spec: MARKET, prism: false });
  const weather = await (await mock.fetch('http://localhost/weather')).json();
  const [city, observedAt] = [/^[A-Z]/, /^20\d\d-/].map((form) => expect.stringMatching(form) as string);
  expect(weather).toMatchObject({ country: 'NL', city, observedAt });
});

test('keys are apart, however few letters vary', async () => {
  const calls = await createPetstoreFetch({ spec: MARKET, prism: false }).collection('calls').list();
  expect(new Set(calls.map(({ id }) => id)).size).toBe(50);
});
