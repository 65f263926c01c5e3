import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { recordTypeOf } from '../../../contract/resources/plain-roles.js';
import { listExamples } from '../../../contract/schemas/examples.js';
import { findViolation } from '../request-body.js';
import type { Subject } from '../subject.js';
import type { RecordTemplate } from './made-records.js';

/**
 * The records that the contract gives as examples of a create's body (`example` and `examples` of its media type), as far
 * as its own schema allows them.
 */
export function listExampleBodies({ roles: { create } }: Subject, contract: Contract): RecordTemplate[] {
  const { pointer } = create?.operation.requestBody ?? {};
  const mediaType = create === undefined ? undefined : recordTypeOf(create.operation);
  if (create === undefined || pointer === undefined || mediaType === undefined) return [];
  const found = listExamples(contract.document, { pointer }, { mediaType, name: undefined });
  const bodies = found.map((body) => (create.requestMember ?? []).reduce<unknown>(step, body));
  return bodies
    .map(asObject)
    .filter((body) => Object.keys(body).length > 0 && findViolation(body, create, contract) === undefined);
}

function step(value: unknown, name: string): unknown {
  return asObject(value)[name];
}
