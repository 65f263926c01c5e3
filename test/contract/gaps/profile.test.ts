import { expect, test } from 'vitest';
import {
  adoptProfile,
  compareProfiles,
  loadProfile,
  NOT_OBSERVED,
  readProfile,
  type ProfileAnswer,
  profileOf,
} from '../../../src/contract/gaps/profile.js';
import { shippedGaps, changeContract, gapEntries, shippedContract } from '../../support/shipped.js';
import { makeFile } from '../../support/folder.js';
import { loadContract } from '../../../src/contract/contract.js';
import { listGapsOf } from '../../../src/contract/gaps/gaps-of-contract.js';
import { packageFile } from '../../../src/package-files.js';
import { actOn, loadGaps } from '../../../src/contract/gaps/gaps.js';
import { yaml } from '../../support/yaml.js';

function load(text: string): ReturnType<typeof loadProfile> {
  const path = makeFile('staging.profile.yaml', text);
  try {
    return loadProfile(path, shippedGaps);
  } catch (error) {
    // The folder is another one each time.
    throw new Error((error as Error).message.replace(path, 'staging.profile.yaml'), { cause: error });
  }
}

const OTHERS = { 'name-length-limit': { answer: 50 }, 'error-codes': { answer: ['getPet 404 gone_fishing'] } };

test('a profile is read with what it says of itself', () => {
  const profile = load(`target: https://staging.example/v1
date: 2026-11-21
contract: Petstore 1.0.0
gaps:
  list-order: { choice: oldest-first, evidence: GET /pets }
  name-length-limit: { value: 50 }
  error-codes: { seen: [getPet 404 gone_fishing] }
`);
  expect(profile).toEqual({
    target: 'https://staging.example/v1',
    date: '2026-11-21',
    contract: 'Petstore 1.0.0',
    entries: { 'list-order': { answer: 'oldest-first', evidence: 'GET /pets' }, ...OTHERS },
  });
});

test.each([
  ['gaps:\n  head: answered\n  list-ordr: oldest-first\n', ':3:3: there is no gap list-ordr; did you mean list-order?'],
  ['gaps: { list-order: oldest-frist }', ':1:9: oldest-frist is not a choice of list-order; did you mean oldest'],
  ['gaps:\n  head:\n    choice: refused-404\n', ':3:5: refused-404 is not a choice of head; did you mean refused-405?'],
  ['gaps:\n  head: { chioce: answered }\n', ':2:11: head has no `chioce`; did you mean choice?'],
  ['gaps:\n  head: { evidence: x }\n', ':2:3: head needs a `choice`.'],
  ['gaps: { name-length-limit: many }', ':1:9: name-length-limit must be a whole number from 1, or none, not many.'],
  ['gaps: { deprecation-header: 3 }\n', ':1:9: deprecation-header must be a text, or none.'],
  ['gaps: { pet-fields: tags }\n', ':1:9: pet-fields must be a list of texts, each the name of a field.'],
  ['tarket: x\n', ':1:1: a profile has no `tarket`; did you mean target?'],
  ['date: 3\n', ':1:1: `date` must be a text.'],
  ['gaps: [head]', ':1:1: `gaps` must be a mapping from gap to choice, such as `list-order: oldest-first`.'],
  ['- head\n', ':1:1: a profile must be a mapping with `gaps`, a choice for each gap.'],
])('what a hand has mistyped in %j is rejected with its line', (text, message) =>
  expect(() => load(text)).toThrow(`staging.profile.yaml${message}`),
);

test('a profile in memory is refused with the path in it', () => {
  const message = 'profile/gaps/head: no is not a choice of head';
  expect(() => readProfile({ gaps: { head: 'no' } }, shippedGaps)).toThrow(message);
});

test('a mock makes its own choice where a profile has none that it can make', () => {
  const gaps = { 'list-order': 'other', head: 'not-observed', 'bearer-case': 'exact', 'name-length-limit': 'none' };
  const profile = adoptProfile(readProfile({ gaps }, shippedGaps), shippedGaps, 'mine');
  expect(profile.choices).toMatchObject({ 'list-order': 'newest-first', head: 'answered', 'bearer-case': 'exact' });
  expect(profile).toMatchObject({ name: 'mine', values: {}, seen: {}, unknown: ['list-order', 'head'] });
});

const entryOf = (id: string, answer: ProfileAnswer | undefined) => ({
  entries: answer === undefined ? {} : { [id]: { answer } },
});

/** `same`, `changed`, or `noted` for a difference that proves nothing. */
function compare(id: string, before: ProfileAnswer | undefined, now: ProfileAnswer | undefined): string {
  const [difference] = compareProfiles(entryOf(id, before), entryOf(id, now), shippedGaps);
  if (difference === undefined) return 'same';
  return difference.isChange ? 'changed' : 'noted';
}

