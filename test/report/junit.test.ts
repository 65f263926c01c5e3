import { DOMParser, type Element } from '@xmldom/xmldom';
import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { makeDeviating, makeFinding, makeResult, makeScenario, write } from './results.js';

function parse(result: RunResult): Element {
  const problems: string[] = [];
  const onError = (level: string, message: string) => void (level === 'warning' || problems.push(message));
  const root = new DOMParser({ onError }).parseFromString(write('junit', result), 'text/xml').documentElement;
  expect(problems).toEqual([]);
  if (root === null) throw new Error('there is no root element');
  return root;
}

const children = (parent: Element, name: string): Element[] => [...parent.getElementsByTagName(name)];

const listed = (parent: Element, name: string, attribute: string) =>
  children(parent, name).map((each) => each.getAttribute(attribute));

const attributes = (element: Element | undefined): Record<string, string> =>
  Object.fromEntries([...(element?.attributes ?? [])].map(({ name, value }) => [name, value]));

test('a problem that shows in many scenarios is one failure, and they name it', () => {
  const root = parse(makeResult(['pets/a/a', 'pets/a/b', 'pets/b/c'].map((id) => makeDeviating(id, [makeFinding()]))));
  expect(attributes(root)).toMatchObject({ tests: '4', failures: '1' });
  expect(children(root, 'failure')[0]?.textContent).toContain('\nalso in pets/a/b, pets/b/c\n');
  const message = 'deviates; see problems: The filter by `status` of listPets returns records that do not match';
  expect(listed(root, 'skipped', 'message')).toEqual([message, message, message]);
});

test('a problem has the same name whatever was met, and no other problem has it', () => {
  const nameOf = (actual: string): (string | null)[] => {
    const text = makeFinding({ check: 'body', rule: 'type', at: 'body/0/id', expected: 'an integer', actual });
    const [problem] = children(parse(makeResult([makeDeviating('a/a', [text])])), 'testcase');
    return [problem?.getAttribute('name') ?? null, problem?.getAttribute('classname') ?? null];
  };
  expect(nameOf('"167"')).toEqual(nameOf('"4"'));
  const twice = ['200', '404'].map((expected) => makeFinding({ check: 'own', rule: expected, at: 'status' }));
  const result = makeResult([makeDeviating('a/a', twice)]);
  for (const problem of result.problems) problem.headline = 'Something is wrong';
  const names = listed(parse(result), 'testcase', 'name');
  expect(names.slice(0, 2)).toEqual(['Something is wrong', 'Something is wrong (2)']);
});

test.each([
  ['passed', { interrupted: true }, 'the run was interrupted'],
  ['passed', { targetLost: true, lostBecause: 'the target stopped responding' }, 'the target stopped responding'],
  ['inconclusive', {}, 'nothing was concluded of 1 scenario'],
] as const)('a run that came to no end, or to no conclusion, is an error: %s %j', (verdict, more, message) => {
  const root = parse(makeResult([makeScenario('a/a', verdict, { reason: 'more pets are needed' })], more));
  expect(attributes(root)).toMatchObject({ tests: '2', errors: '1', failures: '0' });
  expect(children(root, 'error')[0]?.textContent).toContain(message);
});

test('what fails the run beside problems is counted as well', () => {
  const place = { file: 'known.yaml', line: 3 };
  const line = { scenario: 'a/a', check: 'records', rule: 'limit', at: 'body', reason: 'r', expires: 'never', place };
  const baseline = { file: 'known.yaml', known: [], expired: [], fixed: [line], unseen: [] };
  const root = parse(makeResult([makeScenario('a/a', 'passed')], { baseline }));
  expect(attributes(root)).toMatchObject({ tests: '2', failures: '1' });
});

test('a run without scenarios is a whole document too', () =>
  expect(attributes(parse(makeResult([])))).toMatchObject({ tests: '1', failures: '0', errors: '1' }));
