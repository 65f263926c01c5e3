import { readFixtures, writeFixtures } from '../fixtures/fixtures.js';
import { keyOf, StoredRecord, type Key, weigh } from '../store/kept.js';
import { nameOpen } from '../store/collections.js';
import { noteRepeat } from '../operations/create-record.js';
import type { Change, Changes, ChangeWithin } from './changes.js';
import { DEFAULT_WORLD, readState, nameInChanges, writeState } from './changes.js';
import type { World } from '../world/world.js';
import type { Worlds } from '../world/worlds.js';
import { layOver } from '../../contract/gaps/profile.js';
import { readParts, writeParts, listChosen } from './track-world.js';
import type { CollectionState } from '../store/collection.js';

/** Makes changes that were made elsewhere, or earlier; without checks, since they passed them then. */
export function applyChanges(all: readonly Change[], worlds: Worlds, changes: Changes): void {
  changes.quietly(() => {
    for (const change of all) {
      if (change.do === 'begin') begin(worlds);
      else if (change.do === 'drop') worlds.drop(change.world ?? DEFAULT_WORLD);
      else (APPLY[change.do] as Apply<typeof change.do>)(worlds.make(change.world ?? DEFAULT_WORLD), change);
    }
  });
}

function begin(worlds: Worlds): void {
  for (const name of worlds.names()) worlds.drop(name);
  const { collections, snapshots, repeats } = worlds.default;
  for (const each of collections.list()) collections.close(nameOpen(each.kept, each.within));
  for (const name of snapshots.names()) snapshots.remove(name);
  repeats.clear();
}

type Apply<Kind extends ChangeWithin['do']> = (world: World, change: ChangeWithin & { do: Kind }) => void;

const APPLY: { [Kind in Exclude<ChangeWithin['do'], 'drop'>]: Apply<Kind> } = {
  enter: () => {},
  start: (world, { fixtures }) => (world.collections.starts = world.startsOf(readFixtures(fixtures))),
  open({ collections }, { of, within, start, now }) {
    const kept = collections.kept.find(({ name }) => name === of);
    if (kept === undefined || kept.scope.length !== within.length) return;
    const collection = collections.openAs(kept, within, readState(start));
    if (now !== undefined) collection.restore(readState(now));
  },
  close: ({ collections }, { in: name }) => collections.close(name),
  add({ collections }, { in: name, record, next }) {
    const collection = collections.at(name);
    if (collection === undefined) return;
    collection.place(new StoredRecord(record), Infinity);
    collection.nextKey = next;
  },
  place: ({ collections }, { in: name, record, at }) => collections.at(name)?.place(new StoredRecord(record), at),
  change({ collections }, { in: name, record }) {
    const collection = collections.at(name);
    const before = collection === undefined ? undefined : collection.get(keyOf(record, collection.key) ?? '');
    if (before !== undefined) collection?.swap(before, new StoredRecord(record));
  },
  remove: ({ collections }, { in: name, key }) => {
    const collection = collections.at(name);
    if (collection?.displace(key) !== undefined) collection.setGone(key, true);
  },
  restore: ({ collections }, { in: name, to }) => collections.at(name)?.restore(readState(to)),
  clock(world, { shift, frozen, start }) {
    // A date given at the start has precedence if it is another one.
    if (world.clock.start === start) world.clock.setting = { shift, frozen };
  },
  delay(world, { delay, start }) {
    if (JSON.stringify(world.startDelay) === JSON.stringify(start)) world.delay = delay;
  },
  choose(world, { choices }) {
    const { startProfile, gaps } = world;
    world.profile =
      choices === undefined
        ? startProfile
        : layOver({ ...startProfile, choices: { ...startProfile.choices, ...choices } }, gaps.known);
  },
  faults: ({ faults }, { faults: saved }) => faults.load(saved),
  strike: ({ faults }, { hits }) => faults.count(hits),
  save({ snapshots, collections }, { name, state }) {
    snapshots.remove(name);
    snapshots.save(name, readParts(state, collections.kept));
  },
  forget: ({ snapshots }, { name }) => void snapshots.remove(name),
  clear: ({ journal }) => journal.clear(),
  repeats({ repeats }, { made }) {
    repeats.clear();
    for (const [id, key] of made) repeats.set(id, key);
  },
  repeat: ({ repeats }, { id, key }) => noteRepeat(id, key, repeats),
};

/** All that worlds hold, as changes from nothing, made when asked for; the content is that of the call. */
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
