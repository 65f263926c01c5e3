import type { CollectionState } from '../store/collection.js';
import type { CollectionsState } from '../store/collections.js';
import type { Kept } from '../store/kept.js';
import { StoredRecord } from '../store/stored-record.js';
import { writeState } from '../store/tracked-collection.js';
import type { WrittenPart, WrittenState } from '../world/changes.js';
import { weigh } from '../world/memory.js';

/** A saved state of collections as plain data. */
export function writeParts(state: CollectionsState): WrittenPart[] {
  return state.map(({ kept, within, state: one }) => ({ of: kept.name, within, ...writeState(one) }));
}

/** A saved state from plain data; what the contract no longer keeps is left out. */
export function readParts(parts: readonly WrittenPart[], all: readonly Kept[]): CollectionsState {
  return parts.flatMap(({ of, within, ...written }) => {
    const kept = all.find(({ name }) => name === of);
    return kept === undefined ? [] : [{ kept, within, state: readState(written) }];
  });
}

export function readState({ records, next, gone }: WrittenState): CollectionState {
  const stored = records.map((record) => new StoredRecord(record));
  const weight = records.reduce((sum, record) => sum + weigh(record), 0);
  return { records: stored, nextKey: next, weight, ...(gone === undefined ? {} : { gone }) };
}
