import type { RecordRule } from '../model/record-rules.js';
import type { CheckContext, CheckFinding } from './check.js';
import { listUnlike } from './like.js';
import { printChoice } from '../ledger/record-ledger.js';
import { show } from './shown.js';
import { findAsked } from '../ledger/shown-records.js';

/** `undefined` where the record shows none of the fields. */
export function listStated(
  record: Readonly<Record<string, unknown>>,
  { at, states = {} }: RecordRule,
  context: CheckContext,
): CheckFinding[] | undefined {
  const fields = Object.keys(states).filter((field) => record[field] !== undefined);
  if (fields.length === 0 && Object.keys(states).length > 0) return undefined;
  return (
    fields
      .filter((field) => listUnlike(states[field], record[field]).length > 0)
      // With which it was seen to begin, it has been moved on.
      .filter((field) => !hasBegun(field, states[field], context))
      .map((field) => ({
        rule: `${field} default`,
        at: `body${at}/${field}`,
        expected: `${show(states[field])}, the default in the contract`,
        value: show(states[field]),
        actual: show(record[field]),
        settles: true,
      }))
  );
}

function hasBegun(field: string, value: unknown, { contract, sent, ledger }: CheckContext): boolean {
  const { subject } = findAsked(contract, sent) ?? {};
  return subject !== undefined && ledger.learned.ownChoices.has(printChoice(subject, field, value));
}
