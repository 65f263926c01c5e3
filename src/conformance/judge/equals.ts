import { listDifferences, type Difference } from './differences.js';
import { knownFields } from './extra-fields.js';
import { comesFromAnswer } from '../wire/request/template.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import type { Keyword } from './keyword.js';
import { readBodyFor } from './looked-at.js';
import { placeOfRecord } from './places.js';
import { findAsked } from '../ledger/shown-records.js';

export const equalsCheck: Check = {
  id: 'equals',
  title: 'a body equals that of another response, or the one in the scenario',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const read = readBodyFor('equals', context);
    if ('outcomes' in read) return read.outcomes;
    const stated = context.stated.equals;
    const found = listDifferences(context.expect.equals, read.value, { stated, fields: comparedFields(context) });
    return found.map((difference) => describe(difference, stated, context));
  },
};

function describe({ at, ...difference }: Difference, stated: unknown, context: CheckContext): CheckFinding {
  // Another client may have changed it in the meantime.
  const finding = {
    rule: at.split('/').at(-1) || 'equal',
    at: `body${at}`,
    ...difference,
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
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const sent = (subject?.fields ?? []).map(({ name }) => name).filter((name) => known.has(name));
  // Where a client sets none of these, they are all there is to compare.
  if (subject === undefined || sent.length === 0) return [...known];
  // What only the service sets may change by itself, but for the key.
  return [...known].filter((field) => field === subject.resource.key.property || sent.includes(field));
}
