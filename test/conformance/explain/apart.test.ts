import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { answer, get, headlines, list, samePet, status } from './answers.js';

// Causes that are wide: another pet, another encoding, missing ids, refused pets that are stored. Each explains its own.

test('another pet for some ids explains no pet that lists lack and that was answered as it was asked for', () => {
  const other = get({}, { check: 'right-pet', rule: 'id', at: 'body/id', expected: '4294967303', actual: '7' });
  const unlisted = (actual: string): Partial<Finding> => ({
    check: 'listed',
    rule: 'present',
    at: 'body/id',
    expected: 'a pet of the list, which is complete',
    actual: `${actual}, which the list does not have`,
  });
  expect(headlines(other, get({}, unlisted('8')))).toHaveLength(1);
  expect(headlines(other, get({}, unlisted('7')))).toHaveLength(2);
});

test('bytes in another encoding explain wrong letters beyond ASCII, and no others', () => {
  const bytes = list('/pets', {
    check: 'json',
    rule: 'well-formed',
    at: 'body',
    expected: 'JSON (RFC 8259)',
    actual: 'the bytes are not valid UTF-8',
  });
  expect(headlines(bytes, get({}, samePet('body/name', '"Zoë"', '"ZoÃ«"')))).toHaveLength(1);
  expect(headlines(bytes, get({}, samePet('body/name', '"O\'Malley"', '"O\'\'Malley"')))).toHaveLength(2);
});

test('a field that one item of a list lacks is missing for another reason than one that all items lack', () => {
  const lacks = (...places: string[]): Partial<Finding>[] =>
    places.map((at) => ({ check: 'body', rule: 'required', at: `body/${at}`, expected: 'present', actual: 'nothing' }));
  expect(headlines(list('/pets', ...lacks('0/id', '1/id', '0/name', '1/name', '0/status', '1/status')))).toHaveLength(
    1,
  );
  expect(headlines(list('/pets', ...lacks('0/id', '1/id', '1/categoryId')))).toHaveLength(2);
});

test('a refused pet that is stored explains no field that a pet lacks that was created as the contract allows', () => {
  const kept = { check: 'none-refused', rule: 'refused', at: 'body/1', expected: 'none', actual: '"Rex", refused' };
  const lacks = (at: string): Partial<Finding> => ({
    check: 'body',
    rule: 'required',
    at: `body/${at}/categoryId`,
    expected: 'present',
    actual: 'nothing',
  });
  const own = { ...samePet('body/0/categoryId', '0', 'absent'), check: 'contains' };
  expect(headlines(list('/pets', kept, lacks('1')))).toHaveLength(1);
  expect(headlines(list('/pets', kept, lacks('1'), lacks('0'), own))).toHaveLength(2);
});

test('nor a change of another kind, beside letters of every kind', () => {
  const bytes = {
    check: 'json',
    rule: 'well-formed',
    at: 'body',
    expected: 'JSON',
    actual: 'the bytes are not valid UTF-8',
  };
  const normalised = get({}, samePet('body/name', '"a\u00A0b\u2028 Rex"', '"a b\u2028 Rex"'));
  expect(headlines(list('/pets', bytes), normalised)).toHaveLength(2);
});

test.each([
  ['in other quotation marks', "{'code':'not_found','message':'There is none','status':404}"],
  ['in a list of its own', '[{"code":"not_found","message":"There is none","status":404}]'],
])('an Error body under a success is told as that %s too', (_, body) => {
  const unknown = get({ path: '/pets/9', asksUnknown: true }, status('404', '200'));
  unknown.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
  expect(headlines(unknown)).toEqual(['getPet answers 200 with an Error body']);
});

test('what filtered lists lost explains short pages with a filter, and no others', () => {
  const lost = {
    check: 'contains',
    rule: 'present',
    at: 'body',
    expected: 'the pet 7 ("Rex")',
    actual: 'not in the list',
  };
  const short = {
    check: 'page',
    rule: 'full',
    at: 'body',
    expected: '20 pets, since a longer list has 50',
    actual: '19 pets',
  };
  const filtered = list('/pets?limit=100&status=sold', lost);
  expect(headlines(filtered, list('/pets?limit=20&status=sold', short))).toHaveLength(1);
  expect(headlines(filtered, list('/pets', short))).toHaveLength(2);
});

const lacksFields = (...places: string[]): Partial<Finding>[] =>
  places.map((at) => ({ check: 'body', rule: 'required', at: `body/${at}`, expected: 'present', actual: 'nothing' }));

test('a refused pet that is stored explains no wrong id, which no request has', () => {
  const kept = { check: 'none-refused', rule: 'refused', at: 'body/1', expected: 'none', actual: '"Rex", refused' };
  const text = (field: string): Partial<Finding> => ({
    check: 'body',
    rule: 'type',
    at: `body/1/${field}`,
    expected: 'another type',
    actual: '"151"',
  });
  expect(headlines(list('/pets', kept, text('categoryId')))).toHaveLength(1);
  expect(headlines(list('/pets', kept, text('id')))).toHaveLength(2);
});

