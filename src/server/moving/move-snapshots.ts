import type { CollectionsState } from '../../mock/store/collections.js';
import { weigh } from '../../mock/world/memory.js';
import type { World } from '../../mock/world/world.js';
import { findPlace, findProblem, tellNoPlace } from './move-records.js';

type OneState = CollectionsState[number];

/** Moves snapshots to a world of another contract, with the records that the contract allows. Returns what is missing. */
export function moveSnapshots(before: World, after: World): string[] {
  return before.snapshots.names().flatMap((name) => {
    const moved = (before.snapshots.get(name) ?? []).map((each) => moveOne(each, after));
    const state = moved.flatMap(({ state: one }) => (one === undefined ? [] : [one]));
    if (!after.snapshots.save(name, state)) return [`The snapshot ${name} was dropped: the store is full`];
    return moved.flatMap(({ problem }) => (problem === undefined ? [] : [`The snapshot ${name} lacks ${problem}`]));
  });
}

function moveOne(one: OneState, { collections, contract }: World): { state?: OneState; problem?: string | undefined } {
  const { kept, within, state } = one;
  const place = findPlace(kept, collections.kept);
  if (place === undefined) return { problem: `its ${kept.name}: ${tellNoPlace(kept, contract)}` };
  const judged = state.records.map((stored) => ({ stored, problem: findProblem(stored.record, place, contract) }));
  const records = judged.flatMap(({ stored, problem }) => (problem === undefined ? [stored] : []));
  const first = judged.find(({ problem }) => problem !== undefined)?.problem;
  // The start of this world consists of other objects than that of the previous one, even if they are equal.
  const weight = records.reduce((sum, { record }) => sum + weigh(record), 0);
  return {
    state: { kept: place, within, state: { records, nextKey: state.nextKey, weight } },
    problem: first === undefined ? undefined : `${judged.length - records.length} of its ${kept.name}: ${first}`,
  };
}
