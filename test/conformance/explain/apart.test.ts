import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { answer, get, headlines, list, changed, status } from './answers.js';

// Causes that are wide: another encoding, missing fields, what is no JSON. Each explains its own.

test('bytes in another encoding explain wrong letters beyond ASCII, and no others', () => {
  const bytes = list('/pets', {
    check: 'json',
    rule: 'well-formed',
    at: 'body',
    expected: 'JSON (RFC 8259)',
    actual: 'the bytes are not valid UTF-8',
  });
  expect(headlines(bytes, get({}, changed('body/name', '"Zoë"', '"ZoÃ«"')))).toHaveLength(1);
  expect(headlines(bytes, get({}, changed('body/name', '"O\'Malley"', '"O\'\'Malley"')))).toHaveLength(2);
});

test('a field that one item of a list lacks is missing for another reason than one that all items lack', () => {
  const lacks = (...places: string[]): Partial<Finding>[] =>
    places.map((at) => ({ check: 'body', rule: 'required', at: `body/${at}`, expected: 'present', actual: 'nothing' }));
  expect(headlines(list('/pets', ...lacks('0/id', '1/id', '0/name', '1/name', '0/status', '1/status')))).toHaveLength(
    1,
  );
  expect(headlines(list('/pets', ...lacks('0/id', '1/id', '1/categoryId')))).toHaveLength(2);
});

test('nor a change of another kind, beside letters of every kind', () => {
  const bytes = {
    check: 'json',
    rule: 'well-formed',
    at: 'body',
    expected: 'JSON',
    actual: 'the bytes are not valid UTF-8',
  };
  const normalised = get({}, changed('body/name', '"a\u00A0b\u2028 Rex"', '"a b\u2028 Rex"'));
  expect(headlines(list('/pets', bytes), normalised)).toHaveLength(2);
});

test.each([
  ['in other quotation marks', "{'code':'not_found','message':'There is none','status':404}"],
  ['in a list of its own', '[{"code":"not_found","message":"There is none","status":404}]'],
])('an Error body under a success is told as that %s too', (_, body) => {
  const unknown = get({ path: '/pets/9', asksUnknown: true }, status('404', '200'));
  unknown.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
  expect(headlines(unknown)).toEqual(['getPet returns 200 with an Error body']);
});

const lacksFields = (...places: string[]): Partial<Finding>[] =>
  places.map((at) => ({ check: 'body', rule: 'required', at: `body/${at}`, expected: 'present', actual: 'nothing' }));

test('what one operation lacks beside other fields, another lacks for a reason of its own; the order of fields is none', () => {
  expect(headlines(get({}, ...lacksFields('name', 'id')), list('/pets', ...lacksFields('0/id', '0/name')))).toEqual([
    '`name` and `id` of a record are missing in responses of getPet and listPets',
  ]);
  expect(headlines(get({}, ...lacksFields('name', 'id')), list('/pets', ...lacksFields('0/name')))).toEqual([
    '`name` and `id` of a record are missing in responses of getPet',
    '`name` of a record is missing in responses of listPets',
  ]);
});

test('what is no JSON explains what its letters are taken for in the same answer, where JSON escapes them', () => {
  const json = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'the JSON is malformed' };
  const quoted = changed('body/name', '"say \\"Rex\\""', '"say \'Rex\'"');
  expect(headlines(get({}, json, quoted))).toHaveLength(1);
  expect(headlines(get({}, json), get({}, quoted))).toHaveLength(2);
  expect(headlines(get({}, json, changed('body/name', '"Rex"', '"REX"')))).toHaveLength(2);
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
  const wrong = changed('body/0/categoryId', '1', '"NaN"');
  expect(headlines(list('/pets', json, text('"NaN"'), wrong))).toHaveLength(1);
  expect(headlines(list('/pets', json, text('"one"')))).toHaveLength(2);
});

test('a wrong status of all successes is that of a record which need not be there as well', () => {
  const all = get({}, status('200', '201'));
  const unlisted = get({ path: '/pets/19', asksUnknown: true }, status('200 or 404', '201'));
  const unknown = get({ path: '/pets/99', asksUnknown: true }, status('404', '201'));
  expect(headlines(all, unlisted)).toEqual(['getPet returns 201 instead of 200']);
  expect(headlines(all, unlisted, unknown)).toHaveLength(2);
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
    'createPet returns 200 with an Error body',
    'createPet rejects with 400 what the contract allows',
  ]);
  expect(headlines(valid)).toEqual(['createPet returns 200 with an Error body']);
});

test('fields that an answer loses explain one more that it must have, and none that another answer lacks', () => {
  const lost = ['name', 'tag'].map((field) => changed(`body/${field}`, '"Rex"', 'absent'));
  expect(headlines(get({}, ...lost, ...lacksFields('id')))).toHaveLength(1);
  expect(headlines(get({}, ...lost), get({}, ...lacksFields('id')))).toHaveLength(2);
});

test('a success with another status is a record all the same, a redirect is none', () => {
  const none = { check: 'body', rule: 'type', at: 'body', expected: 'an object', actual: 'null' };
  const created = (given: string): ScenarioResult =>
    answer('createPet', { method: 'POST', path: '/pets' }, status('201', given), none);
  expect(headlines(created('200'))).toHaveLength(2);
  expect(headlines(created('303'))).toHaveLength(1);
});
