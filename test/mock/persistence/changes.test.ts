import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, describeAll } from '../../../src/mock/persistence/apply-changes.js';
import { createTracking } from '../../../src/mock/persistence/track-world.js';
import { resetWorld, type World } from '../../../src/mock/world/world.js';
import { type Worlds, createWorlds, createWorldFactory } from '../../../src/mock/world/worlds.js';
import type { Change, Changes } from '../../../src/mock/persistence/changes.js';
import type { Collection } from '../../../src/mock/store/collection.js';
import { describeWorld, petsOf } from '../../support/test-world.js';

type Tracked = { worlds: Worlds; changes: Changes };

/** Worlds without a clock of their own, so that two can be compared. */
function makeTracked(): Tracked {
  const tracking = createTracking();
  const { changes } = tracking;
  const clock = { now: () => 1_000_000, elapsed: () => 0 };
  const create = createWorldFactory({ ...describeWorld({}), clock, tracking });
  const worlds = createWorlds({ create, changes });
  changes.settle();
  return { worlds, changes };
}

/** Everything there is, as data; `lists` are what clients would see. */
function lookAt({ worlds, changes }: Tracked): unknown {
  const list = ({ collection }: { collection: Collection }): unknown => {
    const sold = { property: 'status', value: 'sold' };
    const pages = [collection.list({ order: 'newest-first' }), collection.list({ order: 'oldest-first', where: sold })];
    return [...pages.map((page) => page.map(({ text }) => text)), collection.nextKey];
  };
  // What is as at the start is described in short.
  const describe = (each: Change): object =>
    each.do === 'open' ? Object.assign({}, each, { now: each.now ?? each.start }) : each;
  return changes.quietly(() => ({
    all: copy([...describeAll(worlds)].map(describe)),
    lists: worlds.all().map(({ collections }) => collections.list().map(list)),
  }));
}

type Act = (world: World, pick: number, worlds: Worlds) => unknown;

const statusOf = (pick: number): string => (pick % 2 === 0 ? 'sold' : 'pending');
const pet = (pick: number): object => ({ name: `n${pick}`, categoryId: pick, status: statusOf(pick) });

function keyAt(world: World, pick: number): number {
  const listed = petsOf(world).list({ order: 'oldest-first' });
  return (listed[pick % Math.max(1, listed.length)]?.record['id'] as number | undefined) ?? pick;
}

const ACTS: Readonly<Record<string, Act>> = {
  add: (world, pick) => petsOf(world).add({ ...pet(pick) }),
  addNamed: (world, pick) => petsOf(world).get(pick + 500) ?? petsOf(world).add({ id: pick + 500, ...pet(pick) }),
  change: (world, pick) => petsOf(world).change({ id: keyAt(world, pick), ...pet(pick + 1) }),
  remove: (world, pick) => world.collections.remove(world.collections.kept[0] as never, [], keyAt(world, pick)),
  putBack(world, pick) {
    const [kept] = world.collections.kept;
    const state = world.collections.state();
    const key = keyAt(world, pick);
    if (kept === undefined) return;
    world.collections.remove(kept, [], key);
    world.collections.putBack(state, kept, [], key);
  },
  replace: (world, pick) => petsOf(world).replace([{ ...pet(pick) }, { id: 3, ...pet(pick) }]),
  reset: (world) => resetWorld(world),
  save: (world, pick) => world.snapshots.save(`s${pick % 3}`, world.collections.state()),
  forget: (world, pick) => world.snapshots.remove(`s${pick % 3}`),
  restore(world, pick) {
    const state = world.snapshots.get(`s${pick % 3}`);
    if (state !== undefined) world.collections.restore(state);
  },
  begin(world, pick) {
    const pets = [{ id: pick, ...pet(pick) }];
    world.collections.begin(world.startsOf({ name: 'p', seed: 1, pets, nextId: undefined }));
  },
  clock: (world, pick) => (pick % 2 === 0 ? world.clock.advance(pick) : world.clock.freeze(pick)),
  delay(world, pick) {
    world.delay = { from: pick, to: pick };
  },
  choose(world) {
    world.profile = { ...world.profile, choices: { ...world.profile.choices, 'list-order': 'oldest-first' } };
  },
  fault: (world, pick) => world.faults.add({ effect: { status: 500 }, rate: 0.5, times: (pick % 3) + 1 }),
  unfault: (world, pick) => world.faults.remove(`fault-${pick % 4}`),
  strike(world) {
    const operation = world.contract.operations[0] as never;
    world.faults.strike('before', { operation, path: '/', status: undefined, request: { method: 'GET' } as never });
  },
  repeat: (world, pick) => world.repeats.set(`r${pick}`, pick),
  enter: (_world, pick, worlds) => worlds.enter(`w${pick % 3}`),
  drop: (_world, pick, worlds) => worlds.drop(`w${pick % 3}`),
};

const act = record({ act: constantFrom(...Object.keys(ACTS)), pick: nat(60), world: nat(3) });
const acts = array(act, { maxLength: 25 });

type Acts = readonly { act: string; pick: number; world: number }[];

function doAll({ worlds }: Tracked, all: Acts): void {
  for (const { act: name, pick, world } of all) ACTS[name]?.(worlds.all()[world] ?? worlds.default, pick, worlds);
}

test('what is taken back leaves nothing, whatever it was and whatever was there before', () => {
  assert(
    property(acts, acts, (before, after) => {
      const tracked = makeTracked();
      doAll(tracked, before);
      tracked.changes.settle();
      const seen = lookAt(tracked);
      doAll(tracked, after);
      tracked.changes.undo();
      expect(lookAt(tracked)).toEqual(seen);
    }),
  );
});

test('changes made elsewhere lead to the same state, from the start or from a description of all there is', () => {
  assert(
    property(acts, acts, (before, after) => {
      const [one, other, late] = [makeTracked(), makeTracked(), makeTracked()];
      doAll(one, before);
      applyChanges(copy(one.changes.list()), other.worlds, other.changes);
      one.changes.settle();
      expect(lookAt(other)).toEqual(lookAt(one));
      applyChanges(copy([...describeAll(one.worlds)]), late.worlds, late.changes);
      expect(lookAt(late)).toEqual(lookAt(one));
      doAll(one, after);
      const changes = copy(one.changes.list());
      one.changes.settle();
      for (const each of [other, late]) applyChanges(changes, each.worlds, each.changes);
      expect(lookAt(other)).toEqual(lookAt(one));
      expect(lookAt(late)).toEqual(lookAt(one));
    }),
  );
});

/** As they are written and read. */
function copy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
