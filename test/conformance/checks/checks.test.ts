import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/conformance/checks/index.js';
import { rex } from '../support/check-examples.js';
import { makeContext, type Exchanged } from '../support/check-context.js';
import { listExamples } from '../support/list-examples.js';
import { meaningExamples } from '../support/meaning-examples.js';
import { messageExamples } from '../support/message-examples.js';
import { ownRecordExamples } from '../support/own-record-examples.js';
import { validatorExamples } from '../support/validator-examples.js';
import { recordExamples } from '../support/record-examples.js';

const examples = {
  ...messageExamples,
  ...meaningExamples,
  ...recordExamples,
  ...listExamples,
  ...ownRecordExamples,
  ...validatorExamples,
};

function judge(id: string, exchanged: Exchanged): string[] {
  const outcomes = checks.find((check) => check.id === id)?.run(makeContext(exchanged)) ?? [];
  return outcomes.map((outcome) => {
    if ('needs' in outcome) return 'needs';
    return `${outcome.rule} ${outcome.at}${outcome.severity === 'information' ? ' (information)' : ''}`;
  });
}

test('every check is tried on sound and on broken exchanges', () => {
  expect(Object.keys(examples).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  for (const { sound, broken } of Object.values(examples)) {
    expect(Object.keys(sound)).not.toHaveLength(0);
    expect(Object.keys(broken)).not.toHaveLength(0);
  }
});

describe.each(Object.entries(examples))('the check %s', (id, { sound, broken }) => {
  test.each(Object.entries(sound))('finds nothing wrong: %s', (_, exchanged) => {
    expect(judge(id, exchanged)).toEqual([]);
  });

  test.each(Object.entries(broken))('is red: %s', (_, [exchanged, ...says]) => {
    expect(judge(id, exchanged)).toEqual(says);
  });

  test('gives the same outcomes for the same exchange', () => {
    for (const [exchanged] of Object.values(broken)) {
      const context = makeContext(exchanged);
      const check = checks.find((each) => each.id === id);
      expect(check?.run(context)).toEqual(check?.run(context));
    }
  });

  test('names a rule that the contract has, where it names one', () => {
    for (const [exchanged] of Object.values(broken)) {
      const context = makeContext(exchanged);
      for (const outcome of checks.find((each) => each.id === id)?.run(context) ?? []) {
        if ('needs' in outcome) continue;
        const pointer = outcome.contract?.pointer ?? outcome.contractPointer;
        if (pointer === undefined) continue;
        expect.soft({ pointer, value: context.contract.document.at(pointer) }).not.toMatchObject({ value: undefined });
      }
    }
  });
});

test.each([
  [{ equals: rex }, { equals: rex }, '"Rex", as the scenario states'],
  [{ equals: rex }, { equals: '$steps.create.response.body' }, '"Rex", as in the previous response'],
])('what equals expects is told by where it comes from: %j stated as %j', (expected, stated, told) => {
  const context = makeContext({ operation: 'getPet', body: { ...rex, name: 'Max' }, expect: expected, stated });
  const [finding] = checks.find(({ id }) => id === 'equals')?.run(context) ?? [];
  expect(finding).toMatchObject({ at: 'body/name', expected: told, actual: '"Max"' });
});
