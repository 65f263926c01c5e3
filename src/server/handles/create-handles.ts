import { PetstoreMockError } from '../../errors.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import { mapTexts } from '../../redact/map-texts.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import type { WorldRejection, Worlds, Gate } from '../../mock/world/worlds.js';
import type {
  NamedWorld,
  PetstoreWorld,
  PetstoreWorlds,
  Faults,
  Profiles,
  DateLike,
  WorldClock,
  WorldDelay,
} from '../petstore-world.js';
import { WORLD_HEADER, worldPath } from '../world-names.js';
import { reportCoverage, createRequests, toExchange, refuseViolations } from './requests.js';
import { createFaultsHandle } from './faults.js';
import { createCollectionHandles, createPets } from './records.js';
import { createSnapshots, useFixtures } from './snapshots.js';
import { readDate, DELAY } from '../../options/rules.js';
import { NO_DELAY, type DelayRange } from '../../mock/world/clock.js';
import { checkOptions } from '../../options/petstore-options.js';
import type { Gap, Profile } from '../../contract/gaps/gaps.js';
import { layOver } from '../../contract/gaps/profile.js';
import { suggest } from '../../suggest.js';

/**
 * The methods on worlds of this process. `origin` is where they are served,
 * `''` if that is unknown.
 */
export function createHandles(worlds: Worlds, origin: string): PetstoreWorlds {
  return {
    ...createWorldHandle(worlds, DEFAULT_WORLD, origin),
    world: (name) => createNamedWorld(worlds, name, origin),
    worlds: async () => worlds.names().map(worlds.default.redact),
  };
}

/** The parts that callers cannot influence. */
const OF_THE_CONTRACT: ReadonlySet<string> = new Set(['operationId']);

function createNamedWorld(worlds: Worlds, name: string, origin: string): NamedWorld {
  enter(worlds, name);
  return {
    ...createWorldHandle(worlds, name, origin),
    headers: { [WORLD_HEADER]: name },
    async drop() {
      if (name === DEFAULT_WORLD)
        throw new PetstoreMockError('bad-world', 'the default world cannot be dropped; reset() it.');
      worlds.drop(name);
    },
  };
}

/** Looks its world up at every call, since the world may have been dropped. */
function createWorldHandle(worlds: Worlds, name: string, origin: string): PetstoreWorld {
  const find = (): World => enter(worlds, name);
  const violations = async (): ReturnType<PetstoreWorld['violations']> => {
    const world = find();
    return world.journal.faulty().map((entry) => toExchange(entry, world));
  };
  const faults = createFaultsHandle(find);
  return {
    name,
    url: `${origin}${worldPath(name, worlds.default.contract.basePath)}`,
    pets: createPets(find),
    ...createCollectionHandles(find),
    requests: createRequests(find),
    faults,
    answer: answerBy(faults),
    delay: createDelayHandle(find),
    clock: createClockHandle(find),
    snapshots: createSnapshots(find),
    profile: createProfileHandle(find),
    useFixtures: async (fixtures, given) => useFixtures(find(), { ...given, fixtures }),
    reset: async () => resetWorld(find()),
    violations,
    assertNoViolations: async ({ allow = [] } = {}) =>
      refuseViolations(await violations(), { allow, total: find().journal.faultyCount }),
    async coverage({ threshold, allWorlds = false } = {}) {
      const { contract, coverage } = find();
      return reportCoverage(allWorlds ? worlds.coverage() : coverage, contract, threshold);
    },
    async deprecatedCallers() {
      const { callers, redact } = find();
      return mapTexts(callers.list(), redact, OF_THE_CONTRACT);
    },
  };
}

function enter(worlds: Worlds, name: string): World {
  const entry = worlds.enter(name);
  if ('world' in entry) return entry.world;
  throw rejectedWorld(entry.rejected);
}

function rejectedWorld({ message }: WorldRejection): PetstoreMockError {
  return new PetstoreMockError('bad-world', `${message}.`);
}

/** `mock.answer(...)`: a fault that gives an answer of one's own. */
export function answerBy(faults: Faults): PetstoreWorld['answer'] {
  return async (operationId, answer, options = {}) => {
    const { delay, ...fault } = options;
    return faults.add({ ...fault, operationId, effect: { answer, ...(delay !== undefined && { delay }) } });
  };
}

/** What only looks for a part of the mock, or waits for others, and so must not keep them out. */
const FREE: ReadonlySet<string> = new Set(['world', 'collection', 'waitFor']);

