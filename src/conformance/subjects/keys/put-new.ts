// Records that are created by a PUT at a key of the client's choice, where the contract has no other create.
import { readValueShape } from '../../../contract/operations/properties.js';
import type { RawStep } from '../../model/raw-scenario.js';
import { Inapplicable, type Binding } from '../binding.js';
import { findUniqueKey } from '../records/unique-texts.js';

/** A key that a new record may have, as path and record allow it. */
export function newKeyOf({ subject, contract }: Binding): string {
  const { key } = subject.resource;
  const written = subject.roles.get ?? subject.roles.replace;
  const inPath = written?.operation.parameters.find((each) => each.in === 'path' && each.name === key.parameter);
  const places = [key.schemaPointer, inPath?.schemaPointer].filter((at) => at !== undefined);
  const isText = places.every((at) =>
    readValueShape(contract.document, at, 0).types.every((each) => each === 'string'),
  );
  const found = findUniqueKey(key.kind === 'integer' && !isText ? 'number' : 'string', places, contract);
  if (found === undefined) throw new Inapplicable('a new key');
  return found;
}

/** The name of the step that proves a key to be free, and the key that it gives the step after it. */
export function nameProof(step: string): { id: string; key: string } {
  return { id: `free-${step}`, key: `$steps.free-${step}.outputs.key` };
}

/** A record of somebody else's is never overwritten. */
export function proveFree(step: RawStep): RawStep {
  const otherwise =
    'it writes only where there is no record: the target must return 404 for an unused key, and the contract should have that 404';
  return { ...step, assume: { status: [404, 410], otherwise } };
}

/** What the contract leaves open must be seen before anything builds on it. */
export function proveThere(step: RawStep): RawStep {
  const otherwise = 'it needs a service in which a PUT at a new key creates a record, which the contract leaves open';
  return { ...step, assume: { status: ['2XX'], otherwise }, retryFrom: step.id };
}
