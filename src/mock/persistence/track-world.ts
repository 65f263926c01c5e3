import type { FaultPlan } from '../faults/faults.js';
import type { Key, Kept } from '../store/kept.js';
import { Changes, changesOf, readState, writeState } from './changes.js';
import type { ChangeWithin, WorldChanges, WrittenPart } from './changes.js';
import type { SnapshotList, World } from '../world/world.js';
import type { CollectionsState } from '../store/collections.js';

export type Tracking = { changes: Changes; track: (world: World) => World };

export function createTracking(): Tracking {
  const changes = new Changes();
  return { changes, track: (world) => trackWorld(world, changesOf(world.name, changes)) };
}

function trackWorld(world: World, changes: WorldChanges): World {
  const noting =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      const before = world.clock.setting;
      change(...args);
      changes.note({ do: 'clock', ...world.clock.setting, start: world.clock.start }, () => {
        world.clock.setting = before;
      });
    };
  world.clock.set = noting(world.clock.set.bind(world.clock));
  world.clock.advance = noting(world.clock.advance.bind(world.clock));
  world.clock.freeze = noting(world.clock.freeze.bind(world.clock));
  world.clock.reset = noting(world.clock.reset.bind(world.clock));
  trackFaults(world.faults, changes);
  const inner = { ...world.snapshots };
  const putBack = (name: string, state: ReturnType<SnapshotList['get']>): void => {
    inner.remove(name);
    if (state !== undefined) inner.save(name, state);
  };
  world.snapshots.save = (name, state) => {
    const before = world.snapshots.get(name);
    if (!inner.save(name, state)) return false;
    changes.note({ do: 'save', name, state: writeParts(state) }, () => putBack(name, before));
    return true;
  };
  world.snapshots.remove = (name) => {
    const before = world.snapshots.get(name);
    if (!inner.remove(name)) return false;
    changes.note({ do: 'forget', name }, () => putBack(name, before));
    return true;
  };
  trackSettings(world, changes);
  world.repeats = new TrackedRepeats(world.repeats, changes);
  const { onExchange, callers, coverage, journal } = world;
  const later =
    <Args extends unknown[]>(report: (...args: Args) => void) =>
    (...args: Args): void =>
      changes.afterwards(() => report(...args));
  if (onExchange !== undefined) world.onExchange = later(onExchange);
  coverage.addRequest = later(coverage.addRequest.bind(coverage));
  coverage.addAnswer = later(coverage.addAnswer.bind(coverage));
  callers.note = later(callers.note.bind(callers));
  journal.add = later(journal.add.bind(journal));
  const clear = later(journal.clear.bind(journal));
  journal.clear = () => {
    changes.note({ do: 'clear' }, () => {});
    clear();
  };
  // A date of the start is that of the moment at which the world was made, wherever that was.
  if (world.clock.start !== undefined)
    changes.note({ do: 'clock', ...world.clock.setting, start: world.clock.start }, () => {});
  return world;
}

function trackFaults(faults: FaultPlan, changes: WorldChanges): void {
  const noting =
    <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const before = faults.save();
      const result = change(...args);
      changes.note({ do: 'faults', faults: faults.save() }, () => faults.load(before));
      return result;
    };
  faults.add = noting(faults.add.bind(faults));
  faults.remove = noting(faults.remove.bind(faults));
  faults.clear = noting(faults.clear.bind(faults));
  faults.reset = noting(faults.reset.bind(faults));
  const strike = faults.strike.bind(faults);
  faults.strike = (position, exchange) => {
    const before = faults.save();
    const hit = strike(position, exchange);
    const hits = faults.save().rules.flatMap(({ id, hits: now, draws }, index) => {
      const was = before.rules[index];
      return was?.hits === now && was.draws === draws ? [] : [[id, now, draws] as const];
    });
    if (hits.length > 0) changes.note({ do: 'strike', hits }, () => faults.load(before));
    return hit;
  };
}

function trackSettings(world: World, changes: WorldChanges): void {
  const watch = (name: 'delay' | 'profile', describe: () => ChangeWithin): void => {
    let value = world[name];
    const set = (given: typeof value): void => {
      const before = value;
      value = given;
      changes.note(describe(), () => (value = before));
    };
    Object.defineProperty(world, name, { enumerable: true, get: () => value, set });
  };
  watch('delay', () => ({ do: 'delay', delay: world.delay, start: world.startDelay }));
  const listChoices = () => (world.profile === world.startProfile ? undefined : listChosen(world));
  watch('profile', () => ({ do: 'choose', choices: listChoices() }));
}

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

export const writeParts = (state: CollectionsState): WrittenPart[] =>
  state.map(({ kept, within, state: one }) => ({ of: kept.name, within, ...writeState(one) }));

export function readParts(parts: readonly WrittenPart[], all: readonly Kept[]): CollectionsState {
  return parts.flatMap(({ of, within, ...written }) => {
    const kept = all.find(({ name }) => name === of);
    return kept === undefined ? [] : [{ kept, within, state: readState(written) }];
  });
}
