import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { answer, as, asks, changed, get, headlines, list, status } from './answers.js';

const CREATED = { asksFor: 'created' } as const;

// A problem explains a deviation only if the deviation would be gone with it.

const ofList = (rule: string, at: string, expected = 'one', actual = 'another'): Partial<Finding> => ({
  check: 'records',
  rule,
  at,
  expected,
  actual,
});
const lacking = ofList('present', 'body', 'the record with the key 7', 'a list without it');
const twice = ofList('distinct', 'body/1/id', 'a key of its own', '9, which stands before it too');
const filtered = (field: string, ...found: Partial<Finding>[]): ScenarioResult =>
  as(`pets/lists/filter-value[${field}-sold]`, list(`/pets?${field}=sold`, ...found));
const leak = (field: string): Partial<Finding> => ofList('filter', `body/0/${field}`, '"sold"', '"pending"');
const type = (at: string, expected: string, actual: string): Partial<Finding> => ({
  check: 'body',
  rule: 'type',
  at,
  expected,
  actual,
});
const missing = (at: string): Partial<Finding> => ({
  check: 'body',
  rule: 'required',
  at,
  expected: 'present',
  actual: 'nothing',
});
const otherKey = { check: 'record', rule: 'key', at: 'body/id', expected: "7, the record's key", actual: '8' };
const taken = { check: 'own-records', rule: 'new-key', at: 'body/id', expected: 'a key of its own', actual: '8' };
const post = { method: 'POST', path: '/pets' };
const search = (...found: Partial<Finding>[]): ScenarioResult =>
  answer('searchPets', { path: '/pets/search' }, ...found);

test.each<[string, cause: ScenarioResult, explained: ScenarioResult, besides: ScenarioResult]>([
  [
    'a field that a list shows not as it was sent, a filter by it, and none by another',
    list('/pets', changed('body/0/status', '"sold"', '"pending"')),
    filtered('status', leak('status')),
    filtered('kind', leak('kind')),
  ],
  [
    'a field that fetches show not as it was sent, what a filter by it leaves out, and not what that lets through',
    get({}, changed('body/status', '"sold"', '"pending"')),
    filtered('status', lacking),
    filtered('status', leak('status')),
  ],
  [
    'a field of another kind, what differs in it, and no other field',
    get({}, type('body/size', 'an integer', '"7"')),
    get({}, changed('body/size', '7', '"7"')),
    get({}, changed('body/name', '"Rex"', '"Max"')),
  ],
  [
    'a field that is the same whatever is sent, its default, unless that is another value',
    get({}, changed('body/status', '"sold"', '"pending"')),
    get({}, { ...changed('body/status', '"available"', '"pending"'), rule: 'status default' }),
    get({}, { ...changed('body/status', '"available"', '"gone"'), rule: 'status default' }),
  ],
  [
    'a key that lists leave out, what the same list lacks, and not what another does',
    list('/pets', missing('body/0/id')),
    list('/pets', lacking),
    search(lacking),
  ],
  [
    'a record that a list has twice, what the same list lacks, and not what another does',
    list('/pets', twice),
    list('/pets', lacking),
    search(lacking),
  ],
  [
    'a page that is too long, a record that the pages of the same list have twice, and not one of another',
    list('/pets?limit=2', ofList('limit', 'body', 'at most 2 records', '3 records')),
    list('/pets?limit=2', twice),
    search(twice),
  ],
  [
    'another record than was asked for, what differs in responses of the same operation, and no other',
    get({}, otherKey),
    get({}, changed('body/name', '"Rex"', '"Max"')),
    list('/pets', changed('body/0/name', '"Rex"', '"Max"')),
  ],
  [
    'a key that several records share, whatever else is wrong with them, and nothing of another resource',
    answer('createPet', post, taken),
    get({}, changed('body/name', '"Rex"', '"Max"')),
    as('owners/records/get-full', answer('getOwner', {}, changed('body/name', '"Ann"', '"Bob"'))),
  ],
  [
    'that no record is ever there, what is refused for want of one, unless the request is invalid',
    asks('first', as('pets/records/get', get(CREATED, status('200', '404')))),
    answer('createPet', post, status('201', '422')),
    answer('createPet', { ...post, breaks: [{ at: 'body', rule: 'type', actual: '[]' }] }, status('201', '422')),
  ],
  [
    'a record that some fetches do not find, what a filtered list lacks, and not what it lets through',
    as('pets/sequences/words', get(CREATED, status('200', '404'))),
    filtered('status', lacking),
    filtered('status', leak('status')),
  ],
  [
    'what was taken though it is invalid, what its own scenario shows of the record, and no other',
    as('pets/refusals/create[a]', answer('createPet', { ...post, breaks: [] }, status('400', '201'))),
    as('pets/refusals/create[a]', get({}, changed('body/name', '"Rex"', '"Max"'))),
    as('pets/records/values[a]', get({}, changed('body/name', '"Rex"', '"Max"'))),
  ],
  [
    'an item of another type, what is wrong within it, and not in the items beside it',
    list('/pets', type('body/0', 'an object', 'null'), missing('body/0/name')),
    list('/pets'),
    list('/pets', type('body/0', 'an object', 'null'), missing('body/1/name')),
  ],
])('explains: %s', (_, cause, explained, besides) => {
  expect(headlines(cause, explained)).toHaveLength(1);
  expect(headlines(cause, besides)).toHaveLength(2);
});

