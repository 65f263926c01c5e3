import { describe, expect, test } from 'vitest';
import type { BrokenOnPurpose } from '../../../src/conformance/model/exchange.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import { addExcerpts } from '../../../src/conformance/product/compose-result.js';
import { listAlso } from '../../../src/report/report-format.js';
import { makeDeviating, makeExchange, makeFinding, makeScenario } from '../../report/results.js';
import { answer, changed, find, get, headlines, list, status } from './answers.js';

const { request } = makeExchange();
type Sent = Partial<ExchangeResult['request']>;

const exchange = (operationId: string, sent: Sent, code: number): ExchangeResult =>
  makeExchange({ operationId, request: { ...request, ...sent }, response: { status: code, headers: {}, body: '' } });
const add = (body: object): Sent => ({ method: 'POST', path: '/things', body: JSON.stringify(body) });

/** A scenario with these exchanges, the last of which deviates. */
function make(id: string, exchanges: readonly ExchangeResult[], finding: Partial<Finding>): ScenarioResult {
  const found = makeDeviating(id, [makeFinding(finding)], exchanges.at(-1)).steps[0]!.exchanges;
  const steps = [...exchanges.slice(0, -1), ...found];
  return { ...makeDeviating(id, []), steps: steps.map((each, index) => ({ id: `${index}`, exchanges: [each] })) };
}

test('a create that is sent again and makes a second record was not asked for one', () => {
  const twice = [201, 201].map((code) => exchange('addThing', add({ name: 'Cfc' }), code));
  const key = find('record', 'key', 'body/id', '7', '8');
  expect(headlines(make('things/requests/sent-again[Idempotency-Key]', twice, key))).toEqual([
    'addThing returns a second record when a request is sent again with the same `Idempotency-Key`',
  ]);
  expect(headlines(make('things/records/get', twice, key))).toEqual([
    'addThing returns another record than the requested one',
  ]);
});

describe('what is accepted although the contract does not allow it', () => {
  const long = `"${'x'.repeat(51)}"`;
  const breach = (at: string, rule: string, expected: string, actual: string): BrokenOnPurpose => ({
    at,
    rule,
    expected,
    actual,
  });
  const isBoolean = ['body/open', 'type', 'a boolean'] as const;

  test.each<[string, ...BrokenOnPurpose[]]>([
    [
      '`name` as a text that is too long, though it must be at most 50',
      breach('body/name', 'maxLength', 'at most 50', long),
    ],
    [
      '`code` as a text that does not match its pattern, though it must be A-Z',
      breach('body/code', 'pattern', 'A-Z', long),
    ],
    ['`limit` "ten", though it must be an integer', breach('query/limit', 'type', 'an integer', '"ten"')],
    [
      '`open` null and as text, though it must be a boolean',
      breach(...isBoolean, 'null'),
      breach(...isBoolean, '"yes"'),
    ],
    [
      '`size` 0 and 10, which the contract does not allow',
      breach('body/size', 'minimum', 'at least 1', '0'),
      breach('body/size', 'maximum', 'at most 9', '10'),
    ],
    [
      'a body with `extra`, which the contract does not allow',
      breach('body/extra', 'additionalProperties', 'absent', '{"extra":1}'),
    ],
  ])('is named with what is wrong with it: %s', (told, ...breaks) => {
    const accepted = breaks.map((each) => answer('addThing', { breaks: [each] }, status('400', '201')));
    expect(headlines(...accepted)).toEqual([`addThing accepts ${told}`]);
  });
});

const lacks = (name: string): Partial<Finding> => ({
  ...find('body', 'required', `header/${name.toLowerCase()}`, 'present', 'nothing'),
  contract: { file: 'c.yaml', line: 1, pointer: `/paths/~1things/post/responses/201/headers/${name}/required` },
});
const noJson = { breaks: [{ at: 'body', rule: 'json', actual: 'a body that is not JSON' }] };
const before = (value: string): Partial<Finding> => ({
  ...find('equals', 'equal', 'body/status', `${value}, as in the previous response`, '"sold"'),
  value,
});
const ofRecord = (sent: Sent, code: number): ExchangeResult =>
  exchange('getThing', { path: '/things/7', ...sent }, code);

test.each<[string, ScenarioResult, string]>([
  ['one', answer('addThing', {}, lacks('Location')), 'addThing returns 200 without the header field `Location`'],
  [
    'several, as one problem',
    answer('addThing', {}, lacks('X-Left'), lacks('X-Limit')),
    'addThing returns 200 without the header fields `X-Left` and `X-Limit`',
  ],
  [
    'none, where the request should have been refused',
    answer('addThing', noJson, status('415', '201'), lacks('Location')),
    'addThing accepts a body that is not JSON, which the contract does not allow',
  ],
  [
    'one of another kind',
    answer('addThing', {}, find('body', 'type', 'header/x-left', 'an integer', '"few"')),
    'addThing returns 200 with `x-left` "few", not an integer',
  ],
])('what is wrong with header fields: %s', (_, scenario, told) => expect(headlines(scenario)).toEqual([told]));

