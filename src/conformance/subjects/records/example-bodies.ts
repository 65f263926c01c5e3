import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { recordTypeOf, type RoleOperation } from '../../../contract/resources/resource.js';
import { listExamples } from '../../../contract/schemas/examples.js';
import { findViolation } from '../request-body.js';
import type { RecordTemplate } from './made-records.js';

/**
 * The records that the contract gives as examples of a request's body (`example` and `examples` of its media type), as far
 * as its own schema allows them.
 */
export function listExampleBodies(taking: RoleOperation | undefined, contract: Contract): RecordTemplate[] {
  const { pointer } = taking?.operation.requestBody ?? {};
  const mediaType = taking === undefined ? undefined : recordTypeOf(taking.operation);
  if (taking === undefined || pointer === undefined || mediaType === undefined) return [];
  const found = listExamples(contract.document, { pointer }, { mediaType, name: undefined });
  const bodies = found.map((body) => (taking.requestMember ?? []).reduce<unknown>(step, body));
  return bodies
    .map(asObject)
    .filter((body) => Object.keys(body).length > 0 && findViolation(body, taking, contract) === undefined);
}

function step(value: unknown, name: string): unknown {
  return asObject(value)[name];
}
