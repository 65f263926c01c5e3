import { describe, expect, test } from 'vitest';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding } from '../../report/results.js';
import { asks, changed, headlines } from './answers.js';

const request = makeExchange().request;

function list(finding: Partial<Finding>, path = '/pets?limit=100'): ScenarioResult {
  return makeDeviating('pets/own/list', [makeFinding(finding)], { request: { ...request, path } });
}

function get(finding: Partial<Finding>, exchange: Partial<ExchangeResult> = {}): ScenarioResult {
  const made = makeDeviating('pets/own/get', [makeFinding(finding)], {
    operationId: 'getPet',
    request: { ...request, path: '/pets/7' },
    ...exchange,
  });
  return exchange.request?.asksUnknown === true ? asks('absent', made) : made;
}

function create(finding: Partial<Finding>, breaks: ExchangeResult['request']['breaks']): ScenarioResult {
  const sent = { ...request, method: 'POST', path: '/pets', ...(breaks === undefined ? {} : { breaks }) };
  // What its title says is not what the headline says.
  const scenario = makeDeviating('pets/own/create', [makeFinding(finding)], {
    operationId: 'createPet',
    request: sent,
  });
  return { ...scenario, title: 'createPet refuses a unicorn' };
}

const accepted = { check: 'status', rule: 'expected', at: 'status', expected: '400', actual: '201' } as const;
const name = (expected: string, actual: string): Partial<Finding> => ({
  check: 'equals',
  rule: 'equal',
  at: 'body/name',
  expected: `${JSON.stringify(expected)}, as in the previous response`,
  actual: JSON.stringify(actual),
});
describe('one defect is one problem', () => {
  test('answers that are compared the other way round show the same change', () => {
    expect(headlines(list(name('Rex', 'rex')), get(name('rex', 'Rex')))).toEqual([
      'Texts are lower-cased (`name` in responses of listPets and getPet)',
    ]);
  });

  test('what is answered for a key that no record has is wrong for that reason alone', () => {
    const unknown = { request: { ...request, path: '/pets/9', asksUnknown: true as const } };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '200' }, unknown),
      get({ check: 'body', rule: 'type', at: 'body', expected: 'an object', actual: 'null' }, unknown),
    );
    expect(found).toEqual(['getPet returns 200 instead of 404 for a record that does not exist']);
  });

  test('an Error body under a success is told as that, whatever else is wrong with it', () => {
    const body = '{"code":"not_found","message":"There is none.","status":404}';
    const response = { status: 200, headers: {}, body };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '200' }, { response }),
      get({ check: 'body', rule: 'required', at: 'body/name', expected: 'present', actual: 'nothing' }, { response }),
    );
    expect(found).toEqual(['getPet returns 200 with an Error body']);
  });

  test('a valid key that is refused is one problem, whatever was expected instead', () => {
    const refused = { ...accepted, actual: '401' };
    expect(headlines(list({ ...refused, expected: '200' }), get({ ...refused, expected: '404' }))).toEqual([
      'listPets and getPet reject a valid key with 401',
    ]);
  });
});

describe('a headline says what broke', () => {
  test('by what the request breaks, not by the title of a scenario', () => {
    const found = headlines(
      create(accepted, [{ at: 'body/name', rule: 'required', actual: 'nothing' }]),
      create(accepted, [{ at: 'body/categoryId', rule: 'type', actual: '"one"' }]),
      create(accepted, [{ at: 'body', rule: 'json', actual: 'a body that is not JSON' }]),
    );
    expect(found).toEqual([
      'createPet accepts a body without `name`, `categoryId` as text and a body that is not JSON, which the contract does not allow',
    ]);
  });

  test('an integer that changes in another way as well is not said to be rounded', () => {
    const found = headlines(
      list(changed('body/0/size', '9007199254740993', '9007199254740992')),
      list(changed('body/0/size', '9007199254740995', '9007199254740996')),
      list(changed('body/0/size', '7', '1')),
    );
    expect(found).toEqual([expect.stringMatching(/^`size` is not as it was sent in responses of listPets: /)]);
  });
});

