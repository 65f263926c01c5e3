import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import type { Gap, Profile } from '../../contract/gaps/gaps.js';
import type { Credentials } from '../request/credentials.js';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { CallerList } from './callers.js';
import type { DelayRange } from './delay-range.js';
import type { FaultPlan } from '../faults/faults.js';
import type { Steps } from '../fixtures/in-steps.js';
import type { FixtureOptions, Fixtures } from '../fixtures/load-fixtures.js';
import type { Journal, RecordedExchange } from './journal.js';
import type { Memory } from './memory.js';
import type { SnapshotList } from './snapshot-list.js';
import type { Collections, Starts } from '../store/collections.js';
import type { SettableClock } from './world-clock.js';

/** One isolated mock: everything that an answer depends on. */
export interface World {
  name: string;
  contract: Contract;
  /** It can be changed while the world is there. */
  profile: Profile;
  /** What it began with. */
  startProfile: Profile;
  /** What a profile chooses between. */
  gaps: readonly Gap[];
  /** The records that it keeps. */
  collections: Collections;
  /** What collections begin with by a fixture pack. */
  startsOf: (fixtures: Fixtures) => Starts;
  /** Reads the fixture pack that the collections are to begin with. Throws a `PetstoreMockError` for one that cannot be used. */
  readFixtures: (options: FixtureOptions) => Steps<Fixtures>;
  /** States of the collections to go back to, by name. */
  snapshots: SnapshotList;
  /** What all worlds together may keep. */
  memory: Memory;
  clock: SettableClock;
  journal: Journal;
  faults: FaultPlan;
  /** What the exchanges have exercised, whatever the journal still has of them. */
  coverage: CoverageRecorder;
  /** Who calls deprecated operations. */
  callers: CallerList;
  credentials: Credentials;
  /** Takes the keys out of what is shown. */
  redact: (text: string) => string;
  /** How long requests are held back before they are looked at; `undefined` for not at all. */
  delay: DelayRange | undefined;
  /** How long they were at the start. */
  startDelay: DelayRange | undefined;
  /** A number from 0 up to 1, as `Math.random` gives. */
  random: () => number;
  /** What answers each operation, by `operationId`. */
  handlers: Readonly<Record<string, Handler>>;
  /** What answers the operations that have no such handler, from the contract alone. */
  stateless: Readonly<Record<string, Handler>>;
  /** Called with every exchange once it is over. */
  onExchange: (exchange: RecordedExchange) => void;
}

/** A request that was accepted: credentials and contract are behind it. */
export interface Call {
  operation: Operation;
  request: ApiRequest;
  path: ParameterValues;
  /** With the contract's defaults filled in. */
  query: ParameterValues;
  body: unknown;
  world: World;
  /** Set by a handler that answers from what the world keeps. */
  keepsState?: boolean;
  /** Takes back what the handler has changed, should its answer not be sent. */
  undo?: (() => void) | undefined;
  /** What is worth knowing of the answer, a sentence without a full stop. */
  note?: string | undefined;
  /** Why a handler of the user's own gave no answer that can be sent. */
  failure?: { reason: string; crash: unknown };
}

/** Answers one operation. */
export type Handler = (call: Call) => ApiResponse;

/**
 * Brings a world back to its start: its records, their keys, its faults, its
 * delay, its clock, an empty journal. Snapshots, profile and coverage stay.
 */
export function resetWorld(world: World): void {
  world.collections.reset();
  world.faults.reset();
  world.delay = world.startDelay;
  world.clock.reset();
  world.journal.clear();
  world.callers.clear();
}

/** Gives back what a world holds of the memory that all share, when it is dropped. */
export function releaseWorld(world: World): void {
  for (const part of [world.collections, world.snapshots, world.journal]) part.release();
}

/** How long to hold back the next request, in milliseconds. */
export function pickDelay({ delay, random }: World): number {
  return delay === undefined ? 0 : delay.from + random() * (delay.to - delay.from);
}
