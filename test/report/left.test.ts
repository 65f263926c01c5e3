import { expect, test } from 'vitest';
import { reportFormats } from '../../src/report/index.js';
import { listLeft } from '../../src/report/problems.js';
import { judgeHar } from '../support/judges/judge-har.js';
import { judgeResult, judgeSarif } from '../support/judges/judge-json.js';
import { judgeJunit } from '../support/judges/judge-junit.js';
import { makeResult, makeScenario } from './results.js';

const tokens = { one: 'token', many: 'tokens', count: 22, why: 'as --keep asks', keys: ['a1', 'b2'], mark: 'Cfqz' };
const result = makeResult([makeScenario('list/every-time', 'passed')], { leftBehind: [tokens] });

test.each(Object.keys(reportFormats))('%s says how many records are left, and how to find them', (name) => {
  const text = reportFormats[name]?.write(result, { color: false, quiet: false }) ?? '';
  expect(text).toContain('22');
  expect(text).toContain('tokens');
  expect(text).toContain('Cfqz');
  expect(text).toContain('b2');
});

test.each([
  ['json', judgeResult],
  ['junit', judgeJunit],
  ['sarif', judgeSarif],
  ['har', judgeHar],
] as const)('%s stays valid with them', async (name, judge) => {
  expect(await judge(reportFormats[name]?.write(result, { color: false, quiet: false }) ?? '')).toEqual([]);
});

test('one is told as one, and keys that nobody knows are not', () => {
  expect(listLeft({ leftBehind: [{ ...tokens, count: 1, keys: ['a1'] }] })).toEqual([
    'leftover: 1 created token, as --keep asks: its key is a1',
  ]);
  expect(listLeft({ leftBehind: [{ ...tokens, keys: [] }] })).toEqual([
    'leftover: 22 created tokens, as --keep asks: generated texts contain Cfqz',
  ]);
  expect(listLeft({})).toEqual([]);
});

test('where they are is told, with how to remove them', () => {
  const left = { ...tokens, count: 2, keys: ['a1', 'b 2'], addresses: ['/tokens/a1', '/tokens/b%202'] };
  const target = 'http://127.0.0.1:4010/v1/';
  expect(listLeft({ target, leftBehind: [{ ...left, removable: true }] })).toEqual([
    'leftover: 2 created tokens, as --keep asks: DELETE http://127.0.0.1:4010/v1/tokens/a1, /v1/tokens/b%202',
  ]);
  expect(listLeft({ target, leftBehind: [{ ...left, removable: false, count: 9 }] })).toEqual([
    'leftover: 9 created tokens, as --keep asks: at http://127.0.0.1:4010/v1/tokens/a1, /v1/tokens/b%202 and 7 more; generated texts contain Cfqz',
  ]);
});
