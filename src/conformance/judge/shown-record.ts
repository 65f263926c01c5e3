import { leaveOutMarked } from '../../contract/operations/find-marked.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { readSubjects, type Subject } from '../subjects/subject.js';
import type { CheckContext } from './check.js';

/** What was sent, without what is write only at any depth of it, which no answer shows. */
export function withoutWriteOnly(record: unknown, { contract, sent }: CheckContext): unknown {
  const { subject } = findAsked(contract, sent) ?? {};
  const schemas = [subject?.resource.schemaPointer, subject?.roles.create?.requestPointer];
  return schemas.reduce<unknown>(
    (left, schema) => (schema === undefined ? left : leaveOutMarked(contract, schema, left, 'writeOnly')),
    record,
  );
}

/** The resource that an operation serves, and as what. */
export function findAsked(
  contract: CheckContext['contract'],
  { operation }: Pick<CheckContext['sent'], 'operation'>,
): { subject: Subject; role: RoleOperation } | undefined {
  for (const subject of readSubjects(contract)) {
    const role = Object.values(subject.roles).find((each) => each.operation.id === operation?.id);
    if (role !== undefined) return { subject, role };
  }
  return undefined;
}
