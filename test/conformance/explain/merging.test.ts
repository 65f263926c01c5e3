import { describe, expect, test } from 'vitest';
import { findProblems } from '../../../src/conformance/explain/find-problems.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding } from '../../report/results.js';

function headlines(...scenarios: ScenarioResult[]): string[] {
  return findProblems({ scenarios }).map(({ headline }) => headline);
}

const request = makeExchange().request;

function list(finding: Partial<Finding>, path = '/pets?limit=100'): ScenarioResult {
  return makeDeviating('list/a', [makeFinding(finding)], { request: { ...request, path } });
}

function get(finding: Partial<Finding>, exchange: Partial<ExchangeResult> = {}): ScenarioResult {
  return makeDeviating('get/a', [makeFinding(finding)], {
    operationId: 'getPet',
    request: { ...request, path: '/pets/7' },
    ...exchange,
  });
}

function create(finding: Partial<Finding>, breaks: ExchangeResult['request']['breaks']): ScenarioResult {
  const sent = { ...request, method: 'POST', path: '/pets', ...(breaks === undefined ? {} : { breaks }) };
  // What its title says is not what the headline says.
  const scenario = makeDeviating('own/b', [makeFinding(finding)], { operationId: 'createPet', request: sent });
  return { ...scenario, title: 'createPet refuses a unicorn' };
}

const accepted = { check: 'status', rule: 'expected', at: 'status', expected: '400', actual: '201' } as const;
const name = (expected: string, actual: string): Partial<Finding> => ({
  check: 'same-pet',
  rule: 'name',
  at: 'body/name',
  expected: `${JSON.stringify(expected)}, as in the answer before`,
  actual: JSON.stringify(actual),
});
const category = (expected: string, actual: string): Partial<Finding> => ({
  ...name('', ''),
  at: 'body/categoryId',
  expected,
  actual,
});
const tooMany = (rule: string, most: number, found: number): Partial<Finding> => ({
  check: 'limit',
  rule,
  at: 'body',
  expected: `at most ${most} pets (why)`,
  actual: `${found} pets`,
});

describe('one defect is one problem', () => {
  test('answers that are compared the other way round show the same change', () => {
    expect(headlines(list(name('Rex', 'rex')), get(name('rex', 'Rex')))).toEqual([
      'Names are lower-cased in the answers of listPets and getPet',
    ]);
  });

  test('a page without a limit is too long as those with one are', () => {
    const found = headlines(list(tooMany('asked', 20, 54)), list(tooMany('default', 20, 54), '/pets'));
    expect(found).toEqual([expect.stringContaining('neither `limit` nor its default is kept')]);
  });

  test('what is answered for an id that no pet has is wrong for that reason alone', () => {
    const unknown = { request: { ...request, path: '/pets/9', asksUnknown: true as const } };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '200' }, unknown),
      get({ check: 'body', rule: 'type', at: 'body', expected: 'an object', actual: 'null' }, unknown),
    );
    expect(found).toEqual(['getPet answers 200 instead of 404 for an id that no pet has']);
  });

  test('whoever answers another pet for any id does so for one that no pet has', () => {
    const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '9', actual: '1' } as const;
    const unknown = get(other, { request: { ...request, path: '/pets/9', asksUnknown: true } });
    unknown.steps[0]?.exchanges[0]?.findings.push(makeFinding({ ...accepted, expected: '404', actual: '200' }));
    expect(headlines(get(other), unknown)).toEqual(['getPet answers another pet than the one that was asked for']);
  });

  test('an Error body under a success is told as that, whatever else is wrong with it', () => {
    const body = '{"code":"not_found","message":"There is none.","status":404}';
    const response = { status: 200, headers: {}, body };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '200' }, { response }),
      get({ check: 'body', rule: 'required', at: 'body/name', expected: 'present', actual: 'nothing' }, { response }),
    );
    expect(found).toEqual(['getPet answers 200 with an Error body']);
  });

  test('a valid key that is refused is one problem, whatever was expected instead', () => {
    const refused = { ...accepted, actual: '401' };
    expect(headlines(list({ ...refused, expected: '200' }), get({ ...refused, expected: '404' }))).toEqual([
      'listPets and getPet refuse a valid key with 401',
    ]);
  });
});

