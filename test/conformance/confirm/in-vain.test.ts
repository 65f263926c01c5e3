import { expect, test } from 'vitest';
import { createInVain } from '../../../src/conformance/confirm/wait.js';
import type { Finding } from '../../../src/conformance/model/result.js';

const finding = (rule: string, at: string, check = 'record'): Finding => ({
  check,
  severity: 'deviation',
  rule,
  at,
  expected: '1',
  actual: '2',
});

function answer(...findings: Finding[]): Parameters<ReturnType<typeof createInVain>['stayed']>[0][number] {
  return { exchange: { operationId: 'getTool', findings }, unmet: undefined };
}

const weight = answer(finding('weight', 'body/3/weight'));

test('a field that stayed wrong after three waits is not waited for, whatever record it is of', () => {
  const inVain = createInVain();
  inVain.stayed([weight]);
  inVain.stayed([answer(finding('weight', 'body/7/weight'))]);
  expect(inVain.isHopeless([weight])).toBe(false);
  inVain.stayed([weight]);
  expect(inVain.isHopeless([weight])).toBe(true);
});

test('a filter that let others through after three waits is not waited for, and another one is', () => {
  const inVain = createInVain();
  const through = (field: string): typeof weight => answer(finding('filter', `body/0/${field}`, 'records'));
  for (let count = 0; count < 3; count += 1) inVain.stayed([through('status')]);
  expect(inVain.isHopeless([through('status')])).toBe(true);
  expect(inVain.isHopeless([through('kind')])).toBe(false);
});

test.each([
  ['another field', answer(finding('name', 'body/3/name'))],
  ['another field beside it', answer(finding('weight', 'body/3/weight'), finding('name', 'body/3/name'))],
  ['a record that is missing', answer(finding('present', 'body'))],
  ['what another check says', answer(finding('weight', 'body/3/weight', 'body'))],
  ['an assumption that does not hold', { ...weight, unmet: {} }],
  ['nothing', answer()],
])('%s is waited for', (_, outcome) => {
  const inVain = createInVain();
  for (let count = 0; count < 3; count += 1) inVain.stayed([weight]);
  expect(inVain.isHopeless([outcome])).toBe(false);
});

test('once something has settled, everything is waited for again', () => {
  const inVain = createInVain();
  for (let count = 0; count < 3; count += 1) inVain.stayed([weight]);
  inVain.settled();
  expect(inVain.isHopeless([weight])).toBe(false);
});
