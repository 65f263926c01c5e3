import { describe, expect, test } from 'vitest';
import { findProblems } from '../../../src/conformance/explain/find-problems.js';
import type { BrokenOnPurpose } from '../../../src/conformance/model/sent-request.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding, makeScenario } from '../../report/results.js';
import { answer, as, asks, get, headlines, status } from './answers.js';

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

function refused(id: string, ...exchanges: ExchangeResult[]): ScenarioResult {
  return make(id, exchanges, status('201', String(exchanges.at(-1)?.response?.status)));
}

function served(...bodies: object[]): ScenarioResult {
  const exchanges = bodies.map((body) => sent('addThing', body, 201));
  return makeScenario('things/served', 'passed', { steps: [{ id: 'create', exchanges }] });
}

describe('what is refused although the contract allows it', () => {
  const taken = served({ name: 'Cfa', size: 1, kind: 'a' }, { name: 'Cfb', size: 2, kind: 'a' });

  test('is named by the one value that all refused requests have, and no other', () => {
    const [one, two] = [
      { name: 'Cfc', size: 1, kind: 'b' },
      { name: 'Cfd', size: 2, kind: 'b' },
    ];
    const told = headlines(
      taken,
      refused('things/records/create', sent('addThing', one, 422)),
      refused('things/records/get', sent('addThing', two, 422)),
    );
    expect(told).toEqual(['addThing rejects with 422 what the contract allows with `kind` "b"']);
    // A name that no two requests share is not what one of them is refused for.
    const lone = refused('things/records/create', sent('addThing', one, 400));
    expect(headlines(taken, lone)).toEqual(['addThing rejects with 400 what the contract allows with `kind` "b"']);
  });

  test('is named likewise if the service fails on it', () => {
    const crash = { ...status('a status below 500', '500'), check: 'server-error' };
    const failed = make('things/records/values', [sent('addThing', { name: 'Cfc', size: 1, kind: 'ë' }, 500)], crash);
    expect(headlines(taken, failed)).toEqual(['addThing fails with 500 with `kind` "ë"']);
  });

  test('is named by what it lacks', () => {
    const told = headlines(taken, refused('things/records/create', sent('addThing', { name: 'Cfc', size: 1 }, 422)));
    expect(told).toEqual(['addThing rejects with 422 what the contract allows without `kind`']);
  });

  test('is named by the parameter that it lacks', () => {
    const ask = (path: string, code: number): ExchangeResult =>
      makeExchange({ request: { ...request, path }, response: { status: code, headers: {}, body: '' } });
    const lists = ['/things?limit=2', '/things?limit=3&kind=a'].map((path) => ask(path, 200));
    const asked = makeScenario('things/lists/limit', 'passed', { steps: [{ id: 'list', exchanges: lists }] });
    const wrong = status('200', '400');
    const told = headlines(
      asked,
      make('things/lists/all', [ask('/things', 400)], wrong),
      make('things/lists/b', [ask('/things?kind=a', 400)], wrong),
    );
    expect(told).toEqual(['listPets rejects with 400 what the contract allows without `limit`']);
  });

  test.each([
    ['two values may be the reason', [taken], { name: 'Cfc', size: 1, kind: 'b', colour: 'red' }, 422],
    ['all is refused', [], { name: 'Cfc', size: 1, kind: 'b' }, 422],
    ['one request was served', [served({ name: 'Cfa', kind: 'a' })], { name: 'Cfc', kind: 'a' }, 422],
    [
      'only a name of the run is new',
      [served({ name: 'same', kind: 'a' }, { name: 'same', kind: 'a' })],
      { name: 'cfabcdex', kind: 'a' },
      400,
    ],
    ['the status is not about values', [taken], { name: 'Cfc', size: 1, kind: 'b' }, 412],
  ])('is not guessed where %s', (_, others, body, code) => {
    const told = headlines(...others, refused('things/records/create', sent('addThing', body, code)));
    expect(told).toEqual([`addThing rejects with ${code} what the contract allows`]);
  });

  test('is a request that is sent again', () => {
    const twice = [sent('addThing', { name: 'Cfc' }, 201), sent('addThing', { name: 'Cfc' }, 409)];
    expect(headlines(refused('things/requests/sent-again[Idempotency-Key]', ...twice))).toEqual([
      'addThing rejects with 409 what the contract allows when it is sent again with the same `Idempotency-Key`',
    ]);
    expect(headlines(refused('things/changes/replace-twice', ...twice))).toEqual([
      'addThing rejects with 409 what the contract allows when it is sent again',
    ]);
  });
});

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

  test('is in later answers as it was sent, and nothing is doubtful about that', () => {
    const breaks = [{ at: 'body/name', rule: 'minLength', expected: 'at least 3 characters long', actual: '"xx"' }];
    const taken = answer('addThing', { method: 'POST', breaks }, status('400', '201'));
    const shown = (actual: string): ScenarioResult =>
      answer('listPets', { path: '/things' }, { check: 'body', rule: 'minLength', at: 'body/3/name', actual });
    const doubts = (actual: string): (string | undefined)[] =>
      findProblems({ scenarios: [as('things/records/values', taken), as('things/lists/pages', shown(actual))] }).map(
        (each) => each.uncertain,
      );
    expect(doubts('"xx"')).toEqual([undefined]);
    expect(doubts('"yy"')).toEqual([expect.stringContaining('values of another kind')]);
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

test('a record that is not where the answer to its creation says is told so', () => {
  const found = make(
    'things/records/get',
    [makeExchange({ operationId: 'readThing', request: { ...request, asksFor: 'created' } })],
    status('200', '404'),
  );
  const lost = asks('first', found);
  const told = (headers: Record<string, string>, body = '', id = 'things/records/create'): string[] => {
    const created = { ...sent('addThing', {}, 201), response: { status: 201, headers, body } };
    return headlines(makeScenario(id, 'passed', { steps: [{ id: 'create', exchanges: [created] }] }), lost);
  };
  const location = { location: '/things/9' };
  expect(told(location)).toEqual([
    'A created record is not at the `Location` of the response that created it (readThing)',
  ]);
  for (const other of [told({}), told(location, '{"id":9}'), told(location, '', 'others/records/create')])
    expect(other).toEqual(['A created record is missing in responses of readThing']);
});

test('a number past int64 that was sent, and comes back digit by digit, was not rounded', () => {
  const past = '9223372036854775808';
  const found = { check: 'body', rule: 'maximum', at: 'body/size', expected: 'an int64', actual: past };
  const shown = makeExchange({ operationId: 'readThing' });
  const told = (body: string): string[] => {
    const create = makeExchange({ operationId: 'addThing', request: { ...request, method: 'POST', body } });
    return headlines(make('things/records/values', [create, shown], found));
  };
  expect(told(`{"size":${past}}`)).toEqual([expect.stringMatching(/^`size` of a record is a number \(9223/)]);
  expect(told('{"size":9223372036854775807}')).toEqual([expect.stringMatching(/^Integers past 2\^53 are rounded/)]);
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

test('of many operations, some are named', () => {
  const keyless = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) =>
    answer(each, { auth: 'missing' }, status('401', '200')),
  );
  expect(headlines(...keyless)).toEqual([
    'The key is not checked: a, b, c, d and 3 more operations serve requests without a key',
  ]);
});

test('a record with what nobody gave it, and one with another value than before, are told in one reading', () => {
  const before = (expected: string): Partial<Finding> => ({
    check: 'equals',
    rule: 'equal',
    at: 'body/status',
    expected: `${expected}, as in the previous response`,
    actual: '"sold"',
  });
  expect(headlines(get({}, before('absent')))).toEqual([
    '`status` of a record without it is "sold" in responses of getPet',
  ]);
  expect(headlines(get({}, before('absent')), get({}, before('"pending"')))).toEqual([
    '`status` of a record changes in responses of getPet: "sold" instead of none',
  ]);
});

test.each([
  ['-7', 'a negative key'],
  ['0', 'the key 0'],
  ['9007199254740993', 'a key past 2^53'],
  ['18446744073709551616', 'a key past int64'],
  ['%37', 'a key with a percent escape in it'],
])('a failure that all requests for the key %s show is one for %s', (key, told) => {
  const crash = { ...status('a status below 500', '500'), check: 'server-error' };
  expect(headlines(get({ path: `/pets/${key}` }, crash))).toEqual([`getPet fails with 500 for ${told}`]);
  const unusual = get({ path: `/pets/${key}` }, crash);
  expect(headlines(unusual, get({ path: '/pets/7' }, crash))).toEqual(['getPet fails with 500']);
});

test('a record whose value changed in a known way is told how, and values are cut where they differ', () => {
  const long = 'x'.repeat(50);
  const cut = { check: 'record', rule: 'name', at: 'body/name' };
  const changed = (expected: string, actual: string): string[] =>
    headlines(
      make('things/records/get', [makeExchange()], { ...cut, expected: `${expected}, as it was sent`, actual }),
    );
  expect(changed(`"${long}"`, `"${long.slice(1)}"`)).toEqual([
    expect.stringMatching(
      /^`name` is not as it was sent in responses of listPets \(texts are cut\): …x+" instead of …x+"$/,
    ),
  ]);
  expect(changed('"Cfa"', '"Cfb"')).toEqual([
    '`name` is not as it was sent in responses of listPets: "Cfb" instead of "Cfa"',
  ]);
});
