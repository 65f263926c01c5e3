import { asObject } from '../../../contract/document/plain.js';
import { readProperties, readValueShape } from '../../../contract/operations/properties.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import { Inapplicable } from '../binding.js';
import type { TableSource } from '../tables/table-source.js';
import { escape } from '../../wire/request/template.js';
import type { RecordTemplate } from './made-records.js';
import { findViolation, listGiven } from '../request-body.js';

/** A replacement may take fields that a create does not, including its own key. */
export function fitReplacement(
  record: RecordTemplate,
  key: unknown,
  { binding, operation }: { binding: TableSource; operation: RoleOperation },
): RecordTemplate {
  const { contract, subject, made } = binding;
  const { property } = subject.resource.key;
  const described = listGiven(operation, contract);
  const takesKey = canBeKey(operation, binding);
  // A replacement with another key would replace another record.
  const named = Object.entries(record)
    .filter(([name]) => takesKey || name !== property)
    .map(([name, value]) => [name, name === property ? (key ?? value) : value]);
  const fitting = Object.fromEntries(named.filter(([name]) => described.has(String(name)))) as RecordTemplate;
  const sampled = sampleValue(contract.document, operation.requestPointer ?? '', { without: 'readOnly' });
  const missing = Object.entries(asObject(sampled)).filter(
    ([name]) => !Object.hasOwn(record, name) && name !== property,
  );
  const judged = { ...Object.fromEntries(missing), ...pick(made.plain, Object.keys(fitting)) };
  const isTaken = (value: RecordTemplate): boolean => findViolation(value, operation, contract) === undefined;
  const own = asObject(sampled)[property];
  if (isTaken(judged)) return { ...escape(Object.fromEntries(missing)), ...fitting };
  if (key === undefined || !takesKey || own === undefined || !isTaken({ ...judged, [property]: own }))
    throw new Inapplicable('a replacement');
  return { ...escape(Object.fromEntries(missing)), ...fitting, [property]: key };
}

/** Whether the key in the path can stand in the body: a replacement may want an object or a list by its name. */
function canBeKey({ requestPointer = '' }: RoleOperation, { subject, contract }: TableSource): boolean {
  const { document } = contract;
  const own = readProperties(document, requestPointer).find(({ name }) => name === subject.resource.key.property);
  const { types } = readValueShape(document, own?.schemaPointer, 0);
  return types.length === 0 || !types.every((type) => type === 'object' || type === 'array');
}

function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