const LOST = {
  check: 'contains',
  rule: 'present',
  at: 'body',
  expected: 'the pet 5 ("Rex")',
  actual: 'not in the list, which is complete',
};

test('an object in place of a list, which is read all the same, explains no pet that it lacks; numbers in place of pets do', () => {
  const type = (at: string, actual: string): Partial<Finding> => ({
    check: 'body',
    rule: 'type',
    at,
    expected: 'an array',
    actual,
  });
  expect(headlines(list('/pets', type('body', '{"data":[]}'), LOST))).toHaveLength(2);
  expect(headlines(list('/pets', type('body/0', '5'), LOST))).toHaveLength(1);
});

test('what one operation lacks beside other fields, another lacks for a reason of its own; the order of fields is none', () => {
  expect(headlines(get({}, ...lacksFields('name', 'id')), list('/pets', ...lacksFields('0/id', '0/name')))).toEqual([
    '`name` and `id` of a pet are missing in the answers of getPet and listPets',
  ]);
  expect(headlines(get({}, ...lacksFields('name', 'id')), list('/pets', ...lacksFields('0/name')))).toEqual([
    '`name` and `id` of a pet are missing in the answers of getPet',
    '`name` of a pet is missing in the answers of listPets',
  ]);
});

test('names that lose their end explain none that loses a letter within', () => {
  const cut = get({}, samePet('body/name', '"a long name of Rex"', '"a long"'));
  expect(headlines(cut, get({}, samePet('body/name', '"another long name"', '"another"')))).toHaveLength(1);
  expect(headlines(cut, get({}, samePet('body/name', '"a \\\\ cat of Rex"', '"a  cat of Rex"')))).toHaveLength(2);
});

test('what is no JSON explains what its letters are taken for in the same answer, where JSON escapes them', () => {
  const json = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'the JSON is malformed' };
  const quoted = samePet('body/name', '"say \\"Rex\\""', '"say \'Rex\'"');
  expect(headlines(get({}, json, quoted))).toHaveLength(1);
  expect(headlines(get({}, json), get({}, quoted))).toHaveLength(2);
  expect(headlines(get({}, json, samePet('body/name', '"Rex"', '"REX"')))).toHaveLength(2);
});

test('what is no JSON explains numbers that JSON does not have, which are read as texts, and no other text', () => {
  const json = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'the JSON is malformed' };
  const text = (actual: string): Partial<Finding> => ({
    check: 'body',
    rule: 'type',
    at: 'body/0/categoryId',
    expected: 'an integer',
    actual,
  });
  const changed = samePet('body/0/categoryId', '1', '"NaN"');
  expect(headlines(list('/pets', json, text('"NaN"'), changed))).toHaveLength(1);
  expect(headlines(list('/pets', json, text('"one"')))).toHaveLength(2);
});

test('too many pets on a page explain what lists lack, and no pet that cannot be fetched', () => {
  const long = (rule: string): Partial<Finding> => ({
    check: 'limit',
    rule,
    at: 'body',
    expected: 'at most 20 pets (the limit)',
    actual: '36 pets',
  });
  const pages = [list('/pets?limit=20', long('asked')), list('/pets', long('default'))];
  expect(headlines(...pages, list('/pets', LOST))).toHaveLength(1);
  expect(headlines(...pages, get({}, status('200', '404')))).toHaveLength(2);
});

test('a wrong status of all successes is that of a pet which need not be there as well', () => {
  const all = get({}, status('200', '201'));
  const unlisted = get({ path: '/pets/19', asksUnknown: true }, status('200 or 404', '201'));
  const unknown = get({ path: '/pets/99', asksUnknown: true }, status('404', '201'));
  expect(headlines(all, unlisted)).toEqual(['getPet answers 201 instead of 200']);
  expect(headlines(all, unlisted, unknown)).toHaveLength(2);
});

test('two lists that are no JSON are not read again until they agree, so nothing is missing from the one', () => {
  const json = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'the JSON is malformed' };
  const surplus = {
    check: 'covers',
    rule: 'surplus',
    at: 'body',
    expected: 'the pet 151 absent, since the whole list does not show it',
    actual: 'in the list',
  };
  expect(headlines(list('/pets?status=sold', json, surplus))).toHaveLength(1);
  expect(headlines(list('/pets', json), list('/pets?status=sold', surplus))).toHaveLength(2);
});

test('an answer with another pet explains that its id is not found, and no other', () => {
  const other = get({}, { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '101' });
  expect(headlines(other, get({ path: '/pets/101' }, status('200', '404')))).toHaveLength(1);
  expect(headlines(other, get({ path: '/pets/8' }, status('200', '404')))).toHaveLength(2);
});

