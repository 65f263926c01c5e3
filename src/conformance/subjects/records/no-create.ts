import { recordTypeOf } from '../../../contract/resources/plain-roles.js';
import type { Subject } from '../subject.js';

/** Why a run cannot create records of a resource: a sentence without a full stop. */
export function describeNoCreate({ resource }: Pick<Subject, 'resource'>): string {
  const create = resource.operations.find(({ role }) => role === 'create');
  if (create === undefined) return 'the contract has no create';
  const { operation, many } = create;
  const [type] = operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  if (type === undefined) return `${operation.id} takes no body`;
  if (recordTypeOf(operation) === undefined)
    return `${operation.id} takes ${type}, and a run sends only JSON and forms`;
  if (many === true) return `${operation.id} creates several records at once`;
  const needed = operation.parameters.find(({ required, in: place }) => required && place !== 'path');
  return needed === undefined
    ? `${operation.id} does not create records by a request body`
    : `${operation.id} needs the ${needed.in} parameter ${needed.name}`;
}