/** The same methods, each of which passes the gate: it has happened when it resolves, and it lasts. */
export function throughGate<Handles extends object>(handles: Handles, gate: Gate | undefined): Handles {
  return gate === undefined ? handles : (wrap(handles, gate) as Handles);
}

function wrap(value: unknown, gate: Gate): unknown {
  if (!hasMethods(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]): [string, unknown] => {
      if (typeof part !== 'function') return [name, wrap(part, gate)];
      const method = part as (...given: unknown[]) => unknown;
      if (FREE.has(name)) return [name, (...given: unknown[]) => wrap(method(...given), gate)];
      const pass = (given: unknown[]): Promise<unknown> =>
        gate.passAlone(async () => method(...given)).then((result) => wrap(result, gate));
      return [name, (...given: unknown[]) => pass(given)];
    }),
  );
}

/** Handles are plain objects with methods, at some depth; records and lists are not. */
function hasMethods(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some((part) => typeof part === 'function' || hasMethods(part));
}

function createClockHandle(find: () => World): WorldClock {
  const now = async (): Promise<Date> => new Date(find().clock.now());
  return {
    now,
    async set(date) {
      find().clock.set(toTime(date));
      return now();
    },
    async advance(ms) {
      const { clock } = find();
      // A `Date` cannot represent later times.
      toTime(clock.now() + checkNumber(ms));
      clock.advance(ms);
      return now();
    },
    async freeze(date) {
      const { clock } = find();
      clock.freeze(date === undefined ? clock.now() : toTime(date));
      return now();
    },
    async reset() {
      find().clock.reset();
      return now();
    },
    isFrozen: async () => find().clock.isFrozen,
  };
}

/** Milliseconds since 1970-01-01T00:00:00Z. Throws a {@link PetstoreMockError} (`bad-date`) for an invalid date. */
export function toTime(date: DateLike): number {
  const time = readDate(date);
  if (time !== undefined) return time;
  throw new PetstoreMockError(
    'bad-date',
    `${String(date)} is not a date; write it as 2030-12-05 or 2030-12-05T00:00:00Z.`,
  );
}

function checkNumber(ms: number): number {
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  throw new PetstoreMockError('bad-date', `a clock advances by milliseconds, not by ${String(ms)}.`);
}

function createDelayHandle(find: () => World): WorldDelay {
  const get = async (): Promise<DelayRange> => ({ ...(find().delay ?? NO_DELAY) });
  return {
    get,
    async set(delay) {
      find().delay = toDelay(delay);
      return get();
    },
    async reset() {
      const world = find();
      world.delay = world.startDelay;
      return get();
    },
  };
}

/** Throws a `PetstoreMockError` (`bad-option`) for what is no delay. */
export function toDelay(delay: number | DelayRange): DelayRange {
  checkOptions({ delay }, { delay: DELAY });
  return typeof delay === 'number' ? { from: delay, to: delay } : { from: delay.from, to: delay.to };
}

function createProfileHandle(find: () => World): Profiles {
  return {
    get: async () => show(find()),
    async choose(choices) {
      const world = find();
      world.profile = choose(world, choices);
      return show(world);
    },
    async reset() {
      const world = find();
      world.profile = world.startProfile;
      return show(world);
    },
  };
}

function show({ profile }: World): { name: string; choices: Record<string, string> } {
  return { name: profile.name, choices: { ...profile.choices } };
}

function choose({ profile, gaps }: World, choices: Readonly<Record<string, string>>): Profile {
  const problems = Object.entries(choices).flatMap(([id, choice]) => findChoiceProblem(gaps.known, id, choice));
  if (problems.length > 0) throw new PetstoreMockError('unusable-profile', problems.join(' '));
  return layOver({ ...profile, choices: { ...profile.choices, ...choices } }, gaps.known);
}

/** Sentences. */
function findChoiceProblem(gaps: readonly Gap[], id: string, choice: unknown): string[] {
  const choosable = gaps.filter(({ kind }) => kind === 'choice');
  const gap = choosable.find((each) => each.id === id);
  if (gap === undefined) {
    const ids = choosable.map((each) => each.id);
    return [`there is no gap ${id}${suggest(id, ids)}`];
  }
  const known = Object.keys(gap.choices);
  if (known.some((each) => each === choice)) return [];
  return [`${String(choice)} is not a choice of ${id}; there are ${known.join(', ')}.`];
}
