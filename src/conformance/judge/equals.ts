import { listDifferences, type Difference } from './differences.js';
import { knownFields } from './extra-fields.js';
import { withoutMoved } from './moved.js';
import { answersOnePet, findOnePet, PET_FIELDS } from './pets.js';
import { comesFromAnswer } from '../wire/request/template.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import type { Keyword } from './keyword.js';
import { readBodyFor } from './looked-at.js';
import { placeOfRecord } from './places.js';

export const equalsCheck: Check = {
  id: 'equals',
  title: 'a body equals that of another answer, or the one in the scenario',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const read = readBodyFor('equals', context);
    if ('outcomes' in read) return read.outcomes;
    const stated = context.stated.equals;
    const shown = answersOnePet(context.sent.operation?.id) ? findOnePet(read.value) : undefined;
    const { pet: value, at: within } = shown ?? { pet: read.value, at: 'body' };
    const found = listDifferences(context.expect.equals, value, { stated, fields: comparedFields(context) });
    return withoutMoved(
      found.map((difference) => describe(difference, { stated, within, context })),
      context.memory,
    );
  },
};

function describe(
  { at: inBody, expected, actual, doubt }: Difference,
  { stated, within, context }: { stated: unknown; within: string; context: CheckContext },
): CheckFinding {
  // Another client may have changed it in the meantime.
  const finding = {
    rule: inBody.split('/').at(-1) || 'equal',
    at: `${within}${inBody}`,
    expected,
    actual,
    doubt,
    settles: true,
  };
  return comesFromAnswer(stated) ? { ...finding, contractPointer: placeOfRecord(context) } : finding;
}

/** It can compare any JSON. */
export const equalsKeyword: Keyword = { check: equalsCheck, looksAt: 'body', findMistake: () => undefined };

/** The fields by which two representations of one thing are compared; `undefined` where the contract names none. */
function comparedFields(context: CheckContext): readonly string[] | undefined {
  const known = knownFields(context);
  if (known === undefined) return undefined;
  // For a pet, the fields that clients set, and the id: a team's other fields may change by themselves.
  return PET_FIELDS.every((field) => known.has(field)) ? PET_FIELDS : [...known];
}
