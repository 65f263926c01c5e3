import type { Contract } from '../../contract/contract.js';
import { sameJson } from '../../contract/document/same-json.js';
import { resolveAt } from '../../contract/document/references.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { comesFromAnswer } from '../scenarios/template.js';
import type { Field } from './subject.js';

/** Whether an answer with the schema at a pointer may show what is sent: a request may have a name where a record has an object. */
export function isShowable(
  value: unknown,
  { schema }: Field,
  shown: string,
  { document, validate }: Contract,
): boolean {
  if (comesFromAnswer(value) || sameJson(schema, resolveAt(document, shown).value)) return true;
  return validate.value(shown, value).length === 0;
}

/** A value that both a request and a record may have, if there is one. */
export function fitRecord(value: unknown, field: Field, contract: Contract): unknown {
  const { recordPointer, schemaPointer } = field;
  if (recordPointer === undefined || isShowable(value, field, recordPointer, contract)) return value;
  const accepts = (at: string, each: unknown): boolean => contract.validate.value(at, each).length === 0;
  const found = sampleValue(contract.document, recordPointer, { accepts });
  return found !== undefined && accepts(recordPointer, found) && accepts(schemaPointer, found) ? found : value;
}
