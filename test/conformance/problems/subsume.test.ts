import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import { makeExchange, makeFinding, makeDeviating } from '../../report/results.js';
import { answer, as, changed, get, headlines, list, status } from './answers.js';

// What is listed below another problem, and what is a problem of its own. Whatever is subsumed stands in an `also` line.

const type = (at: string, expected: string, actual: string): Partial<Finding> => ({
  check: 'body',
  rule: 'type',
  at,
  expected,
  actual,
});
const lacks = (...places: string[]): Partial<Finding>[] =>
  places.map((at) => ({ check: 'body', rule: 'required', at: `body/${at}`, expected: 'present', actual: 'nothing' }));
const malformed = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'the JSON is malformed' };
const crash = { ...status('a status below 500', '500'), check: 'server-error' };
const leak = (field: string): Partial<Finding> => ({
  check: 'records',
  rule: 'filter',
  at: `body/0/${field}`,
  expected: '"sold"',
  actual: '"pending"',
});
const otherKey = { check: 'record', rule: 'key', at: 'body/id', expected: "7, the record's key", actual: '8' };
const lacking = { check: 'records', rule: 'covers', at: 'body', expected: 'every record', actual: 'without 7' };
const post = { method: 'POST', path: '/pets' };
const invalid = { ...post, breaks: [{ at: 'body/size', rule: 'type', actual: '"7"' }] };

/** Answers of one scenario, in their order. */
function together(id: string, ...scenarios: ScenarioResult[]): ScenarioResult {
  const steps = scenarios.flatMap((each, index) => each.steps.map((step) => ({ ...step, id: `${index}` })));
  return as(id, { ...(scenarios[0] as ScenarioResult), steps });
}

test.each<[string, subsumed: ScenarioResult[], apart: ScenarioResult[]]>([
  [
    'a body that is not JSON subsumes that it is no object, and not a value in it as it was meant',
    [get({}, malformed, type('body', 'an object', 'null'))],
    [get({}, malformed, ...lacks('name'))],
  ],
  [
    'a status from 500 subsumes what is wrong with its Error body',
    [
      get({}, crash, {
        check: 'error-body',
        rule: 'required',
        at: 'body/code',
        expected: 'present',
        actual: 'nothing',
      }),
    ],
    [
      get({}, crash),
      get({}, { check: 'error-body', rule: 'required', at: 'body/code', expected: 'present', actual: 'nothing' }),
    ],
  ],
  [
    'an item of another type subsumes what is wrong within it, and not in the items beside it',
    [list('/pets', type('body/0', 'an object', 'null'), ...lacks('0/name'))],
    [list('/pets', type('body/0', 'an object', 'null'), ...lacks('1/name'))],
  ],
  [
    'a value of another type subsumes that it is not as it was sent, and no other field',
    [get({}, type('body/size', 'an integer', '"7"'), changed('body/size', '7', '"7"'))],
    [get({}, type('body/size', 'an integer', '"7"'), changed('body/name', '"Rex"', '"Max"'))],
  ],
  [
    'a missing field does not hide that a filter by another lets records through',
    [list('/pets?status=sold', ...lacks('0/status'), leak('status'))],
    [list('/pets?status=sold', ...lacks('0/tag'), leak('status'))],
  ],
  [
    'records without their key subsume that one is not in their list, and records with another wrong field do not',
    [list('/pets', ...lacks('0/id'), lacking)],
    [list('/pets', type('body/0/categoryId', 'an integer', '"7"'), lacking)],
  ],
  [
    'another record than was asked for subsumes what differs in that response alone',
    [get({}, otherKey, changed('body/name', '"Rex"', '"Max"'))],
    [get({}, otherKey), list('/pets', changed('body/0/name', '"Rex"', '"Max"'))],
  ],
  [
    'an invalid request that is accepted subsumes what its own scenario shows of the record, and no other scenario',
    [
      together(
        'pets/refusals/create[a]',
        answer('createPet', invalid, status('400', '201')),
        get({}, changed('body/name', '"Rex"', '"Max"')),
      ),
    ],
    [
      as('pets/refusals/create[a]', answer('createPet', invalid, status('400', '201'))),
      as('pets/records/values[a]', get({}, changed('body/name', '"Rex"', '"Max"'))),
    ],
  ],
  [
    'an invalid value that is accepted subsumes later responses that show that value, and no other value',
    [
      as('pets/refusals/create[a]', answer('createPet', invalid, status('400', '201'))),
      as('pets/lists/pages', list('/pets', type('body/3/size', 'an integer', '"7"'))),
    ],
    [
      as('pets/refusals/create[a]', answer('createPet', invalid, status('400', '201'))),
      as('pets/lists/pages', list('/pets', type('body/3/size', 'an integer', '"8"'))),
    ],
  ],
  [
    'a value that was wrong where it was shown first subsumes that a later response has another',
    [
      together(
        'pets/records/get',
        answer('createPet', post, type('body/size', 'an integer', '"7"')),
        get({}, { ...changed('body/size', '"7"', '7'), value: '"7"' }),
      ),
    ],
    [
      together(
        'pets/records/get',
        answer('createPet', post, type('body/size', 'an integer', '"7"')),
        get({}, { ...changed('body/size', '7', '8'), value: '7' }),
      ),
    ],
  ],
  [
    'a wrong key that is accepted subsumes that an invalid request with it gets 400, not that a valid one gets 403',
    [
      answer('listPets', { path: '/pets', auth: 'wrong' }, status('401', '200')),
      answer(
        'listPets',
        { path: '/pets?limit=0', auth: 'wrong', breaks: [{ at: 'query/limit', rule: 'minimum', actual: '0' }] },
        status('401', '400'),
      ),
    ],
    [
      answer('listPets', { path: '/pets', auth: 'wrong' }, status('401', '200')),
      answer('listPets', { path: '/pets', auth: 'wrong' }, status('401', '403')),
    ],
  ],
  [
    'a success that has no body subsumes that no record is in it; another success is a record all the same',
    [answer('createPet', post, status('201', '303'), type('body', 'an object', 'null'))],
    [answer('createPet', post, status('201', '200'), type('body', 'an object', 'null'))],
  ],
])('%s', (_, subsumed, apart) => {
  const [problem, ...others] = findProblems({ scenarios: subsumed });
  expect(others).toEqual([]);
  expect(problem?.also).toHaveLength(1);
  expect(findProblems({ scenarios: apart })).toHaveLength(2);
});