test('letters of ASCII are decoded alike: a name that lost others was changed besides', () => {
  const misdecoded = samePet('body/name', '"Zoë"', '"Zo\uFFFD\uFFFD"');
  const other = samePet('body/name', '"\uFFFD\uFFFD👩 Rex"', '"\uFFFD\uFFFD? Rex"');
  expect(headlines(get({}, misdecoded), get({}, other))).toHaveLength(2);
  const more = samePet('body/name', '"👩 Rex"', '"\uFFFD\uFFFD Rex"');
  expect(headlines(get({}, misdecoded), get({}, more))).toHaveLength(1);
  const lowerBytes = samePet('body/name', '"Rex\u2028"', '"Rex("');
  expect(headlines(get({}, misdecoded), get({}, lowerBytes))).toHaveLength(1);
});

test('an id that a list shows twice explains a pet that is there twice, unless different pets have it', () => {
  const id = { check: 'unique-ids', rule: 'unique', at: 'body/1/id', expected: 'an id of its own', actual: '7, as at' };
  const twice = { check: 'stored-once', rule: 'once', at: 'body/1', expected: '"Rex" once', actual: 'once more' };
  const showing = (...names: string[]): ScenarioResult => {
    const shown = list('/pets', id, twice);
    const body = JSON.stringify(names.map((name) => ({ id: 7, name })));
    shown.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return shown;
  };
  expect(headlines(showing('Rex', 'Rex'))).toHaveLength(1);
  expect(headlines(showing('Rex', 'Rex', 'Tom'))).toHaveLength(2);
});

test('a valid request that gets an Error body is refused by it, beside errors that are successes too', () => {
  const body = '{"code":"invalid_body","message":"No.","status":400}';
  const said = (each: ScenarioResult): ScenarioResult => {
    each.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return each;
  };
  const post = { method: 'POST', path: '/pets' };
  const refused = said(answer('createPet', post, status('400', '200')));
  const valid = said(answer('createPet', post, status('201', '200')));
  expect(headlines(refused, valid)).toEqual([
    'createPet answers 200 with an Error body',
    'createPet refuses with 400 what the contract allows',
  ]);
  expect(headlines(valid)).toEqual(['createPet answers 200 with an Error body']);
});

const lacking = (path: string, ...more: Partial<Finding>[]): ScenarioResult => {
  const expected = 'the pet 7 in the list';
  return list(path, { check: 'covers', rule: 'missing', at: 'body', expected, actual: 'absent' }, ...more);
};

test('pages that are made in another way explain what pages of the same filter lack', () => {
  const long = (rule: string): Partial<Finding> => ({
    check: 'limit',
    rule,
    at: 'body',
    expected: 'at most 20 pets',
    actual: '36 pets',
  });
  const pages = list('/pets?status=sold', long('asked'), long('default'));
  expect(headlines(pages, lacking('/pets?status=sold'))).toHaveLength(1);
  expect(headlines(pages, lacking('/pets?status=pending'))).toHaveLength(2);
  const short = { check: 'page', rule: 'full', at: 'body', expected: '10 pets', actual: '9 pets' };
  expect(headlines(pages, list('/pets?status=sold&limit=10', short))).toHaveLength(1);
  expect(headlines(pages, list('/pets?status=pending&limit=10', short))).toHaveLength(2);
});

test('a limit that is not kept explains short pages as long as those that are too long', () => {
  const long = list('/pets?limit=3', {
    check: 'limit',
    rule: 'asked',
    at: 'body',
    expected: 'at most 3 pets',
    actual: '20 pets',
  });
  const short = (pets: number): typeof long =>
    list('/pets?limit=50', { check: 'page', rule: 'full', at: 'body', expected: '50 pets', actual: `${pets} pets` });
  expect(headlines(long, short(20))).toHaveLength(1);
  expect(headlines(long, short(49))).toHaveLength(2);
});

test('a pet that is listed twice takes the room of as many others', () => {
  const id = { check: 'unique-ids', rule: 'unique', at: 'body/1/id', expected: 'an id of its own', actual: '8, as at' };
  const others = { check: 'covers', rule: 'missing', at: 'body', expected: 'the pet 9 in the list', actual: 'absent' };
  expect(headlines(lacking('/pets?status=sold', id))).toHaveLength(1);
  expect(headlines(lacking('/pets?status=sold', id, others))).toHaveLength(2);
});

test('what an answer lacks is not due to what those of another operation lack', () => {
  const required = { check: 'body', rule: 'required', expected: 'present', actual: 'nothing' };
  const fields = [
    { ...required, at: 'body/name' },
    { ...required, at: 'body/id' },
  ];
  const created = answer('createPet', { method: 'POST', path: '/pets' }, ...fields);
  const left = samePet('body/status', '"sold"', 'absent');
  expect(headlines(created, get({}, left))).toHaveLength(2);
  expect(headlines(get({}, ...fields), get({}, left))).toHaveLength(1);
});

test('a success with another status is a record all the same, a redirect is none', () => {
  const none = { check: 'body', rule: 'type', at: 'body', expected: 'an object', actual: 'null' };
  const created = (given: string): ScenarioResult =>
    answer('createPet', { method: 'POST', path: '/pets' }, status('201', given), none);
  expect(headlines(created('200'))).toHaveLength(2);
  expect(headlines(created('303'))).toHaveLength(1);
});
