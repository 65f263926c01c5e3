import { describe, expect, test } from 'vitest';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { answer, get, headlines, list, samePet, status } from './answers.js';

// A problem explains a deviation only if the deviation would be gone with it.

const lost = {
  check: 'contains',
  rule: 'present',
  at: 'body',
  expected: 'the pet 7 ("Rex")',
  actual: 'not in the list',
};
const filter = (actual: string, at = 'body/0/status'): Partial<Finding> => ({
  check: 'filter',
  rule: 'status',
  at,
  expected: '"sold"',
  actual,
});

describe('a status that lists show wrong explains a filtered list with others', () => {
  const path = '/pets?status=sold';
  const leak = 'The status filter lets pets with another status through';

  test('if that status stands for the one that was asked for, in lists too', () => {
    const swapped = list('/pets', samePet('body/0/status', '"sold"', '"pending"'));
    expect(headlines(swapped, list(path, filter('"pending"')))).toHaveLength(1);
    expect(headlines(swapped, list(path, filter('"available"')))).toContain(leak);
    const fetched = get({}, samePet('body/status', '"sold"', '"pending"'));
    expect(headlines(fetched, list(path, filter('"pending"')))).toContain(leak);
  });

  test('unless the pet is known to have another one', () => {
    const shouted = { check: 'body', rule: 'enum', at: 'body/0/status', expected: 'one of "sold"', actual: '"SOLD"' };
    const known = samePet('body/0/status', '"pending"', '"SOLD"');
    expect(headlines(list(path, shouted, filter('"SOLD"')))).toHaveLength(1);
    expect(headlines(list(path, shouted, filter('"SOLD"'), known))).toContain(leak);
    expect(headlines(list(path, { ...shouted, actual: '"PENDING"' }, filter('"PENDING"')))).toContain(leak);
  });

  test('and lost pets where the list is filtered, not in a whole one', () => {
    const none = { check: 'body', rule: 'type', at: 'body/0/status', expected: 'a string', actual: 'null' };
    expect(headlines(list('/pets', none), list(path, lost))).toHaveLength(1);
    expect(headlines(list('/pets', none), list('/pets', lost))).toHaveLength(2);
  });
});

test('a filter that lets others through explains what the same list lacks, not what another does', () => {
  const leak = filter('"pending"');
  expect(headlines(list('/pets?status=sold', leak, lost))).toHaveLength(1);
  expect(headlines(list('/pets?status=sold', leak), list('/pets?status=pending', lost))).toHaveLength(2);
});

test('a number written as text explains a text, unless another number is written', () => {
  const kind = (actual: string): Partial<Finding> => ({
    check: 'body',
    rule: 'type',
    at: 'body/categoryId',
    expected: 'an integer',
    actual,
  });
  expect(headlines(get({}, kind('"7"'), samePet('body/categoryId', '7', '"7"')))).toHaveLength(1);
  expect(headlines(get({}, kind('"3"'), samePet('body/categoryId', '4294967299', '"3"')))).toEqual([
    'Integers past 2^31 wrap around (`categoryId` in the answers of getPet)',
    expect.stringMatching(/^`categoryId` of a pet is text/),
  ]);
  const named = { check: 'body', rule: 'type', at: 'body/name', expected: 'a string', actual: '{"en":"rex"}' };
  expect(headlines(get({}, named, samePet('body/name', '"Rex"', '{"en":"rex"}')))).toHaveLength(2);
});

test('an id that a fetch leaves out explains nothing that a list has lost; nor does a pet that it shows twice, of more than one', () => {
  const missing = { check: 'body', rule: 'required', at: 'body/id', expected: 'present', actual: 'nothing' };
  expect(headlines(get({}, missing), list('/pets', lost))).toHaveLength(2);
  const twice = {
    check: 'unique-ids',
    rule: 'unique',
    at: 'body/1/id',
    expected: 'its own',
    actual: '9, as at body/0/id',
  };
  expect(headlines(list('/pets', twice, lost))).toHaveLength(1);
  expect(headlines(list('/pets', twice, { ...lost, more: 3 }))).toHaveLength(2);
  expect(headlines(list('/pets', twice), list('/pets?limit=100', lost))).toHaveLength(2);
});

