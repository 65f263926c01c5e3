import { describe, expect, test } from 'vitest';
import type { BrokenOnPurpose } from '../../../src/conformance/model/exchange.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding } from '../../report/results.js';
import { answer, changed, get, headlines, list, status } from './answers.js';

const { request } = makeExchange();

function sent(operationId: string, body: object, code: number): ExchangeResult {
  return makeExchange({
    operationId,
    request: { ...request, method: 'POST', path: '/things', body: JSON.stringify(body) },
    response: { status: code, headers: {}, body: '' },
  });
}

/** A scenario with these exchanges, the last of which deviates. */
function make(id: string, exchanges: readonly ExchangeResult[], finding: Partial<Finding>): ScenarioResult {
  const [last, ...before] = exchanges.toReversed();
  const found = makeDeviating(id, [makeFinding(finding)], last).steps[0]!.exchanges;
  const steps = [...before.toReversed(), ...found];
  return { ...makeDeviating(id, []), steps: steps.map((each, index) => ({ id: `${index}`, exchanges: [each] })) };
}

test('a create that is sent again and makes a second record was not asked for one', () => {
  const key = { check: 'record', rule: 'key', at: 'body/id', expected: '7', actual: '8' };
  const twice = [sent('addThing', { name: 'Cfc' }, 201), sent('addThing', { name: 'Cfc' }, 201)];
  expect(headlines(make('things/requests/sent-again[Idempotency-Key]', twice, key))).toEqual([
    'addThing returns a second record when a request is sent again with the same `Idempotency-Key`',
  ]);
  expect(headlines(make('things/records/get', twice, key))).toEqual([
    'addThing returns another record than the requested one',
  ]);
});

describe('what is accepted although the contract does not allow it', () => {
  const accepts = (...breaks: BrokenOnPurpose[]): string[] =>
    headlines(...breaks.map((each) => answer('addThing', { breaks: [each] }, status('400', '201'))));
  const long = `"${'x'.repeat(51)}"`;

  test.each<[BrokenOnPurpose[], string]>([
    [
      [{ at: 'body/name', rule: 'maxLength', expected: 'at most 50 characters long', actual: long }],
      '`name` as a text that is too long, though it must be at most 50 characters long',
    ],
    [
      [{ at: 'body/name', rule: 'minLength', expected: 'at least 3 characters long', actual: '"xx"' }],
      '`name` "xx", though it must be at least 3 characters long',
    ],
    [
      [{ at: 'body/code', rule: 'pattern', expected: 'a text that matches ^[A-Z]+$', actual: long }],
      '`code` as a text that does not match its pattern, though it must be a text that matches ^[A-Z]+$',
    ],
    [
      [{ at: 'body/tags', rule: 'maxItems', expected: 'an array of at most 9 items', actual: `[${long}]` }],
      '`tags` as a list that is too long, though it must be an array of at most 9 items',
    ],
    [
      [{ at: 'query/limit', rule: 'type', expected: 'an integer', actual: '"ten"' }],
      '`limit` "ten", though it must be an integer',
    ],
    [
      [
        { at: 'body/open', rule: 'type', expected: 'a boolean', actual: 'null' },
        { at: 'body/open', rule: 'type', expected: 'a boolean', actual: '"yes"' },
      ],
      '`open` null and as text, though it must be a boolean',
    ],
    [
      [
        { at: 'body/size', rule: 'minimum', expected: 'at least 1', actual: '0' },
        { at: 'body/size', rule: 'maximum', expected: 'at most 9', actual: '10' },
      ],
      '`size` 0 and 10, which the contract does not allow',
    ],
    [
      [{ at: 'body/extra', rule: 'additionalProperties', expected: 'absent', actual: '{"extra":1}' }],
      'a body with `extra`, which the contract does not allow',
    ],
  ])('%# is named with what is wrong with it', (breaks, told) => {
    expect(accepts(...breaks)).toEqual([`addThing accepts ${told}`]);
  });
});

describe('a header field that is missing', () => {
  const lacks = (name: string): Partial<Finding> => ({
    check: 'body',
    rule: 'required',
    at: `header/${name.toLowerCase()}`,
    expected: 'present',
    actual: 'nothing',
    contract: { file: 'c.yaml', line: 1, pointer: `/paths/~1things/post/responses/201/headers/${name}/required` },
  });

  test('is no field of a record, and one problem with others of the same answers', () => {
    expect(headlines(answer('addThing', {}, lacks('Location')))).toEqual([
      'addThing returns 200 without the header field `Location`',
    ]);
    expect(headlines(answer('addThing', {}, lacks('X-Left'), lacks('X-Limit')))).toEqual([
      'addThing returns 200 without the header fields `X-Left` and `X-Limit`',
    ]);
  });

  test('is no problem of its own where the request should have been refused', () => {
    const breaks = [{ at: 'body', rule: 'json', actual: 'a body that is not JSON' }];
    expect(headlines(answer('addThing', { breaks }, status('415', '201'), lacks('Location')))).toEqual([
      'addThing accepts a body that is not JSON, which the contract does not allow',
    ]);
  });
});

