import { writeFixtures } from '../fixtures/fixtures.js';
import type { CollectionState } from '../store/collection.js';
import { nameOpen } from '../store/open-names.js';
import type { Key } from '../store/keys.js';
import { weigh } from '../world/memory.js';
import { nameInChanges, writeState, type Change, type ChangeWithin } from '../world/changes.js';
import type { World } from '../world/world.js';
import type { Worlds } from '../world/worlds.js';
import { listChosen } from './track-world.js';
import { writeParts } from './written-state.js';

/**
 * Everything that worlds hold, as changes from nothing, each made when it is asked for. The content is that of the
 * moment of the call, whatever changes meanwhile, since records are never changed in place.
 */
export function describeAll(worlds: Worlds): Iterable<Change> {
  const kept = worlds.all().map((world) => ({ name: nameInChanges(world.name), steps: describeWorld(world) }));
  return (function* () {
    yield { do: 'begin' } satisfies Change;
    for (const { name, steps } of kept) {
      for (const step of steps)
        yield* step().map((change): Change => (name === undefined ? change : Object.assign({ world: name }, change)));
    }
  })();
}

type Step = () => ChangeWithin[];

function describeWorld(world: World): Step[] {
  const { clock, faults, delay, startDelay, profile, startProfile, repeats, snapshots, collections } = world;
  const chosen: ChangeWithin[] = profile === startProfile ? [] : [{ do: 'choose', choices: listChosen(world) }];
  const small: ChangeWithin[] = [
    { do: 'enter' },
    { do: 'start', fixtures: writeFixtures(collections.starts.fixtures) },
    { do: 'clock', ...clock.setting, start: clock.start },
    { do: 'delay', delay, start: startDelay },
    { do: 'faults', faults: faults.save() },
    { do: 'repeats', made: [...repeats] },
    ...chosen,
  ];
  const open = collections.list().map((each): Step => {
    const { kept, within, collection } = each;
    const { start } = collection;
    const now = collection.whole();
    return () => describeOpen({ in: nameOpen(kept, within), of: kept.name, within }, start, now);
  });
  const saved = snapshots.names().map((name): Step => {
    const state = snapshots.get(name) ?? [];
    return () => [{ do: 'save', name, state: writeParts(state) }];
  });
  return [() => small, ...open, ...saved];
}

/** Records of about so many bytes together are one change, so that none is too long for a text. */
const MOST_BYTES = 256 * 1024;

function describeOpen(
  place: { in: string; of: string; within: readonly Key[] },
  start: CollectionState,
  now: CollectionState,
): ChangeWithin[] {
  const isAsAtStart =
    now.gone?.length === 0 &&
    now.records.length === start.records.length &&
    now.nextKey === start.nextKey &&
    now.records.every((each, index) => each === start.records[index]);
  if (isAsAtStart) return [{ do: 'open', ...place, start: writeState(start) }];
  const { records, next, gone } = writeState(now);
  let bytes = 0;
  const end = records.findIndex((record) => (bytes += weigh(record)) > MOST_BYTES);
  const first = end === -1 ? records : records.slice(0, end);
  const rest = end === -1 ? [] : records.slice(end);
  const open: ChangeWithin = { do: 'open', ...place, start: writeState(start), now: { records: first, next, gone } };
  return [open, ...rest.map((record): ChangeWithin => ({ do: 'add', in: place.in, record, next }))];
}
