import { addExcerpts } from '../../../src/conformance/product/compose-result.js';
import { expect, test } from 'vitest';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import { listAlso } from '../../../src/report/problems.js';
import { makeDeviating, makeFinding } from '../../report/results.js';
import { list } from './answers.js';

const limit = '/paths/~1pets/get/parameters/0';

function show(id: string, basis: string): ScenarioResult {
  const finding = makeFinding({
    check: 'own-records',
    rule: 'limit',
    resource: 'pets',
    contract: { file: 'c.yaml', line: 35, pointer: limit },
  });
  return { ...makeDeviating(id, [finding]), basis: { text: basis } };
}

const listScenarios = (...scenarios: ScenarioResult[]): string[] | undefined =>
  findProblems({ scenarios })[0]?.scenarios;

test('a problem stands under the scenario that is about the rule, whichever shows it first', () => {
  const shown = listScenarios(
    show('a', 'section 5'),
    show('b', `#${limit}`),
    show('c', `#${limit}`),
    show('d', 'section 5'),
  );
  expect(shown).toEqual(['b', 'a', 'c', 'd']);
});

test('one that rests on the very place comes before one that rests on what is around it', () => {
  const shown = listScenarios(show('a', 'section 5'), show('b', '#/paths/~1pets/get'), show('c', `#${limit}`));
  expect(shown).toEqual(['c', 'a', 'b']);
});

test('a place whose name merely begins alike is another place', () => {
  expect(listScenarios(show('a', 'section 5'), show('b', '#/paths/~1pets/get/param'))).toEqual(['a', 'b']);
});

test('where none is about it, the first scenario that shows it heads the problem', () => {
  expect(listScenarios(show('a', 'section 5'), show('b', 'section 4'))).toEqual(['a', 'b']);
});

test('where a status is wrong, the scenario that is about the answer that was due shows it', () => {
  const wrong = (id: string, basis: string, expected: string): ScenarioResult => {
    const contract = { file: 'c.yaml', line: 35, pointer: '/paths/~1pets~1{petId}/get/responses' };
    const finding = makeFinding({ check: 'status', rule: 'expected', at: 'status', expected, actual: '403', contract });
    return { ...makeDeviating(id, [finding]), basis: { text: basis } };
  };
  const shown = listScenarios(
    wrong('pets/records/create', '#/paths/~1pets/post/responses/201', '200 or 404'),
    wrong('pets/records/unknown', '#/paths/~1pets~1{petId}/get/responses/404', '404'),
  );
  expect(shown).toEqual(['pets/records/unknown', 'pets/records/create']);
});

test('what a problem kept from being judged is said of it, and of no other', () => {
  const blocked = { ...show('a', 'section 5'), blockedAt: 'list' };
  const elsewhere = { ...show('b', 'section 5'), blockedAt: 'another' };
  const told = (...scenarios: ScenarioResult[]): (string | undefined)[] =>
    findProblems({ scenarios }).map(({ hides }) => hides);
  expect(told(blocked)).toEqual(['because of this, "what a says" could not be completed']);
  expect(told(blocked, { ...blocked, id: 'c' })).toEqual([
    'because of this, "what a says" and 1 scenario more could not be completed',
  ]);
  expect(told(elsewhere)).toEqual([undefined]);
});

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

function excerptAt(file: string, line: number): string | undefined {
  const finding = makeFinding({ contract: { file, line, pointer: '/x' } });
  const [problem] = addExcerpts(findProblems({ scenarios: [makeDeviating('a/a', [finding])] }));
  return problem?.contract?.excerpt;
}

test('a problem has the first lines of its rule, without what stands beside it', () => {
  expect(excerptAt('spec/petstore.openapi.yaml', 45)).toMatch(/^- name: status\n {2}in: query\n {2}description: /);
  expect(excerptAt('spec/petstore.openapi.yaml', 271)).toBe('required: [code, message, status]');
});

test('a contract that cannot be read has no excerpt', () => {
  expect(excerptAt('nowhere.yaml', 1)).toBeUndefined();
});
