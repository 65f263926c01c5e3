import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/conformance/checks/index.js';
import { rex } from '../support/trial.js';
import { makeContext, type Exchanged } from '../support/check-context.js';
import { meaningTrials } from '../support/meaning-trials.js';
import { messageTrials } from '../support/message-trials.js';

const trials = { ...messageTrials, ...meaningTrials };

function judge(id: string, exchanged: Exchanged): string[] {
  const outcomes = checks.find((check) => check.id === id)?.run(makeContext(exchanged)) ?? [];
  return outcomes.map((outcome) => {
    if ('needs' in outcome) return 'needs';
    return `${outcome.rule} ${outcome.at}${outcome.severity === 'information' ? ' (information)' : ''}`;
  });
}

test('every check is tried on sound and on mutanty exchanges', () => {
  expect(Object.keys(trials).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  for (const { sound, mutanty } of Object.values(trials)) {
    expect(Object.keys(sound)).not.toHaveLength(0);
    expect(Object.keys(mutanty)).not.toHaveLength(0);
  }
});

describe.each(Object.entries(trials))('the check %s', (id, { sound, mutanty }) => {
  test.each(Object.entries(sound))('finds nothing wrong: %s', (_, exchanged) => {
    expect(judge(id, exchanged)).toEqual([]);
  });

  test.each(Object.entries(mutanty))('is red: %s', (_, [exchanged, ...says]) => {
    expect(judge(id, exchanged)).toEqual(says);
  });

  test('gives the same outcomes for the same exchange', () => {
    for (const [exchanged] of Object.values(mutanty)) {
      const context = makeContext(exchanged);
      const check = checks.find((each) => each.id === id);
      expect(check?.run(context)).toEqual(check?.run(context));
    }
  });

  test('names a rule that the contract has, where it names one', () => {
    for (const [exchanged] of Object.values(mutanty)) {
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
  [{ equals: rex }, { equals: '$steps.create.response.body' }, '"Rex", as in the answer before'],
])('what equals expects is told by where it comes from: %j stated as %j', (expected, stated, told) => {
  const context = makeContext({ operation: 'getPet', body: { ...rex, name: 'Max' }, expect: expected, stated });
  const [finding] = checks.find(({ id }) => id === 'equals')?.run(context) ?? [];
  expect(finding).toMatchObject({ at: 'body/name', expected: told, actual: '"Max"' });
});
