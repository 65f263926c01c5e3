// Keys that are near those of records, or at the edges of what programs read.
import type { Row } from '../../model/scenario.js';
import { referToKeys } from '../keys/refer-to-keys.js';
import { readCases } from './data.js';
import type { TableSource } from './table-source.js';

/** Integers that the contract allows as a key, of which a service may have a record or not, but no other than that. */
export function listOddKeys({ subject, contract }: TableSource): Row[] {
  const { key: given } = subject.resource;
  const inPath = subject.roles.get?.operation.parameters.find(
    (each) => each.in === 'path' && each.name === given.parameter,
  );
  const at = inPath?.schemaPointer;
  if (given.kind !== 'integer' || at === undefined) return [];
  const isKey = (value: unknown): boolean => contract.validate.value(at, value).length === 0;
  const rows = readCases('keys');
  const fixed = rows
    .filter(({ key }) => key !== undefined && isKey(key))
    .map(({ id, key }) => ({ id, words: id, key }));
  const { create } = subject.roles;
  if (create === undefined) return fixed;
  // A path that allows more than integers may have a name behind the digits.
  const isOfDigits = [1.5, '1.5', '1abc'].every((value) => !isKey(value));
  const aliases = rows
    .filter(({ key, such }) => key === undefined && (such === undefined ? isOfDigits : isKey(such)))
    .map(({ id, words }) => ({ id, words, key: `${referToKeys('aliasKeys', create)}/${id}` }));
  return [...fixed, ...aliases];
}
