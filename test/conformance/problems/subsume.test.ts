import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import { answer, as, changed, find, get, headlines, list, status } from './answers.js';

// What is listed below another problem, and what is a problem of its own. Whatever is subsumed stands in an `also` line.

const type = (at: string, expected: string, actual: string): Partial<Finding> =>
  find('body', 'type', at, expected, actual);
const lacks = (...places: string[]): Partial<Finding>[] =>
  places.map((at) => find('body', 'required', `body/${at}`, 'present', 'nothing'));
const malformed = find('json', 'well-formed', 'body', 'JSON', 'the JSON is malformed');
const crash = { ...status('a status below 500', '500'), check: 'server-error' };
const leak = (field: string): Partial<Finding> => find('records', 'filter', `body/0/${field}`, '"sold"', '"pending"');
const otherKey = find('record', 'key', 'body/id', "7, the record's key", '8');
const lacking = find('records', 'covers', 'body', 'every record', 'without 7');
const noCode = find('error-body', 'required', 'body/code', 'present', 'nothing');
const notObject = (at: string): Partial<Finding> => type(at, 'an object', 'null');
const asText = (at: string, actual = '"7"'): Partial<Finding> => type(at, 'an integer', actual);
const renamed = changed('body/name', '"Rex"', '"Max"');
const post = { method: 'POST', path: '/pets' };
const invalid = { ...post, breaks: [{ at: 'body/size', rule: 'type', actual: '"7"' }] };
const taken = answer('createPet', invalid, status('400', '201'));
const takenFirst = as('pets/refusals/create[a]', taken);
const wrongKey = (path: string, found: Partial<Finding>, more: object = {}): ScenarioResult =>
  answer('listPets', { path, auth: 'wrong', ...more }, found);
const tooSmall = { breaks: [{ at: 'query/limit', rule: 'minimum', actual: '0' }] };

/** Answers of one scenario, in their order. */
function together(id: string, ...scenarios: ScenarioResult[]): ScenarioResult {
  const steps = scenarios.flatMap((each, index) => each.steps.map((step) => ({ ...step, id: `${index}` })));
  return as(id, { ...(scenarios[0] as ScenarioResult), steps });
}

/** A create with a text for an integer, and a later response. */
const showing = (found: Partial<Finding>): ScenarioResult =>
  together('pets/records/get', answer('createPet', post, asText('body/size')), get({}, found));

test.each<[string, subsumed: ScenarioResult[], apart: ScenarioResult[]]>([
  [
    'a body that is not JSON subsumes that it is no object, and not a value in it as it was meant',
    [get({}, malformed, notObject('body'))],
    [get({}, malformed, ...lacks('name'))],
  ],
  [
    'a status from 500 subsumes what is wrong with its Error body',
    [get({}, crash, noCode)],
    [get({}, crash), get({}, noCode)],
  ],
  [
    'an item of another type subsumes what is wrong within it, and not in the items beside it',
    [list('/pets', notObject('body/0'), ...lacks('0/name'))],
    [list('/pets', notObject('body/0'), ...lacks('1/name'))],
  ],
  [
    'a value of another type subsumes that it is not as it was sent, and no other field',
    [get({}, asText('body/size'), changed('body/size', '7', '"7"'))],
    [get({}, asText('body/size'), renamed)],
  ],
  [
    'a missing field does not hide that a filter by another lets records through',
    [list('/pets?status=sold', ...lacks('0/status'), leak('status'))],
    [list('/pets?status=sold', ...lacks('0/tag'), leak('status'))],
  ],
  [
    'records without their key subsume that one is not in their list, and records with another wrong field do not',
    [list('/pets', ...lacks('0/id'), lacking)],
    [list('/pets', asText('body/0/categoryId'), lacking)],
  ],
  [
    'another record than was asked for subsumes what differs in that response alone',
    [get({}, otherKey, renamed)],
    [get({}, otherKey), list('/pets', changed('body/0/name', '"Rex"', '"Max"'))],
  ],
  [
    'an invalid request that is accepted subsumes what its own scenario shows of the record, and no other scenario',
    [together('pets/refusals/create[a]', taken, get({}, renamed))],
    [takenFirst, as('pets/records/values[a]', get({}, renamed))],
  ],
  [
    'an invalid value that is accepted subsumes later responses that show that value, and no other value',
    [takenFirst, as('pets/lists/pages', list('/pets', asText('body/3/size')))],
    [takenFirst, as('pets/lists/pages', list('/pets', asText('body/3/size', '"8"')))],
  ],
  [
    'a value that was wrong where it was shown first subsumes that a later response has another',
    [showing({ ...changed('body/size', '"7"', '7'), value: '"7"' })],
    [showing({ ...changed('body/size', '7', '8'), value: '7' })],
  ],
  [
    'a wrong key that is accepted subsumes that an invalid request with it gets 400, not that a valid one gets 403',
    [wrongKey('/pets', status('401', '200')), wrongKey('/pets?limit=0', status('401', '400'), tooSmall)],
    [wrongKey('/pets', status('401', '200')), wrongKey('/pets', status('401', '403'))],
  ],
  [
    'a success that has no body subsumes that no record is in it; another success is a record all the same',
    [answer('createPet', post, status('201', '303'), notObject('body'))],
    [answer('createPet', post, status('201', '200'), notObject('body'))],
  ],
])('%s', (_, subsumed, apart) => {
  const [problem, ...others] = findProblems({ scenarios: subsumed });
  expect(others).toEqual([]);
  expect(problem?.also).toHaveLength(1);
  expect(findProblems({ scenarios: apart })).toHaveLength(2);
});

