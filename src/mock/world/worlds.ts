import { createCoverage, type CoverageRecorder } from '../../contract/coverage.js';
import { type Changes, DEFAULT_WORLD, changesOf } from '../persistence/changes.js';
import { MIB, createMemory, type Memory, createCallerList, createJournal, type RecordedExchange } from './journal.js';
import { INDEX_BYTES } from '../store/collection.js';
import { releaseWorld, type World, type Handler, createSnapshotList } from './world.js';
import type { Contract } from '../../contract/contract.js';
import type { ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import { listSecretParts } from '../../contract/security.js';
import { createCredentials } from '../request/credentials.js';
import type { Tracking } from '../persistence/track-world.js';
import { systemClock, type Clock, SettableClock, type DelayRange } from './clock.js';
import { type Fault, FaultPlan } from '../faults/faults.js';
import type { Steps, Fixtures } from '../fixtures/fixtures.js';
import { loadInSteps, type FixtureOptions } from '../fixtures/load-fixtures.js';
import { createHandlers } from '../handle-request.js';
import { createRequestRedactor } from '../../redact/redactor.js';
import { type Starts, Collections } from '../store/collections.js';
import { listKept, makeKeyRules } from '../store/kept.js';
import { createStarts } from '../fixtures/seed-records.js';

export interface Worlds {
  readonly default: World;
  gate?: Gate;
  enter(name: string): WorldEntry;
  make(name: string): World;
  has(name: string): boolean;
  /** The names: the default world's, then the others in the order of their creation. */
  names(): string[];
  all(): World[];
  /** Drops a world; its name then stands for a new one. Returns whether there was one. The default world stays. */
  drop(name: string): boolean;
  coverage(): CoverageRecorder;
}

export type WorldEntry = { world: World } | { rejected: WorldRejection };
export type WorldRejection = { status: 400 | 507; message: string };
type WorldsOptions = { create: (name: string) => World; maxWorlds?: number | undefined; changes?: Changes | undefined };

export const DEFAULT_MAX_WORLDS = 1000;
const WORLD_BYTES = 32 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createWorlds({ create, maxWorlds = DEFAULT_MAX_WORLDS, changes }: WorldsOptions): Worlds {
  const first = create(DEFAULT_WORLD);
  const all = new Map([[DEFAULT_WORLD, first]]);
  const dropped = createCoverage(first.contract);
  const { records } = first.memory;
  const hasRoom = (): boolean => records.used + WORLD_BYTES + INDEX_BYTES * first.collections.startSize <= records.most;
  const forget = (name: string): World | undefined => {
    const world = name === DEFAULT_WORLD ? undefined : all.get(name);
    if (world !== undefined && all.delete(name)) world.memory.records.used -= WORLD_BYTES;
    return world;
  };
  const release = (world: World): void => {
    dropped.merge(world.coverage);
    releaseWorld(world);
  };
  const make = (name: string): World => {
    changes?.note({ world: name, do: 'enter' }, () => void forget(name));
    const world = create(name);
    world.memory.records.used += WORLD_BYTES;
    all.set(name, world);
    return world;
  };
  return {
    default: first,
    enter(name) {
      const known = all.get(name);
      if (known !== undefined) return { world: known };
      const problem = findNameProblem(name);
      if (problem !== undefined) return { rejected: { status: 400, message: first.redact(problem) } };
      if (all.size >= maxWorlds) {
        const message = `there are already ${all.size} worlds, and at most ${maxWorlds} are allowed; delete one first`;
        return { rejected: { status: 507, message } };
      }
      if (!hasRoom()) {
        const message = `the worlds hold as much as max-memory allows, ${Math.round(records.most / MIB)} MiB; delete one first`;
        return { rejected: { status: 507, message } };
      }
      return { world: make(name) };
    },
    make: (name) => all.get(name) ?? make(name),
    has: (name) => all.has(name),
    names: () => [...all.keys()],
    all: () => [...all.values()],
    drop(name) {
      const before = [...all];
      const world = forget(name);
      if (world === undefined) return false;
      if (changes === undefined) release(world);
      else {
        changes.afterwards(() => release(world));
        changes.note({ world: name, do: 'drop' }, () => {
          world.memory.records.used += WORLD_BYTES;
          all.clear();
          for (const [each, there] of before) all.set(each, there);
        });
      }
      return true;
    },
    coverage() {
      const whole = createCoverage(first.contract);
      for (const each of [dropped, ...[...all.values()].map(({ coverage }) => coverage)]) whole.merge(each);
      return whole;
    },
  };
}

export function findNameProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  const shown = name.length <= 64 ? `"${name}"` : `one of ${name.length} characters`;
  return `the name of a world must have up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit; this is ${shown}`;
}

