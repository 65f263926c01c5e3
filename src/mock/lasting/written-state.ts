import type { CollectionsState } from '../store/collections.js';
import type { Kept } from '../store/kept.js';
import { readState, writeState, type WrittenPart } from '../world/changes.js';

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
