import { describe, expect, test } from 'vitest';
import type { CheckOutcome } from '../../../src/conformance/checks/check.js';
import { checks } from '../../../src/conformance/checks/index.js';
import { rex } from '../support/check-examples.js';
import { makeContext, tell, type Exchanged } from '../support/check-context.js';
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

/** What a check says of an exchange. */
const judge = (id: string, exchanged: Exchanged): CheckOutcome[] =>
  checks.find((check) => check.id === id)?.run(makeContext(exchanged)) ?? [];

test('every check is tried on sound and on broken exchanges', () => {
  expect(Object.keys(examples).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  for (const { sound, broken } of Object.values(examples)) {
    expect(Object.keys(sound)).not.toHaveLength(0);
    expect(Object.keys(broken)).not.toHaveLength(0);
  }
});

describe.each(Object.entries(examples))('the check %s', (id, { sound, broken }) => {
  test.each(Object.entries(sound))('finds nothing wrong: %s', (_, exchanged) => {
    expect(tell(judge(id, exchanged))).toEqual([]);
  });

  test.each(Object.entries(broken))('is red: %s', (_, [exchanged, ...says]) => {
    expect(tell(judge(id, exchanged))).toEqual(says);
  });

  test('names a rule that the contract has, where it names one', () => {
    const dangling = Object.values(broken).flatMap(([exchanged]) => {
      const { document } = makeContext(exchanged).contract;
      return judge(id, exchanged)
        .flatMap((each) => ('needs' in each ? [] : (each.contract?.pointer ?? each.contractPointer ?? [])))
        .filter((pointer) => document.at(pointer) === undefined);
    });
    expect(dangling).toEqual([]);
  });
});

test.each([
  [{ equals: rex }, { equals: rex }, '"Rex", as the scenario states'],
  [{ equals: rex }, { equals: '$steps.create.response.body' }, '"Rex", as in the previous response'],
])('what equals expects is told by where it comes from: %j stated as %j', (expected, stated, told) => {
  const exchanged = { operation: 'getPet', body: { ...rex, name: 'Max' }, expect: expected, stated };
  const [finding] = judge('equals', exchanged);
  expect(finding).toMatchObject({ at: 'body/name', expected: told, actual: '"Max"' });
});