const crash = { check: 'server-error', rule: 'no-5xx', expected: 'a status below 500', actual: '500', at: 'status' };
const atKey = (key: string, code: number, auth: 'valid' | 'wrong' = 'valid'): ExchangeResult =>
  exchange('getThing', { auth, path: `/things/${key}?all=true`, asksUnknown: true }, code);

test.each<[string, ScenarioResult, string]>([
  [
    'a crash at some keys of no record names them, and one at which there was none',
    make('things/records/odd-key', [atKey('7', 404), atKey('a%20b', 500)], crash),
    'getThing fails with 500 for the key a b, and returns 404 for 7',
  ],
  [
    'what was asked with a wrong key, or was served, says nothing of keys',
    make('things/records/odd-key', [atKey('7', 401, 'wrong'), atKey('8', 200), atKey('9', 500)], crash),
    'getThing fails with 500 for 1 of 2 requests',
  ],
  [
    'another status for a record that does not exist loses none',
    make('things/changes/remove', [ofRecord({ method: 'DELETE' }, 204), ofRecord({}, 410)], status('404', '410')),
    'getThing returns 410 instead of 404 for a record that does not exist',
  ],
  [
    '304 without a key is no sign that the record changed',
    make('things/own/get', [ofRecord({ auth: 'missing' }, 304)], status('401', '304')),
    'getThing returns 304 instead of 401 without a key',
  ],
  [
    'a value that changed between two responses is shown with none before it',
    get({}, before('absent')),
    '`status` of a record changes in responses of getPet: "sold" instead of none',
  ],
  [
    'a value that changed between two responses is shown with the former one',
    get({}, before('"pending"')),
    '`status` of a record changes in responses of getPet: "sold" instead of "pending"',
  ],
  [
    'values that are not as they were sent are shown, and no cause is stated',
    get({}, changed('body/name', '"Cfa"', '"cfa"')),
    '`name` is not as it was sent in responses of getPet: "cfa" instead of "Cfa"',
  ],
])('%s', (_, scenario, told) => expect(headlines(scenario)).toEqual([told]));

test('of many operations, some are named', () => {
  const keyless = Array.from('abcdefg').map((each) => answer(each, { auth: 'missing' }, status('401', '200')));
  expect(headlines(...keyless)).toEqual([
    'The key is not checked: a, b, c, d and 3 more operations serve requests without a key',
  ]);
});

test('the most severe comes first: what lets others in, what changes records, what is of form', () => {
  const form = find('error-body', 'status', 'body/status', '404', '1');
  const found = headlines(
    ...[1, 2, 3].map(() => get({}, form)),
    get({}, changed('body/name', '"Rex"', '"Max"')),
    list('/pets', status('401', '200')),
  );
  expect(found.map((each) => each.slice(0, 12))).toEqual(['What is not ', '`name` is no', '`status` in ']);
});

const limit = '/paths/~1pets/get/parameters/0';
const BROKEN = {
  check: 'own-records',
  rule: 'limit',
  resource: 'pets',
  contract: { file: 'c.yaml', line: 35, pointer: limit },
};

/** A scenario that shows a problem, and what it rests on. */
const show = (id: string, basis: string, finding: Partial<Finding> = BROKEN): ScenarioResult => ({
  ...makeDeviating(id, [makeFinding(finding)]),
  basis: { text: basis },
});

test.each([
  ['about the rule, whichever shows it first', ['section 5', `#${limit}`, `#${limit}`, 'section 5'], 'bacd'],
  ['about the very place before what is around it', ['section 5', '#/paths/~1pets/get', `#${limit}`], 'cab'],
  ['the first, where the name of a place merely begins alike', ['section 5', '#/paths/~1pets/get/param'], 'ab'],
  ['the first, where none is about the rule', ['section 5', 'section 4'], 'ab'],
])('a problem stands under the scenario that is %s', (_, bases, shown) => {
  const scenarios = bases.map((basis, index) => show('abcd'[index] ?? '', basis));
  expect(findProblems({ scenarios })[0]?.scenarios.join('')).toBe(shown);
});

test('where a status is wrong, the scenario that is about the answer that was due shows it', () => {
  const contract = { file: 'c.yaml', line: 35, pointer: '/paths/~1pets~1{petId}/get/responses' };
  const scenarios = [
    show('create', '#/paths/~1pets/post/responses/201', { ...status('200 or 404', '403'), contract }),
    show('unknown', '#/paths/~1pets~1{petId}/get/responses/404', { ...status('404', '403'), contract }),
  ];
  expect(findProblems({ scenarios })[0]?.scenarios).toEqual(['unknown', 'create']);
});

