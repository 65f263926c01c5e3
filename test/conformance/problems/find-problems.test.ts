import { expect, test } from 'vitest';
import { findProblems } from '../../../src/conformance/problems/find-problems.js';
import type { ScenarioResult } from '../../../src/conformance/result.js';
import { makeDeviating, makeFinding } from '../../report/results.js';

const limit = '/paths/~1pets/get/parameters/0';

function show(id: string, basis: string): ScenarioResult {
  const finding = makeFinding({ check: 'limit', contract: { file: 'c.yaml', line: 35, pointer: limit } });
  return { ...makeDeviating(id, [finding]), basis: { text: basis } };
}

function listScenarios(...scenarios: ScenarioResult[]): string[] | undefined {
  return findProblems({ scenarios })[0]?.scenarios;
}

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