const put = { method: 'PUT', path: '/pets' };
const accepts = (scenario: string, operation: string, sent: object, code: string): ScenarioResult =>
  as(`pets/refusals/${scenario}`, answer(operation, { ...invalid, ...sent }, status('400', code)));
const otherBreak = { ...put, breaks: [{ at: 'body/name', rule: 'type', actual: '5' }] };
const filtered = (field: string, ...found: Partial<Finding>[]): ScenarioResult =>
  as(`pets/lists/filter-value[${field}-sold]`, list(`/pets?${field}=sold`, ...found));

test.each<[string, same: ScenarioResult[], several: ScenarioResult[]]>([
  [
    'fields that the same responses lack; not one that fewer responses lack beside another operation',
    [get({}, ...lacks('name', 'id')), list('/pets', ...lacks('0/id', '0/name'))],
    [get({}, ...lacks('name')), list('/pets', ...lacks('0/id'))],
  ],
  [
    'a create and an update that accept the same fields; not others',
    [accepts('a', 'createPet', post, '201'), accepts('a', 'updatePet', put, '200')],
    [accepts('a', 'createPet', post, '201'), accepts('b', 'updatePet', otherBreak, '200')],
  ],
  [
    'the same kind at three operations, not at two',
    ['a', 'b', 'c'].map((id) => answer(id, {}, crash)),
    ['a', 'b'].map((id) => answer(id, {}, crash)),
  ],
  [
    'a filter that lets records through and leaves records out; not another filter',
    [filtered('status', leak('status'), { ...leak('status'), rule: 'present' })],
    [filtered('status', leak('status')), filtered('kind', leak('kind'))],
  ],
])('one problem: %s', (_, same, several) => {
  expect(headlines(...same)).toHaveLength(1);
  expect(headlines(...several)).toHaveLength(2);
});

test('what the headline only counts of the requests that are accepted is in an also line', () => {
  const accepted = Array.from('abcdef').map((field) => {
    const breaks = [{ at: `body/${field}`, rule: 'type', actual: '5' }];
    return answer('createPet', { ...post, breaks }, status('400', '201'));
  });
  const [problem] = findProblems({ scenarios: accepted });
  expect(problem?.headline).toBe(
    'createPet accepts `a` as a number, `b` as a number, `c` as a number, `d` as a number and 2 more, which the contract does not allow',
  );
  expect(problem?.also).toEqual([
    { id: expect.any(String), what: 'rejection of an invalid request: `e` as a number, `f` as a number', answers: 2 },
  ]);
});

test('fields that are wrong in the same response are shown with the value of each', () => {
  expect(headlines(get({}, asText('body/size'), asText('body/weight', '"3 kg"')))).toEqual([
    '`size` and `weight` of a record are text ("7" and "3 kg"), not an integer, in responses of getPet',
  ]);
  // Two operations that each show one of them show two defects.
  expect(headlines(get({}, asText('body/size')), list('/pets', asText('body/0/weight', '"3"')))).toHaveLength(2);
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

test.each([
  ['in other quotation marks', "{'code':'not_found','message':'There is none','status':404}"],
  ['in a list of its own', '[{"code":"not_found","message":"There is none","status":404}]'],
])('an Error body under a success is told as that %s too', (_, body) => {
  const unknown = get({ path: '/pets/9', asksUnknown: true }, status('404', '200'));
  unknown.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
  expect(headlines(unknown)).toEqual(['getPet returns 200 with an Error body']);
});

test('a redirect accepts nothing', () => {
  const redirected = answer('createPet', { ...post, auth: 'wrong' }, status('401', '303'));
  redirected.steps[0]!.exchanges[0]!.response = { status: 303, headers: { location: '/pets/8' }, body: '' };
  expect(headlines(as('own/wrong', redirected), answer('createPet', post, status('201', '303')))).toEqual([
    'createPet returns 303 instead of 201',
    'createPet returns 303 instead of 401 with a wrong key',
  ]);
});
