import { isSameSchema } from '../../contract/schemas/is-same-schema.js';
import { readProperties } from '../../contract/operations/properties.js';
import type { RecordPlace } from '../model/record-rules.js';
import type { BoundStep } from './binding.js';

/** What a list need not show, or may shorten, where it has a schema of its own for records. */
export function readPart({
  binding: { subject, contract },
  operation,
}: BoundStep): Pick<RecordPlace, 'optional' | 'isPart'> {
  const { document } = contract;
  const { recordPointer } = operation.success;
  if (operation.role !== 'list' || recordPointer === undefined) return {};
  if (isSameSchema(document, subject.resource.schemaPointer, recordPointer)) return {};
  const optional = readProperties(document, recordPointer).filter(({ required }) => !required);
  return { optional: optional.map(({ name }) => name), isPart: true };
}
