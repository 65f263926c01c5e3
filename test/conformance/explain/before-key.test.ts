import { expect, test } from 'vitest';
import type { ExchangeResult, ScenarioResult } from '../../../src/conformance/model/result.js';
import { answer, get, headlines, status } from './answers.js';
import { findProblems } from '../../../src/conformance/explain/find-problems.js';

// What is answered before the key is looked at, where the answer has a wrong status of its own.

const unknown: Partial<ExchangeResult['request']> = { asksUnknown: true };
const noKey: Partial<ExchangeResult['request']> = { auth: 'missing' };
const listIds = (...scenarios: ScenarioResult[]): string[] => findProblems({ scenarios }).map(({ id }) => id);

test('an id that is looked up before the key is one problem, whatever is answered in place of 404', () => {
  const alone = listIds(get({ ...unknown, ...noKey }, status('401', '404')));
  const refusal = get(unknown, status('404', '403'));
  const early = get({ ...unknown, ...noKey }, status('401', '403'));
  expect(listIds(refusal, early)).toEqual(expect.arrayContaining(alone));
  expect(headlines(refusal, early)).toContainEqual('getPet returns 403 instead of 401 without a key');
});

test('but a key that is refused with that status is refused so for every id', () => {
  const alone = listIds(get({ ...unknown, ...noKey }, status('401', '404')));
  const refusal = get(unknown, status('404', '403'));
  expect(
    listIds(get({ ...unknown, ...noKey }, status('401', '403')), get(noKey, status('401', '403')), refusal),
  ).not.toEqual(expect.arrayContaining(alone));
  expect(listIds(get({ ...unknown, ...noKey }, status('401', '403')))).not.toEqual(alone);
});

const post = { method: 'POST', path: '/pets' };
const saying = (said: number, sent: Partial<ExchangeResult['request']>, due: string): ScenarioResult => {
  const refused = answer('createPet', { ...post, ...sent }, status(due, '200'));
  const body = JSON.stringify({ code: 'refused', message: 'No.', status: said });
  refused.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
  return refused;
};

test('errors that come as successes and say another refusal than was due are told of that too', () => {
  const asSuccess = 'createPet returns 200 with an Error body';
  expect(headlines(saying(401, noKey, '401'), saying(400, {}, '400'))).toEqual([asSuccess]);
  expect(headlines(saying(401, noKey, '401'), saying(400, noKey, '401')).toSorted()).toEqual([
    asSuccess,
    'createPet returns 400 instead of 401 without a key',
  ]);
  expect(headlines(saying(400, {}, '400'), saying(422, {}, '400')).toSorted()).toEqual([
    asSuccess,
    expect.stringMatching(/^createPet returns 422 instead of 400/),
  ]);
});

test('not so where what the errors say is itself in doubt', () => {
  const asSuccess = 'createPet returns 200 with an Error body';
  expect(headlines(saying(400, noKey, '401'), saying(400, {}, '400'))).toEqual([asSuccess]);
  expect(headlines(saying(401, noKey, '401'), saying(200, {}, '400'), saying(500, noKey, '401'))).toEqual([asSuccess]);
});

test('the key in an unusual form is refused where it gets what a wrong key gets, whatever that is', () => {
  const said = (scenario: ScenarioResult, code: string): ScenarioResult => {
    const body = JSON.stringify({ code, message: 'No.', status: 404 });
    scenario.steps[0]!.exchanges[0]!.response = { status: 404, headers: {}, body };
    return scenario;
  };
  const wrong = said(get({ auth: 'wrong' }, status('401', '404')), 'hidden');
  const odd = (code: string): ScenarioResult => said(get({ auth: 'lowerCaseField' }, status('200', '404')), code);
  const asBadKey = listIds(get({ auth: 'lowerCaseField' }, status('200', '401')));
  expect(listIds(wrong, odd('hidden'))).toEqual(expect.arrayContaining(asBadKey));
  expect(headlines(wrong, odd('hidden'))).toContainEqual(
    expect.stringMatching(/^getPet rejects a valid key with 404 /),
  );
  expect(headlines(wrong, odd('not_found'))).toContainEqual(
    expect.stringMatching(/^getPet rejects with 404 what the contract allows with the key in a field /),
  );
  expect(headlines(odd('hidden'))).toEqual([
    expect.stringMatching(/^getPet rejects with 404 what the contract allows with the key in a field /),
  ]);
});