test('ids that are text and given twice are two problems; ids that are null are one', () => {
  const ids = (value: string): ScenarioResult =>
    list(
      '/pets',
      { check: 'body', rule: 'type', at: 'body/0/id', expected: 'an integer', actual: value },
      {
        check: 'unique-ids',
        rule: 'unique',
        at: 'body/1/id',
        expected: 'its own',
        actual: `${value}, as at body/0/id`,
      },
    );
  expect(headlines(ids('"101"'))).toHaveLength(2);
  expect(headlines(ids('null'))).toHaveLength(1);
});

test('an item of another type explains what is wrong within it, not in the items beside it', () => {
  const item = { check: 'body', rule: 'type', at: 'body/0', expected: 'an object', actual: 'null' };
  expect(headlines(list('/pets?status=sold', item, filter('absent', 'body/1/status')))).toHaveLength(1);
  expect(headlines(list('/pets?status=sold', item, filter('"pending"', 'body/1/status')))).toHaveLength(2);
  expect(headlines(list('/pets', item, samePet('body/0/name', '"Rex"', 'absent')))).toHaveLength(1);
  expect(headlines(list('/pets', item, samePet('body/1/categoryId', '1', '2')))).toHaveLength(2);
});

describe('what is said of an id that no pet has, in place of 404, says of a pet that exists that it is not found', () => {
  const says = (sent: Partial<ExchangeResult['request']>, said: [number, string], ...found: Partial<Finding>[]) => {
    const scenario = get(sent, ...found);
    scenario.steps[0]!.exchanges[0]!.response = { status: said[0], headers: {}, body: said[1] };
    return scenario;
  };
  const served = says({ path: '/pets/3' }, [200, '{"id":3,"name":"Rex","categoryId":7}']);
  const ask = { path: '/pets/9', asksUnknown: true } as const;
  const notFound = 'getPet answers the same for a pet that exists as for an id that no pet has';
  const noObject = { check: 'body', rule: 'type', at: 'body', expected: 'an object', actual: '[]' };

  test.each<[string, [number, string], [number, string], Partial<Finding>]>([
    ['a status', [410, ''], [410, ''], status('200', '410')],
    ['another body', [200, '[]'], [200, '[]'], noObject],
    [
      'an Error body that names the id',
      [200, '{"code":"none","message":"no pet 9","status":404}'],
      [200, '{"code":"none","message":"no pet 7","status":404}'],
      { check: 'body', rule: 'required', at: 'body/id', expected: 'present', actual: 'nothing' },
    ],
  ])('%s', (_, ofUnknown, ofKnown, found) => {
    const unknown = says(ask, ofUnknown, status('404', String(ofUnknown[0])));
    expect(headlines(served, unknown, says({}, ofKnown, found))).toHaveLength(2);
    expect(headlines(served, unknown, says({}, ofKnown, found))).toContain(notFound);
  });

  test('unless every pet is answered so, or the answer is about the key, or shows a pet', () => {
    const unknown = says(ask, [200, '[]'], status('404', '200'));
    expect(headlines(unknown, says({}, [200, '[]'], noObject))).not.toContain(notFound);
    const refused = says(ask, [401, ''], status('404', '401'));
    expect(headlines(served, refused, says({}, [401, ''], status('200', '401')))).not.toContain(notFound);
    const pet = says(ask, [200, '{"name":"Rex 9"}'], status('404', '200'));
    expect(headlines(served, pet, says({}, [200, '{"name":"Rex 7"}'], noObject))).not.toContain(notFound);
  });
});

test('another pet for an id that none has is a defect of its own, unless what is answered for such ids shows it', () => {
  const ask = { path: '/pets/9', asksUnknown: true } as const;
  const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '9', actual: '1' };
  expect(headlines(get(ask, status('404', '200')), get(ask, other))).toHaveLength(2);
  expect(headlines(get(ask, status('404', '200'), other), get(ask, other))).toHaveLength(1);
});

test('a pet that is made up for an id that none has explains that a create gives that id, not one that a list has twice', () => {
  const madeUp = get({ path: '/pets/9', asksUnknown: true }, status('404', '200'));
  const twice = { rule: 'unique', expected: 'its own', actual: '9, which the pet ("Rex") has' };
  const given = answer('createPet', { method: 'POST', path: '/pets' }, { ...twice, check: 'new-id', at: 'body/id' });
  expect(headlines(madeUp, given)).toHaveLength(1);
  expect(headlines(madeUp, list('/pets', { ...twice, check: 'unique-ids', at: 'body/1/id' }))).toHaveLength(2);
});

