import type { Contract } from '../contract/contract.js';
import { findFaultProblems } from '../mock/faults/check-fault.js';
import { keyOf, type Key } from '../mock/store/keys.js';
import type { OpenCollection } from '../mock/store/collections.js';
import type { World } from '../mock/world/world.js';
import type { Worlds } from '../mock/world/worlds.js';

/** What became of what clients had made. */
export interface Moved {
  /** Records that clients created and that are there again. */
  kept: number;
  /** Those that the new contract does not allow, or has no place for: `pets 7`. */
  dropped: string[];
}

/**
 * Brings what clients have done from worlds to those that take their place: records that they created, the journal, faults,
 * clock, choices and coverage. Snapshots stay behind, since they hold records of the contract as it was.
 */
export function moveState(from: Worlds, to: Worlds): Moved {
  const moved: Moved = { kept: 0, dropped: [] };
  for (const before of from.all()) {
    const entry = to.enter(before.name);
    if (!('world' in entry)) continue;
    const after = entry.world;
    after.journal = before.journal;
    after.callers = before.callers;
    after.clock = before.clock;
    after.coverage.merge(before.coverage);
    if (isSameStart(before, after)) after.profile = before.profile;
    moveFaults(before, after);
    for (const open of before.collections.list()) moveRecords(open, after, moved);
  }
  return moved;
}

/** Choices that a client made stay, unless the file that the profile comes from says something else now. */
function isSameStart({ startProfile: one }: World, { startProfile: other }: World): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What is planted stays as it is, hits and all, where every fault can still strike. */
function moveFaults(before: World, after: World): void {
  const planted = before.faults.list();
  if (planted.every(({ id: _id, hits: _hits, ...fault }) => findFaultProblems(fault, after.contract).length === 0)) {
    after.faults = before.faults;
  }
}

function moveRecords(
  { kept, within, collection }: OpenCollection,
  { contract, collections }: World,
  moved: Moved,
): void {
  const place = collections.kept.find(({ name, scope }) => name === kept.name && scope.length === kept.scope.length);
  for (const { record } of collection.state().records) {
    const key = keyOf(record, collection.key);
    if (key === undefined || collection.beganWith(key)) continue;
    const isAllowed = place !== undefined && isSound(record, place.schemaPointer, contract);
    const target = isAllowed ? collections.open(place, within) : undefined;
    const stored = target?.get(key) === undefined ? target?.add(record) : target.change(record);
    if (stored === undefined) moved.dropped.push(nameRecord(kept.name, key));
    else moved.kept += 1;
  }
}

function isSound(record: object, schemaPointer: string, { validate }: Contract): boolean {
  return validate.value(schemaPointer, record).length === 0;
}

function nameRecord(collection: string, key: Key): string {
  return key === '' ? collection : `${collection} ${key}`;
}