describe('several defects are several problems', () => {
  test('a page without a limit is no longer than one that was asked for', () => {
    const found = headlines(list(tooMany('asked', 20, 21)), list(tooMany('default', 20, 25), '/pets'));
    expect(found).toHaveLength(2);
  });

  test('a status that is none of the contract’s does not hide a filter that lets others through', () => {
    const shouting = { check: 'body', rule: 'enum', expected: 'one of "sold"', actual: '"SOLD"' };
    const found = headlines(
      list(shouting, '/pets?status=sold'),
      list({ actual: '"SOLD"' }, '/pets?status=sold'),
      list({ actual: '"pending"' }, '/pets?status=sold'),
    );
    expect(found).toEqual([
      expect.stringMatching(/^`status` of a pet is text/),
      'The status filter lets pets with another status through',
    ]);
  });

  test('and hides one whose pets have none but such a status', () => {
    const shouting = { check: 'body', rule: 'enum', expected: 'one of "sold"', actual: '"SOLD"' };
    expect(headlines(list(shouting), list({ actual: '"SOLD"' }))).toHaveLength(1);
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
      list(category('9007199254740993', '9007199254740992')),
      list(category('9007199254740995', '9007199254740996')),
      list(category('7', '1')),
    );
    expect(found).toEqual([expect.stringMatching(/^`categoryId` of a pet changes/)]);
  });
});

test('what lets strangers in and what loses pets is told before what is put otherwise', () => {
  const found = headlines(
    ...[1, 2, 3].map(() =>
      get({ check: 'error-body', rule: 'status', at: 'body/status', expected: '404, as x', actual: '1' }),
    ),
    list(tooMany('asked', 20, 21)),
    list({ check: 'status', rule: 'expected', at: 'status', expected: '401', actual: '200' }),
  );
  expect(found.map((each) => each.slice(0, 12))).toEqual(['What is not ', 'listPets ans', '`status` in ']);
});