const VERDICTS = yaml<Record<string, [id: string, before: ProfileAnswer | null, now: ProfileAnswer | null][]>>`
same: [[head, answered, answered], [head, other, other], [head, null, ${NOT_OBSERVED}], [name-length-limit, 50, 50],
  [pet-fields, [a], [a]]]
changed: [[head, answered, refused-405], [head, answered, other], [name-length-limit, 50, 255], [name-length-limit, none, 50],
  [error-codes, [getPet 404 a], [getPet 404 A]]]
noted: [[head, ${NOT_OBSERVED}, answered], [head, null, answered], [pet-fields, [a], []], [rate-limiting, [], ['429']],
  [error-codes, [getPet 404 a], [getPet 404 a, getPet 401 b]], [error-codes, [getPet 404 a], [getPet 401 b]],
  [error-codes, [getPet 404 a, getPet 404 b], [getPet 404 b]]]
`;

test.each(Object.entries(VERDICTS))('a difference is %s, both ways: %j', (verdict, rows) => {
  for (const [id, before, now] of rows) {
    expect(compare(id, before ?? undefined, now ?? undefined)).toBe(verdict);
    expect(compare(id, now ?? undefined, before ?? undefined)).toBe(verdict);
  }
});

test('differences are sorted by the id of their gap', () => {
  const all = (answer: string) => ({ entries: { 'wrong-method': { answer }, head: { answer } } });
  expect(compareProfiles(all('a'), all('b'), shippedGaps).map(({ id }) => id)).toEqual(['head', 'wrong-method']);
});

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

test('an answer for one resource holds for that alone, and one without a name for all that it is about', () => {
  const gaps = {
    'list-order': 'newest-first',
    'orders.list-order': 'oldest-first',
    'remove-gone': 'gone-410',
    'empty-name': 'refused-400',
  };
  const profile = adoptProfile(readProfile({ gaps }, known), known, 'given');
  // What is said of the names of pets is not said of the texts of orders.
  const given = { 'list-order': 'oldest-first', 'remove-gone': 'gone-410', 'empty-name': 'accepted' };
  expect(profileOf(profile, 'orders').choices).toMatchObject(given);
  expect(profileOf(profile, 'customers').choices).toMatchObject({ 'list-order': 'newest-first' });
});

const FIRST = `
  - id: order
    kind: choice
    question: In which order?
    contract: '#/paths'
    choices: {up: upwards, down: downwards}
    mock: up
    why: It is the usual one.
`;

const loadGapsOf = (text: string): ReturnType<typeof loadGaps> => loadGaps(makeFile('gaps.yaml', text), 'gaps.yaml');

test('every shipped gap has an id of its own and a choice of the mock with a reason', () => {
  expect(shippedGaps.length).toBeGreaterThan(25);
  expect(new Set(shippedGaps.map(({ id }) => id)).size).toBe(shippedGaps.length);
  expect(shippedGaps.every(({ id, why }) => /^[a-z]+(-[a-z]+)*$/.test(id) && why.endsWith('.'))).toBe(true);
});

const change = (from: string | RegExp, to: string): string => `gaps:${FIRST.replace(from, to)}`;
const VALUE = 'kind: value\n    value: date\n    none: nothing';

test.each([
  ['no list', 'profile: x', 'gaps.yaml:1:1: the list `gaps` is missing.'],
  ['no question', change(/question: .*/, ''), /^gaps\.yaml:2:5: a gap needs a text under `question`\.$/],
  ['no choice', change('mock: up', 'mock: left'), ':7:5: left is not a choice of order; the choices are up, down.'],
  ['no kind', change('kind: choice', 'kind: chioce'), /^gaps\.yaml:3:5: chioce is not a kind of gap/],
  ['a value of no type', change('kind: choice', VALUE), /a value is an integer or a text, not date\.$/],
  ['an observation without an item', change('kind: choice', 'kind: observation'), /a text under `item`/],
  ['a gap twice', `gaps:${FIRST}${FIRST}`, /the gap order is there twice\.$/],
  ['no YAML', 'gaps: [', /^gaps\.yaml:\d+:\d+: this is not valid YAML/],
])('%s is refused with its place', (_, text, message) => expect(() => loadGapsOf(text)).toThrow(message));

test('what a table has for the choice of a profile is acted on, also where it is undefined', () => {
  const profile = { name: 'mine', choices: { order: 'down' } };
  expect(actOn(profile, 'order', { up: 1, down: 2 })).toBe(2);
  expect(actOn(profile, 'order', { up: 1, down: undefined })).toBeUndefined();
});
