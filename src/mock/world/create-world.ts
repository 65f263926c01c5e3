import type { Contract } from '../../contract/contract.js';
import { createCoverage } from '../../contract/coverage.js';
import type { ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import { listSecretParts } from '../../contract/security.js';
import { createCredentials } from '../request/credentials.js';
import { changesOf, DEFAULT_WORLD } from '../persistence/changes.js';
import type { Tracking } from '../persistence/track-world.js';
import { createCallerList, createJournal, type RecordedExchange } from './journal.js';
import { systemClock, type Clock, SettableClock, type DelayRange } from './clock.js';
import { type Fault, FaultPlan } from '../faults/faults.js';
import type { Steps, Fixtures } from '../fixtures/fixtures.js';
import { loadInSteps, type FixtureOptions } from '../fixtures/load-fixtures.js';
import { type Handler, createSnapshotList, type World } from './world.js';
import { createHandlers } from '../operations/index.js';
import { createRequestRedactor } from '../../redact/secret-names.js';
import { createMemory, type Memory } from './memory.js';
import { type Starts, Collections } from '../store/collections.js';
import { listKept } from '../store/kept.js';
import { makeKeyRules } from '../store/make-keys.js';
import { createStarts } from '../fixtures/seed-records.js';

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
  /** Replace the handlers that keep state. */
  handlers?: Readonly<Record<string, Handler>> | undefined;
  /** Default: none; an operation without a handler then gets 501. */
  stateless?: Readonly<Record<string, Handler>> | undefined;
  onExchange?: ((exchange: RecordedExchange) => void) | undefined;
  /** Notes what changes in the world. Default: nothing is noted. */
  tracking?: Tracking | undefined;
}

export function createWorld(options: WorldOptions): World {
  return createWorldFactory(options)(options.name ?? DEFAULT_WORLD);
}

/** Creates worlds with the same start. What they share is prepared once, so that another one costs next to nothing. */
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
    onExchange: options.onExchange ?? (() => {}),
  });
  const { tracking } = options;
  return tracking === undefined ? make : (name) => tracking.track(make(name));
}
