import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { sameJson } from '../../contract/document/json.js';
import type { SchemaObject } from '../../contract/model.js';
import type { Field } from './subject.js';

/** Where the record has another default than the request, or cannot have that of the request, the contract does not say what it is. */
export function isDisputed({ recordPointer, schemaPointer, schema }: Field, contract: Contract): boolean {
  if (recordPointer === undefined) return false;
  const { document, validate } = contract;
  const value = readDefault(schemaPointer, schema, contract);
  if (value !== undefined && validate.value(recordPointer, value).length > 0) return true;
  const ofRecord = readDefault(recordPointer, asObject(resolveAt(document, recordPointer).value), contract);
  return ofRecord !== undefined && !sameJson(ofRecord, value);
}

/** It may stand beside a reference. One that its schema does not allow does not count. */
export function readDefault(pointer: string, schema: SchemaObject, { document, validate }: Contract): unknown {
  const beside = asObject(document.at(pointer))['default'];
  const value = beside === undefined ? schema['default'] : beside;
  return value === undefined || validate.value(pointer, value).length > 0 ? undefined : value;
}
