import { asObject } from '../../contract/document/plain.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { Inapplicable, type BoundStep } from './binding.js';
import { escape, type RecordTemplate } from './make-records.js';
import { findViolation, listGiven } from './request-body.js';

/** A replacement may take fields that a create does not, including its own key. */
export function fitReplacement(
  record: RecordTemplate,
  key: unknown,
  { binding, operation }: Pick<BoundStep, 'binding' | 'operation'>,
): RecordTemplate {
  const { contract, subject, made } = binding;
  const { property } = subject.resource.key;
  const described = listGiven(operation, contract);
  // A replacement with another key would replace another record.
  const named = Object.entries(record).map(([name, value]) => [name, name === property ? (key ?? value) : value]);
  const fitting = Object.fromEntries(named.filter(([name]) => described.has(String(name)))) as RecordTemplate;
  const sampled = sampleValue(contract.document, operation.requestPointer ?? '', { without: 'readOnly' });
  const missing = Object.entries(asObject(sampled)).filter(
    ([name]) => !Object.hasOwn(record, name) && name !== property,
  );
  const judged = { ...Object.fromEntries(missing), ...pick(made.plain, Object.keys(fitting)) };
  const isTaken = (value: RecordTemplate): boolean => findViolation(value, operation, contract) === undefined;
  const own = asObject(sampled)[property];
  if (isTaken(judged)) return { ...escape(Object.fromEntries(missing)), ...fitting };
  if (key === undefined || own === undefined || !isTaken({ ...judged, [property]: own }))
    throw new Inapplicable('a replacement');
  return { ...escape(Object.fromEntries(missing)), ...fitting, [property]: key };
}

function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