/** Where requests wait until what they changed is kept. Worlds that live as long as their process have no gate. */
export interface Gate {
  /** Calls back once its changes are kept, or undone with the reason; `bytes` is the size of its input. */
  pass<Result>(work: () => Result, done: (outcome: Passed<Result>) => void, bytes?: number): void;
  /** The same for work that takes several turns; nothing else passes meanwhile. Rejects with a `PetstoreMockError` (`unavailable`). */
  passAlone<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly problem: string | undefined;
  close(): Promise<void>;
}

export type Passed<Result> = { result: Result } | { rejected: GateRejection };
export type GateRejection = { status: 500 | 503 | 507; message: string };

export interface WorldOptions {
  name?: string;
  contract: Contract;
  profile: Profile;
  /** The gaps that another profile may answer. Default: none. */
  gaps?: ContractGaps;
  fixtures: Fixtures;
  /** Reads another fixture pack. Default: for the shipped contract. */
  readFixtures?: (options: FixtureOptions) => Steps<Fixtures>;
  apiKeys: readonly string[];
  /** The credentials that schemes accept instead of the keys, by the scheme's name. Default: none. */
  credentials?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The keys that output may show. Default: none. */
  shownKeys?: readonly string[];
  /** Other texts that output must not show, such as the token of the admin API. Default: none. */
  secrets?: readonly string[];
  /** The largest number of records in a collection. Default: 1,000,000. */
  maxPets?: number | undefined;
  /** The memory that all worlds share. Default: {@link createMemory}. */
  memory?: Memory | undefined;
  /** The delay of each request. Default: none. */
  delay?: DelayRange | undefined;
  /** The faults it begins with. Default: none. */
  faults?: readonly Fault[] | undefined;
  /** The date at the start, in milliseconds since 1970-01-01T00:00:00Z. Default: today. */
  now?: number | undefined;
  clock?: Clock | undefined;
  /** Default: `Math.random`. */
  random?: (() => number) | undefined;
  handlers?: Readonly<Record<string, Handler>> | undefined;
  /** Default: none; an operation without a handler then gets 501. */
  stateless?: Readonly<Record<string, Handler>> | undefined;
  onExchange?: ((exchange: RecordedExchange) => void) | undefined;
  /** Notes what changes in the world. Default: nothing is noted. */
  tracking?: Tracking | undefined;
}

export const createWorld = (options: WorldOptions): World => createWorldFactory(options)(options.name ?? DEFAULT_WORLD);

export function createWorldFactory(options: WorldOptions): (name: string) => World {
  const { contract, profile, apiKeys, shownKeys = [], secrets = [] } = options;
  const keyRule = makeKeyRules(contract, options.fixtures.seed);
  const now = options.now ?? (options.clock ?? systemClock).now();
  const startsOf = (fixtures: Fixtures): Starts => createStarts({ contract, fixtures, keyRule, profile, now });
  const starts = startsOf(options.fixtures);
  const memory = options.memory ?? createMemory();
  const random = options.random ?? Math.random;
  const credentials = createCredentials(apiKeys, options.credentials);
  const own = Object.values(options.credentials ?? {}).flat();
  const hidden = [...apiKeys, ...own].filter((key) => !shownKeys.includes(key)).flatMap(listSecretParts);
  const redact = createRequestRedactor([...hidden, ...secrets]);
  const make = (name: string): World => ({
    name,
    contract,
    profile,
    startProfile: profile,
    gaps: options.gaps ?? { asked: [], known: [] },
    collections: new Collections({
      kept: listKept(contract),
      keyRule,
      starts,
      capacity: options.maxPets,
      pool: memory.records,
      changes: options.tracking === undefined ? undefined : changesOf(name, options.tracking.changes),
    }),
    memory,
    startsOf,
    readFixtures: options.readFixtures ?? ((given) => loadInSteps(given, contract)),
    repeats: new Map(),
    snapshots: createSnapshotList(memory.records),
    clock: new SettableClock(options.clock ?? systemClock, options.now),
    journal: createJournal(memory.journals),
    faults: new FaultPlan(options.faults ?? [], random),
    coverage: createCoverage(contract),
    callers: createCallerList(),
    credentials,
    redact,
    delay: options.delay,
    startDelay: options.delay,
    random,
    handlers: { ...createHandlers(contract), ...options.handlers },
    stateless: options.stateless ?? {},
    onExchange: options.onExchange,
  });
  const { tracking } = options;
  return tracking === undefined ? make : (name) => tracking.track(make(name));
}
