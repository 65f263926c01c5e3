// Keys that are near those of records, or at the edges of what programs read.
import type { Row } from '../../model/raw-scenario.js';
import { referToKeys } from '../keys/refer-to-keys.js';
import type { TableSource } from './table-source.js';

/** Keys that a reader of numbers takes for others. */
const KEYS: readonly (readonly [id: string, key: number | bigint])[] = [
  ['0', 0],
  ['-1', -1],
  ['2147483648', 2_147_483_648],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['9223372036854775807', 9_223_372_036_854_775_807n],
];

/** Integers that the contract allows as a key, of which a service may have a record or not, but no other than that. */
export function listOddKeys({ subject, contract }: TableSource): Row[] {
  const { key } = subject.resource;
  const inPath = subject.roles.get?.operation.parameters.find(
    (each) => each.in === 'path' && each.name === key.parameter,
  );
  const at = inPath?.schemaPointer;
  if (key.kind !== 'integer' || at === undefined) return [];
  const isKey = (value: unknown): boolean => contract.validate.value(at, value).length === 0;
  const fixed = KEYS.filter(([, value]) => isKey(value)).map(([id, value]) => ({ id, words: id, key: value }));
  const { create } = subject.roles;
  if (create === undefined) return fixed;
  // A path that allows more than integers may have a name behind the digits.
  const isOfDigits = [1.5, '1.5', '1abc'].every((value) => !isKey(value));
  const aliases = ALIASES.filter(({ such }) => (such === undefined ? isOfDigits : isKey(such))).map(
    ({ id, words }) => ({
      id,
      words,
      key: `${referToKeys('aliasKeys', create)}/${id}`,
    }),
  );
  return [...fixed, ...aliases];
}

/** Keys that are another for whoever does not read all of them; `such` is one of the kind, of what a key may be. */
const ALIASES: readonly { id: string; words: string; such?: number }[] = [
  { id: 'sign', words: 'of a record with the opposite sign', such: -12 },
  { id: 'bits', words: "with the low 32 bits of a record's key", such: 4_294_967_308 },
  { id: 'last-digit', words: 'of a record without its last digit', such: 1 },
  { id: 'another-digit', words: 'of a record with one more digit', such: 121 },
  { id: 'fraction', words: 'of a record with a fraction' },
  { id: 'letters', words: 'of a record followed by letters' },
];
