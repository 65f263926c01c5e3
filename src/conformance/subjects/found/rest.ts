// Operations that no resource has: they are asked as they stand.
import type { Contract } from '../../../contract/contract.js';
import type { Operation } from '../../../contract/model.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Subject } from '../subject.js';

/** What is left of a contract beside its resources: the operations that none of them has. */
export function readRest(subjects: readonly Subject[], { operations }: Contract): Subject | undefined {
  const asked = new Set(subjects.flatMap(({ roles }) => Object.values(roles).map(({ operation }) => operation.id)));
  const rest = operations.filter(({ id }) => !asked.has(id));
  if (rest.length === 0) return undefined;
  const name = ['operations', 'other-operations'].find((each) => subjects.every((subject) => subject.name !== each));
  const key = { property: '', parameter: '', kind: 'text', givenBy: 'service', schemaPointer: '' } as const;
  const resource = {
    name: name ?? 'rest',
    singular: 'operation',
    collectionPath: '',
    itemPath: '',
    schemaPointer: '',
    key,
    operations: rest.map((operation) => asAction(operation)),
    scope: [],
    parent: undefined,
    assigned: [],
    notes: [],
  };
  const none = { roles: {}, fields: [], parent: undefined, putsNew: undefined };
  return { ...none, name: resource.name, resource, isFound: true };
}

/** An operation that is no role: whatever its answer is, its schema is judged with every answer. */
export function asAction(operation: Operation): RoleOperation {
  return {
    role: 'action',
    operation,
    success: { status: 200, mediaType: undefined, body: undefined } as unknown as RoleOperation['success'],
    requestMember: undefined,
    requestPointer: undefined,
  };
}
