import { expect, test } from 'vitest';
import type { Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeExchange } from '../../report/results.js';
import { get, headlines, list, samePet } from './answers.js';

// Filters and pages: what a list lacks, and what it should not have.

test('what a longer list of the same filter has, a short page has not lost', () => {
  const lost = { check: 'covers', rule: 'missing', at: 'body', expected: 'the pet 7 in the list', actual: 'absent' };
  const short = { check: 'page', rule: 'full', at: 'body', expected: '2 pets, since a longer list has 2' };
  const beside = (path: string): ScenarioResult => {
    const page = list('/pets?limit=2&status=sold', { ...short, actual: '1 pets' });
    const longer = makeExchange({ request: { ...makeExchange().request, path }, findings: [] });
    longer.response = { status: 200, headers: {}, body: '[{"id":1},{"id":2}]' };
    page.steps[0]!.exchanges.unshift(longer);
    return page;
  };
  const filtered = list('/pets?status=sold&limit=100', lost);
  expect(headlines(filtered, beside('/pets?status=sold&limit=100'))).toHaveLength(2);
  expect(headlines(filtered, beside('/pets?limit=100'))).toHaveLength(1);
});

test('a filter that lets one pet through explains no more pets that the list lacks', () => {
  const lost = { check: 'covers', rule: 'missing', at: 'body', expected: 'the pet 7 in the list', actual: 'absent' };
  const leak = { check: 'filter', rule: 'status', at: 'body/0/status', expected: '"sold"', actual: '"pending"' };
  const showing = (count: number, ...found: Partial<Finding>[]): ScenarioResult => {
    const leaking = list('/pets?status=sold', leak, ...found);
    const body = JSON.stringify(Array.from({ length: count }, (_, id) => ({ id })));
    leaking.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return leaking;
  };
  expect(headlines(showing(9, lost))).toHaveLength(1);
  expect(headlines(showing(9, lost, lost))).toHaveLength(2);
  // A list of others has none of its own.
  expect(headlines(showing(2, lost, lost))).toHaveLength(1);
});

test('pages with a filter that are too long explain no page without one', () => {
  const long = (rule: string): Partial<Finding> => ({
    check: 'limit',
    rule,
    at: 'body',
    expected: 'at most 20 pets',
    actual: '36 pets',
  });
  const filtered = list('/pets?status=sold&limit=20', long('asked'));
  expect(headlines(filtered, list('/pets?status=sold', long('default')))).toHaveLength(1);
  expect(headlines(filtered, list('/pets', long('default')))).toHaveLength(2);
});

test('that filtered lists show no status explains no pet that is known to have another', () => {
  const filter = (actual: string): Partial<Finding> => ({
    check: 'filter',
    rule: 'status',
    at: 'body/1/status',
    expected: '"sold"',
    actual,
  });
  const hidden = samePet('body/0/status', '"pending"', 'absent');
  const told = (actual: string): string[] => headlines(list('/pets?status=sold', hidden, filter(actual)));
  expect(told('absent')).toHaveLength(1);
  expect(told('"pending", as in the answer before')).toHaveLength(2);
});

test('a wrong status explains what filtered lists lack where it shows in lists, not in fetches', () => {
  const none = { check: 'body', rule: 'type', expected: 'a string', actual: 'null' };
  const lost = { check: 'covers', rule: 'missing', at: 'body', expected: 'the pet 7 in the list', actual: 'absent' };
  const lacking = list('/pets?status=sold', lost);
  expect(headlines(list('/pets', { ...none, at: 'body/0/status' }), lacking)).toHaveLength(1);
  expect(headlines(get({}, { ...none, at: 'body/status' }), lacking)).toHaveLength(2);
});
