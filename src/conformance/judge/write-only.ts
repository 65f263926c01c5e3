import { findMarked } from '../../contract/operations/marked-members.js';
import { hasMark } from '../../contract/operations/properties.js';
import { recordAt } from '../subjects/subject.js';
import { isAlike } from './status.js';
import type { CheckContext, CheckFinding } from './check.js';
import { isRecord } from './shown.js';
import { followPointer } from '../model/follow-pointer.js';
import { findAsked } from '../ledger/shown-records.js';

/**
 * What is write only is in no answer, at any depth and of any operation (OpenAPI 3.0.3, Schema Object; JSON Schema
 * Validation 2020-12 section 9.4). The value itself may be a secret, and is not told.
 */
export function judgeWriteOnly(schemaPointer: string, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  if (body.kind !== 'json') return [];
  const marked = findMarked(contract, schemaPointer, body.value, 'writeOnly');
  return [...marked, ...listUndescribed(context)].map(({ name, at, schemaPointer: contractPointer }) => ({
    rule: `${name} write only`,
    at: `body${at}`,
    expected: 'no value, since the field is write-only',
    actual: 'a value',
    contractPointer,
  }));
}

/** What only the request of a create describes, and marks, is no field of a record that an answer may show. */
function listUndescribed({ answer, body, contract, sent }: CheckContext): ReturnType<typeof findMarked> {
  if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX') || body.kind !== 'json') return [];
  const { subject, role } = findAsked(contract, sent) ?? {};
  const at = role === undefined ? undefined : recordAt(role);
  if (subject === undefined || at === undefined) return [];
  const secret = subject.fields.filter(
    ({ recordPointer, schemaPointer }) =>
      recordPointer === undefined && hasMark(contract.document, schemaPointer, 'writeOnly'),
  );
  if (secret.length === 0) return [];
  const shown = followPointer(body.value, at);
  const records = Array.isArray(shown) ? shown.map((each: unknown, index) => [`/${index}`, each]) : [['', shown]];
  return records.flatMap(([place, record]) =>
    secret
      .filter(({ name }) => isRecord(record) && record[name] !== undefined && record[name] !== null)
      .map(({ name, schemaPointer }) => ({ name, schemaPointer, at: `${at}${String(place)}/${name}` })),
  );
}