test('what lets strangers in and what changes records is told before what is put otherwise', () => {
  const found = headlines(
    ...[1, 2, 3].map(() =>
      get({ check: 'error-body', rule: 'status', at: 'body/status', expected: '404, as x', actual: '1' }),
    ),
    get(changed('body/name', '"Rex"', '"Max"')),
    list({ check: 'status', rule: 'expected', at: 'status', expected: '401', actual: '200' }),
  );
  expect(found.map((each) => each.slice(0, 12))).toEqual(['What is not ', '`name` is no', '`status` in ']);
});

describe('several defects are each told', () => {
  test('a name that another change could not have changed, beside names that it did', () => {
    expect(headlines(get(name('Zo\u00EB Cfabcde', 'Zoe Cfabcde')), get(name("O'M Cfabcdf", "O''M Cfabcdf")))).toEqual([
      expect.stringContaining('Texts lose their accents'),
      expect.stringContaining('`name` of a record changes'),
    ]);
  });

  test('what needs no key at one operation, beside a wrong key that all accept', () => {
    const status = { check: 'status', rule: 'expected', at: 'status', expected: '401' };
    const wrong = { request: { ...request, auth: 'wrong' as const } };
    const missing = { request: { ...request, path: '/pets/7', auth: 'missing' as const } };
    const found = headlines(get({ ...status, actual: '200' }, wrong), get({ ...status, actual: '404' }, missing));
    expect(found).toEqual([
      expect.stringContaining('key is not checked'),
      expect.stringContaining('404 instead of 401 without a key'),
    ]);
  });

  test('errors of one status without a body, beside another answer without one', () => {
    const none = { rule: 'present', at: 'body', expected: 'a body', actual: 'no body' };
    const error = list({ ...none, check: 'error-body' });
    for (const { exchanges } of error.steps)
      for (const exchange of exchanges) exchange.response = { status: 400, headers: {}, body: '' };
    expect(headlines(get({ ...none, check: 'body' }), error)).toHaveLength(2);
  });

  test('a redirect accepts nothing, also where what is accepted is answered so', () => {
    const redirected = { ...accepted, actual: '303' };
    const found = headlines(
      create({ ...redirected, expected: '201' }, undefined),
      create(redirected, [{ at: 'body', rule: 'type', actual: '[]' }]),
    );
    expect(found).toEqual([
      'createPet returns 303 instead of 201',
      expect.stringMatching(/^createPet returns 303 instead of 400/),
    ]);
  });

  test('a wrong key that is redirected is not said to be accepted', () => {
    const sent = (auth: 'valid' | 'wrong', location: string): ScenarioResult =>
      makeDeviating(
        `own/${auth}`,
        [makeFinding({ check: 'status', at: 'status', expected: auth === 'valid' ? '201' : '401', actual: '303' })],
        {
          operationId: 'createPet',
          request: { ...request, method: 'POST', path: '/pets', auth },
          response: { status: 303, headers: { location }, body: '' },
        },
      );
    expect(headlines(sent('valid', '/pets/7'), sent('wrong', '/pets/8'))).toEqual([
      'createPet returns 303 instead of 201',
      'createPet returns 303 instead of 401 with a wrong key',
    ]);
    expect(headlines(sent('valid', '/pets/7'), sent('wrong', '/login'))).toEqual([
      'createPet returns 303 instead of 201',
      'createPet returns 303 instead of 401 with a wrong key',
    ]);
  });

  test('what is not the key and gets the answer of a request with it is accepted, unless no key gets that too', () => {
    const status = { check: 'status', rule: 'expected', at: 'status', expected: '401', actual: '404' };
    const as = (auth: 'wordNull' | 'missing'): ScenarioResult =>
      get(status, { request: { ...request, path: '/pets/9', auth, asksUnknown: true } });
    expect(headlines(as('wordNull'))).toEqual([expect.stringMatching(/^What is not the key is accepted for it/)]);
    expect(headlines(as('wordNull'), as('missing'))).toEqual([expect.stringMatching(/404 instead of 401/)]);
  });

  test('a success for a key that no record has is one problem, whether the record might be there by then or not', () => {
    const unknown = { request: { ...request, path: '/pets/9', asksUnknown: true as const } };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '204' }, unknown),
      get({ ...accepted, expected: '200 or 404', actual: '204' }, unknown),
    );
    expect(found).toEqual(['getPet returns 204 instead of 404 for a record that does not exist']);
  });
});
