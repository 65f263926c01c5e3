import type { FaultPlan } from '../faults/faults.js';
import type { Key, Kept } from '../store/kept.js';
import { Changes, changesOf, type WorldChanges, readState, writeState, type WrittenPart } from './changes.js';
import type { Journal } from '../world/journal.js';
import type { SnapshotList, World } from '../world/world.js';
import type { SettableClock } from '../world/clock.js';
import type { CollectionsState } from '../store/collections.js';

/** Makes worlds note what changes in them. */
export interface Tracking {
  changes: Changes;
  track: (world: World) => World;
}

export function createTracking(): Tracking {
  const changes = new Changes();
  return { changes, track: (world) => trackWorld(world, changesOf(world.name, changes)) };
}

/** Makes a world note every change of what it holds beside its collections; an exchange is told when its changes are kept. */
function trackWorld(world: World, changes: WorldChanges): World {
  trackClock(world.clock, changes);
  trackFaults(world.faults, changes);
  trackSnapshots(world.snapshots, changes);
  trackSettings(world, changes);
  world.repeats = new TrackedRepeats(world.repeats, changes);
  trackJournal(world.journal, changes);
  const { onExchange, callers, coverage } = world;
  const note = callers.note.bind(callers);
  world.onExchange = (exchange) => changes.afterwards(() => onExchange(exchange));
  const addRequest = coverage.addRequest.bind(coverage);
  const addAnswer = coverage.addAnswer.bind(coverage);
  coverage.addRequest = (request) => changes.afterwards(() => addRequest(request));
  coverage.addAnswer = (...answer) => changes.afterwards(() => addAnswer(...answer));
  // A date of the start is that of the moment at which the world was made, wherever that was.
  if (world.clock.start !== undefined)
    changes.note({ do: 'clock', ...world.clock.setting, start: world.clock.start }, () => {});
  callers.note = (...caller) => changes.afterwards(() => note(...caller));
  return world;
}

function trackJournal(journal: Journal, changes: WorldChanges): void {
  const add = journal.add.bind(journal);
  const clear = journal.clear.bind(journal);
  journal.add = (entry) => changes.afterwards(() => add(entry));
  journal.clear = () => {
    changes.note({ do: 'clear' }, () => {});
    changes.afterwards(clear);
  };
}

function trackClock(clock: SettableClock, changes: WorldChanges): void {
  const inner = {
    set: clock.set.bind(clock),
    advance: clock.advance.bind(clock),
    freeze: clock.freeze.bind(clock),
    reset: clock.reset.bind(clock),
  };
  const noting = (change: () => void): void => {
    const before = clock.setting;
    change();
    changes.note({ do: 'clock', ...clock.setting, start: clock.start }, () => {
      clock.setting = before;
    });
  };
  const tracked: Partial<SettableClock> = {
    set: (time) => noting(() => inner.set(time)),
    advance: (ms) => noting(() => inner.advance(ms)),
    freeze: (time) => noting(() => inner.freeze(time)),
    reset: () => noting(() => inner.reset()),
  };
  Object.assign(clock, tracked);
}

function trackFaults(faults: FaultPlan, changes: WorldChanges): void {
  const inner = {
    add: faults.add.bind(faults),
    remove: faults.remove.bind(faults),
    clear: faults.clear.bind(faults),
    reset: faults.reset.bind(faults),
    strike: faults.strike.bind(faults),
  };
  const noting = <Result>(change: () => Result): Result => {
    const before = faults.save();
    const result = change();
    changes.note({ do: 'faults', faults: faults.save() }, () => faults.load(before));
    return result;
  };
  const tracked: Partial<FaultPlan> = {
    add: (fault) => noting(() => inner.add(fault)),
    remove: (id) => noting(() => inner.remove(id)),
    clear: () => noting(() => inner.clear()),
    reset: () => noting(() => inner.reset()),
    strike(position, exchange) {
      const before = faults.save();
      const hit = inner.strike(position, exchange);
      const hits = faults.save().rules.flatMap(({ id, hits: now, draws }, index) => {
        const was = before.rules[index];
        return was?.hits === now && was.draws === draws ? [] : [[id, now, draws] as const];
      });
      if (hits.length > 0) changes.note({ do: 'strike', hits }, () => faults.load(before));
      return hit;
    },
  };
  Object.assign(faults, tracked);
}

function trackSnapshots(snapshots: SnapshotList, changes: WorldChanges): void {
  const inner = { ...snapshots };
  const putBack = (name: string, state: ReturnType<SnapshotList['get']>): void => {
    inner.remove(name);
    if (state !== undefined) inner.save(name, state);
  };
  const tracked: Partial<SnapshotList> = {
    save(name, state) {
      const before = snapshots.get(name);
      if (!inner.save(name, state)) return false;
      changes.note({ do: 'save', name, state: writeParts(state) }, () => putBack(name, before));
      return true;
    },
    remove(name) {
      const before = snapshots.get(name);
      if (!inner.remove(name)) return false;
      changes.note({ do: 'forget', name }, () => putBack(name, before));
      return true;
    },
  };
  Object.assign(snapshots, tracked);
}

function trackSettings(world: World, changes: WorldChanges): void {
  let { delay, profile } = world;
  Object.defineProperties(world, {
    delay: {
      enumerable: true,
      get: () => delay,
      set(given: World['delay']) {
        const before = delay;
        delay = given;
        changes.note({ do: 'delay', delay, start: world.startDelay }, () => {
          delay = before;
        });
      },
    },
    profile: {
      enumerable: true,
      get: () => profile,
      set(given: World['profile']) {
        const before = profile;
        profile = given;
        const choices = profile === world.startProfile ? undefined : listChosen(world);
        changes.note({ do: 'choose', choices }, () => {
          profile = before;
        });
      },
    },
  });
}

/** The choices that are not those of the start. */
export function listChosen({ profile, startProfile }: World): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile.choices).filter(([gap, choice]) => choice !== startProfile.choices[gap]),
  );
}

class TrackedRepeats extends Map<string, Key> {
  readonly #changes: WorldChanges;

  constructor(made: ReadonlyMap<string, Key>, changes: WorldChanges) {
    super();
    this.#changes = changes;
    for (const [id, key] of made) super.set(id, key);
  }

  override set(id: string, key: Key): this {
    const before = [...this];
    super.set(id, key);
    this.#changes.note({ do: 'repeat', id, key }, () => this.#putBack(before));
    return this;
  }

  override clear(): void {
    const before = [...this];
    super.clear();
    if (before.length > 0) this.#changes.note({ do: 'repeats', made: [] }, () => this.#putBack(before));
  }

  #putBack(made: readonly (readonly [string, Key])[]): void {
    super.clear();
    for (const [id, key] of made) super.set(id, key);
  }
}

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