test('what a problem kept from being judged is said of it, and of no other', () => {
  const blocked = { ...show('a', 'section 5'), blockedAt: 'list' };
  const told = (...scenarios: ScenarioResult[]): unknown[] => findProblems({ scenarios }).map(({ hides }) => hides);
  expect(told(blocked)).toEqual(['because of this, "what a says" could not be completed']);
  expect(told(blocked, { ...blocked, id: 'c' })).toEqual([
    'because of this, "what a says" and 1 scenario more could not be completed',
  ]);
  expect(told({ ...blocked, blockedAt: 'another' })).toEqual([undefined]);
});

const missing = find('body', 'required', 'body/0/status', 'present', 'nothing');

test('a failure that is taken for another problem stands in a line of that problem, and what the headline says does not', () => {
  const letsThrough = find('records', 'filter', 'body/0/status', '"sold"', '"available"');
  const problems = findProblems({ scenarios: [list('/pets?status=sold', missing, letsThrough)] });
  expect(problems.map(({ headline }) => headline)).toEqual([
    '`status` of a record is missing in responses of listPets',
  ]);
  expect(problems.flatMap(listAlso)).toEqual([expect.stringMatching(/`status`.* \(1 response\)$/)]);
  const twice = findProblems({ scenarios: [list('/pets', missing), list('/pets?limit=5', missing)] });
  expect(twice.flatMap(listAlso)).toEqual([]);
});

test.each([
  ['spec/petstore.openapi.yaml', 45, expect.stringMatching(/^- name: status\n {2}in: query\n {2}description: /)],
  ['spec/petstore.openapi.yaml', 271, 'required: [code, message, status]'],
  ['nowhere.yaml', 1, undefined],
])('a problem has the first lines of its rule, where the contract can be read: %s:%i', (file, line, excerpt) => {
  const finding = makeFinding({ contract: { file, line, pointer: '/x' } });
  const [problem] = addExcerpts(findProblems({ scenarios: [makeDeviating('a/a', [finding])] }));
  expect(problem?.contract?.excerpt).toEqual(excerpt);
});

// A condition is named if counter-examples prove it: three requests fail with it, three are served without it.
function tell(served: readonly Sent[], failing: readonly Sent[], code = 422): string[] {
  const failed = failing.map((sent, index) =>
    make(`things/own/${index}`, [exchange('useThing', sent, code)], status('201', String(code))),
  );
  const exchanges = served.map((sent) => exchange('useThing', sent, 201));
  return headlines(makeScenario('things/served', 'passed', { steps: [{ id: 'create', exchanges }] }), ...failed);
}

const ask = (...paths: string[]): Sent[] => paths.map((path) => ({ path: `/things${path}` }));
const each = (names: string, more: object): Sent[] => Array.from(names).map((name) => add({ name, size: 1, ...more }));
const SERVED = each('abc', { kind: 'plain' });
const ODD = each('xyz', { kind: 'odd' });
const CSV = each('xyz', { kind: 'plain' }).map((sent) => Object.assign(sent, { headers: { accept: 'text/csv' } }));
const TAGGED = Array.from('123').map((tag) => add({ name: tag, kind: 'plain', tag }));

test.each<[string, Sent[], Sent[]]>([
  ['with `kind` "odd"', SERVED, ODD],
  ['without `kind`', SERVED, each('xyz', {})],
  ['with `tag`', SERVED, TAGGED],
  ['with a limit', ask('', '?a=1', '?b=2'), ask('?limit=1', '?limit=2', '?limit=3&a=1')],
  ['without `limit`', ask('?limit=1', '?limit=2', '?limit=3'), ask('', '?a=1', '?b=1')],
  ['with accept=text/csv', SERVED, CSV],
])('a condition that is proven: %s', (condition, served, failing) => {
  expect(tell(served, failing)).toEqual([`useThing rejects with 422 what the contract allows ${condition}`]);
  expect(tell(served, failing, 500)).toEqual([`useThing fails with 500 ${condition}`]);
});

test.each<[string, Sent[], Sent[], string]>([
  ['two fail', SERVED, ODD.slice(1), ' for 2 of 5 requests'],
  ['two are served', SERVED.slice(1), ODD, ' for 3 of 5 requests'],
  ['one with it is served', [...SERVED, ...each('d', { kind: 'odd', size: 2 })], ODD, ' for 3 of 7 requests'],
  ['one fails without it', SERVED, [...ODD, ...each('d', { kind: 'plain' })], ' for 4 of 7 requests'],
  ['all fail', [], ODD, ''],
])('not so, but a count, where %s', (_, served, failing, told) => {
  expect(tell(served, failing)).toEqual([`useThing rejects with 422 what the contract allows${told}`]);
});

test('a request that was served before is sent again', () => {
  const both = [201, 409].map((code) => exchange('useThing', add({ name: 'Cfc' }), code));
  expect(headlines(make('things/requests/sent-again[Idempotency-Key]', both, status('201', '409')))).toEqual([
    'useThing rejects with 409 what the contract allows when it is sent again with the same `Idempotency-Key`',
  ]);
});
