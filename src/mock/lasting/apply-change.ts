import { readFixtures } from '../fixtures/fixtures.js';
import { keyOf } from '../store/keys.js';
import { nameOpen } from '../store/open-names.js';
import { StoredRecord } from '../store/stored-record.js';
import { noteRepeat } from '../operations/repeated-creates.js';
import type { Change, Changes, ChangeWithin } from '../world/changes.js';
import { DEFAULT_WORLD, readState } from '../world/changes.js';
import type { World } from '../world/world.js';
import type { Worlds } from '../world/worlds.js';
import { layOver } from '../../contract/gaps/profile-layers.js';
import { readParts } from './written-state.js';

/** Makes changes that were made elsewhere, or earlier; without checks, since they passed them then. */
export function applyChanges(all: readonly Change[], worlds: Worlds, changes: Changes): void {
  changes.quietly(() => {
    for (const change of all) applyOne(change, worlds);
  });
}

function applyOne(change: Change, worlds: Worlds): void {
  if (change.do === 'begin') return begin(worlds);
  const { world: name = DEFAULT_WORLD } = change;
  if (change.do === 'drop') return void worlds.drop(name);
  const world = worlds.make(name);
  applyTo(world, change);
}

/** What follows describes everything that there is. */
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
  start: (world, { fixtures }) => {
    world.collections.starts = world.startsOf(readFixtures(fixtures));
  },
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

function applyTo<Kind extends Exclude<ChangeWithin['do'], 'drop'>>(
  world: World,
  change: ChangeWithin & { do: Kind },
): void {
  (APPLY[change.do] as Apply<Kind>)(world, change);
}