test('a name in another form is no other pet, whatever id stands beside it', () => {
  const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' };
  expect(headlines(get({}, other, samePet('body/name', '"Rex"', '"REX"')))).toHaveLength(2);
  expect(headlines(get({}, other, samePet('body/name', '"Rex"', '"Tom"')))).toHaveLength(1);
});

test('a pet with its own name is no other pet: what else is wrong with it has a cause of its own', () => {
  const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' };
  const moved = samePet('body/status', '"sold"', '"available"');
  expect(headlines(get({}, other, moved, samePet('body/name', '"Rex"', '"Tom"')))).toHaveLength(1);
  expect(headlines(get({}, other, moved))).toHaveLength(2);
});

test('an id that lists show as text does not explain that a pet is not found by the id of its create', () => {
  const text = { check: 'body', rule: 'type', at: 'body/0/id', expected: 'an integer', actual: '"7"' };
  const gone = get({}, status('200', '404'));
  expect(headlines(list('/pets', text), gone)).toHaveLength(1);
  const created = answer('createPet', { method: 'POST', path: '/pets' });
  created.steps[0]!.exchanges[0]!.response = { status: 201, headers: {}, body: '{"id":7,"name":"Rex"}' };
  gone.steps.unshift(...created.steps);
  expect(headlines(list('/pets', text), gone)).toHaveLength(2);
});

test('nor does one by which other pets are found', () => {
  const text = { check: 'body', rule: 'type', at: 'body/id', expected: 'an integer', actual: '"7"' };
  const created = answer('createPet', { method: 'POST', path: '/pets' }, text);
  const gone = get({ path: '/pets/8' }, status('200', '404'));
  expect(headlines(created, gone)).toHaveLength(1);
  const found = get({ path: '/pets/7' });
  found.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body: '{"id":7,"name":"Rex"}' };
  created.steps.push(...found.steps);
  expect(headlines(created, gone)).toHaveLength(2);
});

test('a date that is now a time was not decoded in another encoding', () => {
  const misdecoded = samePet('body/name', '"Zoë"', '"ZoÃ«"');
  const date = samePet('body/name', '"2024-02-29"', '"2024-02-29T00:00:00.000Z"');
  expect(headlines(get({}, misdecoded), get({}, date))).toHaveLength(2);
});

test('a key that passes explains what is refused for another reason, not what nothing else is wrong with', () => {
  const accepted = list('/pets', status('401', '200'));
  const wrong = { auth: 'wrong' as const };
  accepted.steps[0]!.exchanges[0]!.request.auth = 'wrong';
  expect(headlines(accepted, answer('listPets', wrong, status('401', '403')))).toHaveLength(2);
  const breaks = [{ at: 'query/limit', rule: 'minimum', actual: '0' }];
  expect(headlines(accepted, answer('listPets', { ...wrong, breaks }, status('401', '400')))).toHaveLength(1);
});

test('JSON that is malformed does not explain a type that is not said; an answer cut short is not of a crash', () => {
  const malformed = { check: 'json', rule: 'well-formed', at: 'body', expected: 'JSON', actual: 'malformed' };
  const said = (actual: string): Partial<Finding> => ({
    check: 'content-type',
    rule: 'media-type',
    at: 'header/content-type',
    expected: 'application/json',
    actual,
  });
  const withBody = (body: string, ...found: Partial<Finding>[]): ScenarioResult => {
    const scenario = get({}, ...found);
    scenario.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return scenario;
  };
  expect(headlines(withBody('<html>', malformed, said('text/html')))).toHaveLength(1);
  expect(headlines(withBody('{}{}', malformed, said('absent')))).toHaveLength(2);
  expect(headlines(withBody('[{"id":1', malformed, said('application/octet-stream')))).toHaveLength(2);
  const crash = get({}, { check: 'server-error', rule: 'no-5xx', at: 'status', expected: 'below 500', actual: '500' });
  const none = { check: 'answered', at: 'response', expected: 'a complete HTTP answer', actual: 'none' };
  expect(headlines(crash, list('/pets', { ...none, rule: 'refused' }))).toHaveLength(1);
  expect(headlines(crash, list('/pets', { ...none, rule: 'incomplete' }))).toHaveLength(2);
});

test('an id that a create leaves out explains no other pet than was asked for', () => {
  const missing = { check: 'body', rule: 'required', at: 'body/id', expected: 'present', actual: 'nothing' };
  const created = answer('createPet', { method: 'POST', path: '/pets' }, missing);
  const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' };
  expect(headlines(created, get({}, { ...other, actual: 'absent' }))).toHaveLength(1);
  expect(headlines(created, get({}, other))).toHaveLength(2);
});

