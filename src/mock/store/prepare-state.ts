import type { Int64 } from '../../contract/document/json.js';
import { weigh } from '../world/memory.js';
import type { CollectionState } from './collection.js';
import { createKeySource, firstFreePlace, keyOf, nameRecord, type KeyRule } from './keys.js';
import { StoredRecord, type Fields } from './stored-record.js';

/** Gives a key to each record without one, from `nextKey` on (default: one past the highest key). */
export function prepareState(
  records: readonly Fields[],
  { key, nextKey }: { key: KeyRule; nextKey?: Int64 | undefined },
): CollectionState {
  const given = new Set(records.map((record) => keyOf(record, key)));
  const keys = createKeySource(key, (one) => given.has(one));
  keys.goOnAt(nextKey ?? firstFreePlace(records, key));
  const named = records.map((record) => nameRecord(record, key, keys)).filter((record) => record !== undefined);
  const weight = records.reduce((sum, record) => sum + weigh(record), 0);
  return { records: named.map((record) => new StoredRecord(record)), nextKey: keys.upcoming(), weight };
}