test('a header field of another kind is told with what it is', () => {
  const wrong = { check: 'body', rule: 'type', at: 'header/x-left', expected: 'an integer', actual: '"few"' };
  expect(headlines(answer('addThing', {}, wrong))).toEqual([
    'addThing returns 200 with `x-left` "few", not an integer',
  ]);
});

test('another status for a record that does not exist loses none', () => {
  const removal = makeExchange({
    operationId: 'removeThing',
    request: { ...request, method: 'DELETE', path: '/things/7' },
  });
  const removed = makeExchange({ request: { ...request, path: '/things/7' } });
  expect(headlines(make('things/changes/remove', [removal, removed], status('404', '410')))).toEqual([
    'listPets returns 410 instead of 404 for a record that does not exist',
  ]);
});

test('a crash at some keys of no record names them, and one at which there was none', () => {
  const at = (key: string, code: number, auth: 'valid' | 'wrong' = 'valid'): ExchangeResult =>
    makeExchange({
      operationId: 'getThing',
      request: { ...request, auth, path: `/things/${key}?all=true`, asksUnknown: true },
      response: { status: code, headers: {}, body: '' },
    });
  const crash = { check: 'server-error', rule: 'no-5xx', expected: 'a status below 500', actual: '500' };
  const of = (...exchanges: ExchangeResult[]): string[] =>
    headlines(make('things/records/odd-key', exchanges, { ...crash, at: 'status' }));
  expect(of(at('7', 404), at('a%20b', 500))).toEqual([
    'getThing fails with 500 for the key a b, and returns 404 for 7',
  ]);
  // What was asked with a wrong key, or was served, says nothing of keys.
  expect(of(at('7', 401, 'wrong'), at('8', 200), at('9', 500))).toEqual([
    'getThing fails with 500 for 1 of 2 requests',
  ]);
});

test('304 without a key is no sign that the record changed', () => {
  const keyless = makeExchange({
    operationId: 'getThing',
    request: { ...request, auth: 'missing', path: '/things/7' },
    response: { status: 304, headers: {}, body: '' },
  });
  expect(headlines(make('things/own/get', [keyless], status('401', '304')))).toEqual([
    'getThing returns 304 instead of 401 without a key',
  ]);
});

test('of many operations, some are named', () => {
  const keyless = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) =>
    answer(each, { auth: 'missing' }, status('401', '200')),
  );
  expect(headlines(...keyless)).toEqual([
    'The key is not checked: a, b, c, d and 3 more operations serve requests without a key',
  ]);
});

test('a value that changed between two responses is shown with the former one', () => {
  const before = (expected: string): Partial<Finding> => ({
    check: 'equals',
    rule: 'equal',
    at: 'body/status',
    expected: `${expected}, as in the previous response`,
    value: expected,
    actual: '"sold"',
  });
  expect(headlines(get({}, before('absent')))).toEqual([
    '`status` of a record changes in responses of getPet: "sold" instead of none',
  ]);
  expect(headlines(get({}, before('"pending"')))).toEqual([
    '`status` of a record changes in responses of getPet: "sold" instead of "pending"',
  ]);
});

test('values that are not as they were sent are cut where they differ, and no cause is stated', () => {
  const long = 'x'.repeat(80);
  expect(headlines(get({}, changed('body/name', `"${long}"`, `"${long.slice(1)}"`)))).toEqual([
    expect.stringMatching(/^`name` is not as it was sent in responses of getPet: …x+" instead of …x+"$/),
  ]);
  expect(headlines(get({}, changed('body/name', '"Cfa"', '"cfa"')))).toEqual([
    '`name` is not as it was sent in responses of getPet: "cfa" instead of "Cfa"',
  ]);
});

test('the most severe comes first: what lets others in, what changes records, what is of form', () => {
  const found = headlines(
    ...[1, 2, 3].map(() =>
      get({}, { check: 'error-body', rule: 'status', at: 'body/status', expected: '404', actual: '1' }),
    ),
    get({}, changed('body/name', '"Rex"', '"Max"')),
    list('/pets', status('401', '200')),
  );
  expect(found.map((each) => each.slice(0, 12))).toEqual(['What is not ', '`name` is no', '`status` in ']);
});