test('what was taken although it should have been refused explains nothing that was there before', () => {
  const breaks = [{ at: 'body/status', rule: 'enum', actual: '""' }];
  const at = (startedAt: string, scenario: ScenarioResult): ScenarioResult => {
    scenario.steps[0]!.exchanges[0]!.startedAt = startedAt;
    return scenario;
  };
  const taken = answer('createPet', { method: 'POST', path: '/pets', breaks }, status('400', '201'));
  const empty = { check: 'body', rule: 'enum', at: 'body/0/status', expected: 'one of "sold"', actual: '""' };
  const accepted = at('2030-01-01T00:00:02Z', taken);
  expect(headlines(accepted, at('2030-01-01T00:00:03Z', list('/pets', empty)))).toHaveLength(1);
  expect(headlines(accepted, at('2030-01-01T00:00:01Z', list('/pets', empty)))).toHaveLength(2);
});

test('another pet than was asked for and ids that are given twice are two problems, unless only the ids look taken', () => {
  const other = get({}, { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' });
  const twice = {
    check: 'unique-ids',
    rule: 'unique',
    at: 'body/1/id',
    expected: 'its own',
    actual: '9, as at body/0/id',
  };
  const taken = { check: 'new-id', rule: 'unique', at: 'body/id', expected: 'a new id', actual: '8' };
  expect(headlines(other, list('/pets', twice))).toHaveLength(2);
  expect(headlines(other, answer('createPet', { method: 'POST', path: '/pets' }, taken))).toHaveLength(1);
});

test('names that are upper-cased are those of one pet, whatever pet is answered', () => {
  const other = { check: 'right-pet', rule: 'id', at: 'body/id', expected: '7', actual: '8' };
  const raised = ['a', 'b', 'c', 'd'].map((end) =>
    samePet('body/name', `"Cfxyza${end}"`, `"CFXYZA${end.toUpperCase()}"`),
  );
  expect(headlines(get({}, other, ...raised))).toContain('Names are upper-cased in the answers of getPet');
  expect(headlines(get({}, other, samePet('body/name', '"Cfxyzaa"', '"Bella"')))).toHaveLength(1);
});

test('a refused pet that is stored explains that its name is listed again, not the name of another', () => {
  const kept = {
    check: 'none-refused',
    rule: 'refused',
    at: 'body/0',
    expected: 'none',
    actual: '"Rex", which was refused',
  };
  const twice = (name: string): Partial<Finding> => ({
    check: 'stored-once',
    rule: 'once',
    at: 'body/1',
    expected: `"${name}" once, as often as it was created`,
    actual: 'once more',
  });
  expect(headlines(list('/pets', kept, twice('Rex')))).toHaveLength(1);
  expect(headlines(list('/pets', kept, twice('Bella')))).toHaveLength(2);
});

test('a limit that lets one pet more through explains no page without a limit that is far too long', () => {
  const long = (rule: string, most: number, count: number): Partial<Finding> => ({
    check: 'limit',
    rule,
    at: 'body',
    expected: `at most ${most} pets`,
    actual: `${count} pets`,
  });
  const asked = list('/pets?limit=20', long('asked', 20, 21));
  expect(headlines(asked, list('/pets', long('default', 20, 21)))).toHaveLength(1);
  expect(headlines(asked, list('/pets', long('default', 20, 21)), list('/pets', long('default', 20, 100)))).toEqual([
    expect.stringMatching(/neither `limit` nor its default/),
    expect.stringMatching(/the default of `limit` is not kept: 100 pets/),
  ]);
});

test('ids that are given twice explain a name of another pet, not one with more after it, nor one that is missing', () => {
  const given = {
    check: 'new-id',
    rule: 'given-twice',
    at: 'body/id',
    expected: 'a new id',
    actual: '7, which was given',
  };
  const created = answer('createPet', { method: 'POST', path: '/pets' }, given);
  const named = (actual: string): ScenarioResult => get({}, samePet('body/name', '"2024-02-29"', actual));
  expect(headlines(created, named('"Bella"'))).toHaveLength(1);
  expect(headlines(created, named('"2024-02-29T00:00:00.000Z"'))).toHaveLength(2);
  expect(headlines(created, named('absent'))).toHaveLength(2);
});