test.each<[string, same: ScenarioResult[], several: ScenarioResult[]]>([
  [
    'fields that the same responses lack; not one that fewer responses lack beside another operation',
    [get({}, ...lacks('name', 'id')), list('/pets', ...lacks('0/id', '0/name'))],
    [get({}, ...lacks('name')), list('/pets', ...lacks('0/id'))],
  ],
  [
    'a create and an update that accept the same fields; not others',
    [
      answer('createPet', invalid, status('400', '201')),
      answer('updatePet', { ...invalid, method: 'PUT' }, status('400', '200')),
    ].map((each) => as('pets/refusals/a', each)),
    [
      as('pets/refusals/a', answer('createPet', invalid, status('400', '201'))),
      as(
        'pets/refusals/b',
        answer(
          'updatePet',
          { method: 'PUT', breaks: [{ at: 'body/name', rule: 'type', actual: '5' }] },
          status('400', '200'),
        ),
      ),
    ],
  ],
  [
    'the same kind at three operations, not at two',
    ['a', 'b', 'c'].map((id) => answer(id, {}, crash)),
    ['a', 'b'].map((id) => answer(id, {}, crash)),
  ],
  [
    'a filter that lets records through and leaves records out; not another filter',
    [
      as(
        'pets/lists/filter-value[status-sold]',
        list('/pets?status=sold', leak('status'), { ...leak('status'), rule: 'present' }),
      ),
    ],
    [
      as('pets/lists/filter-value[status-sold]', list('/pets?status=sold', leak('status'))),
      as('pets/lists/filter-value[kind-sold]', list('/pets?kind=sold', leak('kind'))),
    ],
  ],
])('one problem: %s', (_, same, several) => {
  expect(headlines(...same)).toHaveLength(1);
  expect(headlines(...several)).toHaveLength(2);
});

test('what the headline only counts of the requests that are accepted is in an also line', () => {
  const accepted = ['a', 'b', 'c', 'd', 'e', 'f'].map((field) =>
    answer(
      'createPet',
      { ...post, breaks: [{ at: `body/${field}`, rule: 'type', actual: '5' }] },
      status('400', '201'),
    ),
  );
  const [problem] = findProblems({ scenarios: accepted });
  expect(problem?.headline).toBe(
    'createPet accepts `a` as a number, `b` as a number, `c` as a number, `d` as a number and 2 more, which the contract does not allow',
  );
  expect(problem?.also).toEqual([
    { id: expect.any(String), what: 'rejection of an invalid request: `e` as a number, `f` as a number', answers: 2 },
  ]);
});

test('fields that are wrong in the same response are shown with the value of each', () => {
  const [both] = headlines(
    get({}, type('body/size', 'an integer', '"7"'), type('body/weight', 'an integer', '"3 kg"')),
  );
  expect(both).toBe(
    '`size` and `weight` of a record are text ("7" and "3 kg"), not an integer, in responses of getPet',
  );
  // Two operations that each show one of them show two defects.
  const ofSize = get({}, type('body/size', 'an integer', '"7"'));
  expect(headlines(ofSize, list('/pets', type('body/0/weight', 'an integer', '"3"')))).toHaveLength(2);
});

test('whatever fails is named: by the headline of a problem or by its also lines', () => {
  const scenarios = [get({}, crash, malformed, ...lacks('name', 'id')), get({}, changed('body/name', '"a"', '"b"'))];
  const named = findProblems({ scenarios }).flatMap(({ headline, also = [] }) =>
    [headline].concat(also.map(({ what }) => what)),
  );
  expect(named).toEqual([
    'getPet fails with 500',
    'JSON body of getPet',
    'required field `name` of getPet',
    'required field `id` of getPet',
    '`name` is not as it was sent in responses of getPet: "b" instead of "a"',
  ]);
});

const withBody = (scenario: ScenarioResult, code: number, body: string): ScenarioResult => {
  scenario.steps[0]!.exchanges[0]!.response = { status: code, headers: {}, body };
  return scenario;
};

test.each([
  ['in other quotation marks', "{'code':'not_found','message':'There is none','status':404}"],
  ['in a list of its own', '[{"code":"not_found","message":"There is none","status":404}]'],
])('an Error body under a success is told as that %s too', (_, body) => {
  const unknown = get({ path: '/pets/9', asksUnknown: true }, status('404', '200'));
  expect(headlines(withBody(unknown, 200, body))).toEqual(['getPet returns 200 with an Error body']);
});

test('a redirect accepts nothing', () => {
  const redirected = makeDeviating('own/wrong', [makeFinding(status('401', '303'))], {
    operationId: 'createPet',
    request: { ...makeExchange().request, ...post, auth: 'wrong' },
    response: { status: 303, headers: { location: '/pets/8' }, body: '' },
  });
  expect(headlines(redirected, answer('createPet', post, status('201', '303')))).toEqual([
    'createPet returns 303 instead of 201',
    'createPet returns 303 instead of 401 with a wrong key',
  ]);
});