test('what a filter lets through and what it leaves out is one problem; that of another filter is another', () => {
  expect(headlines(filtered('status', leak('status'), lacking))).toEqual([
    'The filter by `status` of listPets returns records that do not match and leaves out records that match',
  ]);
  expect(headlines(filtered('status', leak('status')), filtered('kind', lacking))).toHaveLength(2);
});

test('fields of the same answers that changed in one way are one problem, in ways of their own they are several', () => {
  const [name, tag] = [changed('body/name', '"Rex"', '"REX"'), changed('body/tag', '"Big"', '"BIG"')];
  expect(headlines(get({}, name), get({}, tag))).toEqual([
    '`name` and `tag` are not as they were sent in responses of getPet, such as `name`: "REX" instead of "Rex"',
  ]);
  expect(headlines(get({}, name), get({}, changed('body/tag', '"Zoë"', '"Zoe"')))).toHaveLength(2);
});

test('a record that was refused and is stored explains the values that it shows, and no others', () => {
  const kept = ofList('refused', 'body/1', 'no rejected record', '"Rex"');
  const shown = type('body/1/size', 'an integer', '"151"');
  expect(headlines(list('/pets', kept, shown), list('/pets', shown))).toHaveLength(1);
  expect(headlines(list('/pets', kept, shown), list('/pets', type('body/0/tag', 'a string', '5')))).toHaveLength(2);
});

test('a key that passes explains what is refused for another reason, not what nothing else is wrong with', () => {
  const accepted = list('/pets', status('401', '200'));
  const wrong = { auth: 'wrong' as const };
  accepted.steps[0]!.exchanges[0]!.request.auth = 'wrong';
  expect(headlines(accepted, answer('listPets', wrong, status('401', '403')))).toHaveLength(2);
  const breaks = [{ at: 'query/limit', rule: 'minimum', actual: '0' }];
  expect(headlines(accepted, answer('listPets', { ...wrong, breaks }, status('401', '400')))).toHaveLength(1);
});

test('JSON that is malformed does not explain a type that is not said; an answer cut short is not of a crash', () => {
  const malformed = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'malformed' };
  const said = (actual: string): Partial<Finding> => ({
    check: 'content-type',
    rule: 'media-type',
    at: 'header/content-type',
    expected: 'application/json',
    actual,
  });
  const withBody = (body: string, ...found: Partial<Finding>[]): ScenarioResult => {
    const scenario = get({}, ...found);
    scenario.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return scenario;
  };
  expect(headlines(withBody('<html>', malformed, said('text/html')))).toHaveLength(1);
  expect(headlines(withBody('{}{}', malformed, said('absent')))).toHaveLength(2);
  expect(headlines(withBody('[{"id":1', malformed, said('application/octet-stream')))).toHaveLength(2);
  const crash = get({}, { check: 'server-error', rule: 'no-5xx', at: 'status', expected: 'below 500', actual: '500' });
  const none = { check: 'answered', at: 'response', expected: 'a complete HTTP response', actual: 'none' };
  expect(headlines(crash, list('/pets', { ...none, rule: 'refused' }))).toHaveLength(1);
  expect(headlines(crash, list('/pets', { ...none, rule: 'incomplete' }))).toHaveLength(2);
});

test('what was taken although it should have been refused explains nothing that was there before', () => {
  const breaks = [{ at: 'body/status', rule: 'enum', actual: '""' }];
  const at = (startedAt: string, scenario: ScenarioResult): ScenarioResult => {
    scenario.steps[0]!.exchanges[0]!.startedAt = startedAt;
    return scenario;
  };
  const accepted = at('2030-01-01T00:00:02Z', answer('createPet', { ...post, breaks }, status('400', '201')));
  const empty = { check: 'body', rule: 'enum', at: 'body/0/status', expected: 'one of "sold"', actual: '""' };
  expect(headlines(accepted, at('2030-01-01T00:00:03Z', list('/pets', empty)))).toHaveLength(1);
  expect(headlines(accepted, at('2030-01-01T00:00:01Z', list('/pets', empty)))).toHaveLength(2);
});

test('only a record that was created, or that a response showed, is missing', () => {
  const lost = status('200', '404');
  expect(headlines(get({ asksUnknown: true }, lost))).toEqual(['getPet rejects with 404 what the contract allows']);
  expect(headlines(list('/pets?status=sold', lost))).toEqual([
    'listPets rejects with 404 what the contract allows with status=sold',
  ]);
  expect(headlines(get(CREATED, lost))).toEqual(['A created record is missing in responses of getPet']);
  expect(headlines(get({ asksFor: 'shown' }, lost))).toEqual([
    'A record that a response showed is missing in responses of getPet',
  ]);
});

test('what a list without a filter has and should not, by a scenario of its own, is no defect of a filter', () => {
  expect(headlines(list('/pets?limit=5', leak('status')))).toEqual([
    'listPets lists records with `status` "pending", not "sold"',
  ]);
  expect(headlines(list('/pets?state=sold', leak('status')))).toEqual([
    'The filter by `status` of listPets returns records that do not match',
  ]);
});