describe('several defects are each told', () => {
  test('a name that another change could not have changed, beside names that it did', () => {
    expect(headlines(get(name('Zo\u00EB Cfabcde', 'Zoe Cfabcde')), get(name("O'M Cfabcdf", "O''M Cfabcdf")))).toEqual([
      expect.stringContaining('Names lose their accents'),
      expect.stringContaining('`name` of a pet changes'),
    ]);
  });

  test('a value that changed, beside ids that are given twice', () => {
    const twice = { check: 'new-id', rule: 'given-twice', at: 'body/id', expected: 'another', actual: '7, which was' };
    const changed = category('4294967299, as when it was created', '3');
    const other = get(category('4294967299, as when it was created', '3'));
    const otherName = makeFinding(name('Cfabcde', 'Cfabcdf'));
    expect(headlines(create(twice, undefined), ...Array.from({ length: 5 }, () => get(changed)))).toHaveLength(2);
    other.steps[0]?.exchanges[0]?.findings.push(otherName);
    expect(headlines(create(twice, undefined), ...Array.from({ length: 5 }, () => other))).toHaveLength(1);
  });

  test('an id that is given twice, beside records that are made up; a value, beside another pet for some ids', () => {
    const unknown = { request: { ...request, path: '/pets/9', asksUnknown: true as const } };
    const twice = { check: 'new-id', rule: 'given-twice', at: 'body/id', expected: 'another', actual: '7, which was' };
    const madeUp = get({ ...accepted, expected: '404', actual: '200' }, unknown);
    expect(headlines(madeUp, create(twice, undefined))).toHaveLength(2);
    const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '-9', actual: '9' } as const;
    const negative = get(other, { request: { ...request, path: '/pets/-9' } });
    expect(headlines(negative, get(category('1', '2')))).toHaveLength(2);
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

  test('a field that lists lacked before anything was refused, beside what was refused and is stored', () => {
    const kept = { check: 'none-refused', rule: 'refused', at: 'body/1', expected: 'no refused pet', actual: '"X"' };
    const lacking = { check: 'body', rule: 'required', at: 'body/0/name', expected: 'present', actual: 'nothing' };
    const at = (startedAt: string, scenario: ScenarioResult): ScenarioResult => {
      for (const { exchanges } of scenario.steps) for (const exchange of exchanges) exchange.startedAt = startedAt;
      return scenario;
    };
    const refusal = create({ severity: 'information' }, undefined);
    for (const { exchanges } of refusal.steps)
      for (const exchange of exchanges) exchange.response = { status: 400, headers: {}, body: '' };
    const later = [at('2030-01-01T00:00:02Z', refusal), at('2030-01-01T00:00:03Z', list(kept))];
    expect(headlines(at('2030-01-01T00:00:01Z', list(lacking)), ...later)).toHaveLength(2);
    expect(headlines(at('2030-01-01T00:00:04Z', list(lacking)), ...later)).toHaveLength(1);
  });

  test('what a create leaves out of its answer, beside another value in lists', () => {
    const unknown = { check: 'body', rule: 'enum', expected: 'one of "sold"', actual: '"unknown"' };
    const dropped = {
      check: 'echo',
      rule: 'status',
      at: 'body/status',
      expected: '"sold", as it was sent',
      actual: 'absent',
    };
    expect(headlines(list(unknown), create(dropped, undefined))).toEqual([
      '`status` of a pet is left out in the answers of createPet, though it is "sold"',
      expect.stringMatching(/^`status` of a pet is text/),
    ]);
  });

  test('a short page, beside pets that cannot be fetched, or of which a list lost fewer', () => {
    const page = { check: 'page', rule: 'full', at: 'body', expected: '20 pets, since a longer list has 60' };
    const short = (found: number): ScenarioResult => list({ ...page, actual: `${found} pets` }, '/pets');
    const notFound = get({ ...accepted, expected: '200', actual: '404' });
    const lost = list({
      check: 'contains',
      rule: 'present',
      at: 'body',
      expected: 'the pet 7',
      actual: 'not in the list',
    });
    expect(headlines(short(19), notFound)).toHaveLength(2);
    expect(headlines(short(10), lost)).toHaveLength(2);
    expect(headlines(short(19), lost)).toHaveLength(1);
  });

  test('a list that lost a pet, beside another pet than was asked for', () => {
    const other = get({ check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' });
    const lost = list({
      check: 'contains',
      rule: 'present',
      at: 'body',
      expected: 'the pet 7',
      actual: 'not in the list',
    });
    expect(headlines(other, lost)).toHaveLength(2);
  });

  test('errors of one status without a body, beside another answer without one', () => {
    const none = { rule: 'present', at: 'body', expected: 'a body', actual: 'no body' };
    const error = list({ ...none, check: 'error-body' });
    for (const { exchanges } of error.steps)
      for (const exchange of exchanges) exchange.response = { status: 400, headers: {}, body: '' };
    expect(headlines(get({ ...none, check: 'body' }), error)).toHaveLength(2);
  });

  test('pets that were left behind, beside fewer that were taken without an id in the answer', () => {
    const left = { check: 'left-behind', rule: 'new', at: 'body/7', expected: 'no more pets', actual: 'the pet 7' };
    const taken = create(accepted, [{ at: 'body/name', rule: 'required', actual: 'nothing' }]);
    const together = (found: Partial<Finding>): ScenarioResult => ({ ...list(found), id: taken.id });
    expect(headlines(taken, together(left))).toHaveLength(1);
    expect(headlines(taken, together({ ...left, more: 2 }))).toHaveLength(2);
    expect(headlines(taken, list(left))).toHaveLength(2);
  });

  test('what should be refused is taken, where it is answered as what is taken', () => {
    const redirected = { ...accepted, actual: '303' };
    const found = headlines(
      create({ ...redirected, expected: '201' }, undefined),
      create(redirected, [{ at: 'body', rule: 'type', actual: '[]' }]),
    );
    expect(found).toEqual([
      'createPet answers 303 instead of 201',
      expect.stringMatching(/^createPet accepts a list as a body/),
    ]);
  });

  test('a wrong key is accepted where it is answered as a right one is, and not where it is led elsewhere', () => {
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
      'The key is not checked: createPet serves requests with a wrong key',
      'createPet answers 303 instead of 201',
    ]);
    expect(headlines(sent('valid', '/pets/7'), sent('wrong', '/login'))).toEqual([
      'createPet answers 303 instead of 201',
      'createPet answers 303 instead of 401 with a wrong key',
    ]);
  });

  test('what is not the key and gets the answer of a request with it is accepted, unless no key gets that too', () => {
    const status = { check: 'status', rule: 'expected', at: 'status', expected: '401', actual: '404' };
    const as = (auth: 'wordNull' | 'missing'): ScenarioResult =>
      get(status, { request: { ...request, path: '/pets/9', auth, asksUnknown: true } });
    expect(headlines(as('wordNull'))).toEqual([expect.stringMatching(/^What is not the key is accepted for it/)]);
    expect(headlines(as('wordNull'), as('missing'))).toEqual([expect.stringMatching(/404 instead of 401/)]);
  });

  test('a status that filtered lists hide is told as that', () => {
    const hidden = list({ actual: 'absent' }, '/pets?status=sold');
    const elsewhere = {
      check: 'same-pet',
      rule: 'status',
      expected: '"sold", as when it was created',
      actual: 'absent',
    };
    expect(headlines(hidden, list(elsewhere, '/pets?status=sold'))).toEqual([
      expect.stringMatching(/^`status` of a pet is left out in the answers of listPets/),
    ]);
  });

  test('a success for an id that no pet has is one problem, whether the pet might be there by then or not', () => {
    const unknown = { request: { ...request, path: '/pets/9', asksUnknown: true as const } };
    const found = headlines(
      get({ ...accepted, expected: '404', actual: '204' }, unknown),
      get({ ...accepted, expected: '200 or 404', actual: '204' }, unknown),
    );
    expect(found).toEqual(['getPet answers 204 instead of 404 for an id that no pet has']);
  });
});
