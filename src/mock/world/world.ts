import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import type { ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import type { Credentials } from '../request/credentials.js';
import type { ApiRequest, ApiResponse, Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { CallerList, Journal, RecordedExchange, Memory, Pool } from './journal.js';
import type { DelayRange, SettableClock } from './clock.js';
import type { FaultPlan } from '../faults/faults.js';
import type { Steps, Fixtures } from '../fixtures/fixtures.js';
import type { FixtureOptions } from '../fixtures/load-fixtures.js';
import type { Collections, Starts, CollectionsState } from '../store/collections.js';
import type { Key } from '../store/kept.js';

export interface World {
  name: string;
  contract: Contract;
  profile: Profile;
  startProfile: Profile;
  gaps: ContractGaps;
  collections: Collections;
  startsOf: (fixtures: Fixtures) => Starts;
  /** Reads another fixture pack for the collections. Throws a `PetstoreMockError` for an unusable one. */
  readFixtures: (options: FixtureOptions) => Steps<Fixtures>;
  repeats: Map<string, Key>;
  snapshots: SnapshotList;
  memory: Memory;
  clock: SettableClock;
  journal: Journal;
  faults: FaultPlan;
  coverage: CoverageRecorder;
  callers: CallerList;
  credentials: Credentials;
  redact: (text: string) => string;
  delay: DelayRange | undefined;
  startDelay: DelayRange | undefined;
  /** A number from 0 up to 1, as `Math.random` gives. */
  random: () => number;
  handlers: Readonly<Record<string, Handler>>;
  stateless: Readonly<Record<string, Handler>>;
  onExchange: ((exchange: RecordedExchange) => void) | undefined;
}

export interface Call {
  operation: Operation;
  request: ApiRequest;
  path: ParameterValues;
  query: ParameterValues;
  body: unknown;
  world: World;
  profile: Profile;
  keepsState?: boolean;
  undo?: (() => void) | undefined;
  /** Whether the changes stay where the contract alone gives the answer: what is removed is gone, whatever is said of it. */
  standsAnyway?: boolean;
  note?: string | undefined;
  failure?: { reason: string; crash: unknown };
}

export type Handler = (call: Call) => ApiResponse;

/** Resets all but snapshots, profile and coverage. */
export function resetWorld(world: World): void {
  world.collections.reset();
  world.repeats.clear();
  world.faults.reset();
  world.delay = world.startDelay;
  world.clock.reset();
  world.journal.clear();
  world.callers.clear();
}

export function releaseWorld(world: World): void {
  for (const part of [world.collections, world.snapshots, world.journal]) part.release();
}

/** The delay of the next request in milliseconds. */
export const pickDelay = ({ delay, random }: World): number =>
  delay === undefined ? 0 : delay.from + random() * (delay.to - delay.from);

const PLACE_BYTES = 8;

export type SnapshotList = ReturnType<typeof createSnapshotList>;

export function createSnapshotList(pool: Pool) {
  const states = new Map<string, CollectionsState>();
  const weighState = (state: CollectionsState = []): number =>
    state.reduce((sum, { state: one }) => sum + PLACE_BYTES * one.records.length + one.weight, 0);
  const remove = (name: string): boolean => {
    pool.used -= weighState(states.get(name));
    return states.delete(name);
  };
  return {
    save(name: string, state: CollectionsState): boolean {
      const growth = weighState(state) - weighState(states.get(name));
      if (pool.used + growth > pool.most) return false;
      pool.used += growth;
      states.set(name, state);
      return true;
    },
    get: (name: string) => states.get(name),
    has: (name: string) => states.has(name),
    names: () => [...states.keys()],
    remove,
    release(): void {
      for (const name of states.keys()) remove(name);
    },
  };
}
