import { expect, test } from 'vitest';
import { findProblems } from '../../../src/conformance/explain/find-problems.js';
import { listAlso } from '../../../src/report/problems.js';
import { list } from './answers.js';

const missing = { check: 'body', rule: 'required', at: 'body/0/status', expected: 'present', actual: 'nothing' };
const letsThrough = {
  check: 'records',
  rule: 'filter',
  at: 'body/0/status',
  expected: '"sold"',
  actual: '"available"',
};

test('a failure that is taken for another problem stands in a line of that problem', () => {
  const problems = findProblems({ scenarios: [list('/pets?status=sold', missing, letsThrough)] });
  expect(problems.map(({ headline }) => headline)).toEqual([
    '`status` of a record is missing in responses of listPets',
  ]);
  expect(problems.flatMap(listAlso)).toEqual([expect.stringMatching(/`status`.* \(1 response\)$/)]);
});

test('what the headline says is not said again', () => {
  const problems = findProblems({ scenarios: [list('/pets', missing), list('/pets?limit=5', missing)] });
  expect(problems.flatMap(listAlso)).toEqual([]);
});
