import { expect, test } from 'vitest';
import type { Finding } from '../../../src/conformance/model/result.js';
import { answer, get, headlines, list, samePet, status } from './answers.js';

// Which pet an answer shows: ids that several have or that lists have wrong, answers without any.

const twice = list('/pets', {
  check: 'unique-ids',
  rule: 'unique',
  at: 'body/3/id',
  expected: 'an id of its own',
  actual: '7, as at body/2/id',
});
const lacksId = { check: 'body', rule: 'required', at: 'body/id', expected: 'present', actual: 'nothing' };

test('an id that several pets have explains no cut name of a pet with another id, nor that such a pet is not found', () => {
  const cut = samePet('body/name', '"Rex\\u0000 cfabcde"', '"Rex"');
  const other = samePet('body/name', '"Rex\\u0000 cfabcde"', '"cfabcdf"');
  expect(headlines(twice, get({ path: '/pets/7' }, cut))).toHaveLength(1);
  expect(headlines(twice, get({ path: '/pets/8' }, cut))).toHaveLength(2);
  expect(headlines(twice, get({ path: '/pets/8' }, other))).toHaveLength(1);
  expect(headlines(twice, get({ path: '/pets/7' }, status('200', '404')))).toHaveLength(1);
  expect(headlines(twice, get({ path: '/pets/8' }, status('200', '404')))).toHaveLength(2);
});

test('an id that several pets have explains a pet that is not found by what a list shows as the id of another', () => {
  const lost = get({ path: '/pets/9' }, status('200', '404'));
  const listed = (...found: Partial<Finding>[]): typeof lost => {
    const before = list('/pets', ...found);
    before.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body: '[{"id":9,"name":"cfabcdf"}]' };
    return { ...lost, steps: [...before.steps, ...lost.steps] };
  };
  expect(headlines(twice, listed(samePet('body/0/name', '"cfabcde"', '"cfabcdf"')))).toHaveLength(1);
  expect(headlines(twice, listed())).toHaveLength(2);
});

test('ids given twice explain values of other pets, and no number that is rounded', () => {
  const category = (actual: string): typeof twice => get({}, samePet('body/categoryId', '9007199254740993', actual));
  expect(headlines(twice, category('2'))).toHaveLength(1);
  expect(headlines(twice, category('9007199254740992'))).toHaveLength(2);
});

test('an answer without an id is another pet where its name is another and more, and else a changed one', () => {
  const other = [samePet('body/name', '"cfabcde"', '"Bella"'), samePet('body/categoryId', '4294967299', '1')];
  expect(headlines(get({}, lacksId, ...other))).toEqual([
    'getPet answers another pet than the one that was asked for',
    '`id` of a pet is missing in the answers of getPet',
  ]);
  expect(headlines(get({}, lacksId, ...other.slice(0, 1)))).toEqual([
    expect.stringMatching(/^`name` of a pet changes/),
    expect.any(String),
  ]);
});

test('another pet for some ids explains no answer for an id that no pet has', () => {
  const wrong = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '9' };
  const unknown = get({ path: '/pets/99', asksUnknown: true }, status('404', '200'), { ...wrong, expected: '99' });
  const beside = (...ids: number[]): typeof unknown => {
    const right = ids.map((id) => get({ path: `/pets/${id}` }));
    const [step] = unknown.steps;
    const whole = get({}, wrong);
    const exchanges = right.flatMap(({ steps }) => steps.flatMap((each) => each.exchanges));
    for (const each of exchanges) each.response = { status: 200, headers: {}, body: '{}' };
    return { ...whole, steps: [...whole.steps, { ...step!, exchanges }] };
  };
  expect(headlines(beside(1), unknown)).toHaveLength(1);
  expect(headlines(beside(1, 2), unknown)).toHaveLength(2);
});

test('a list of ids alone explains what it does not show of pets, and not that it lacks some', () => {
  const number = { check: 'body', rule: 'type', at: 'body/0', expected: 'an object', actual: '7' };
  const lost = { check: 'contains', rule: 'present', at: 'body', expected: 'the pet 5 ("Rex")', actual: 'not in it' };
  const listed = (body: string, ...found: Partial<Finding>[]): ReturnType<typeof list> => {
    const answered = list('/pets', number, ...found);
    answered.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return answered;
  };
  expect(headlines(listed('[7,8]', samePet('body/0/name', '"Rex"', 'absent')))).toHaveLength(1);
  expect(headlines(listed('[7,8]', lost))).toHaveLength(2);
  expect(headlines(listed('[{"id":8},7]', lost))).toHaveLength(1);
  expect(headlines(listed('[7,8]'), get({}, samePet('body/name', '"Rex"', 'absent')))).toHaveLength(2);
});

test('an id that is null does not explain that a pet is not found by the id that a list shows', () => {
  const none = { check: 'body', rule: 'type', at: 'body/id', expected: 'an integer', actual: 'null' };
  const created = answer('createPet', { method: 'POST', path: '/pets' }, none);
  expect(headlines(created, get({}, status('200', '404')))).toHaveLength(2);
});
