import { PetstoreMockError } from '../../errors.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import { mapTexts } from '../../redact/redactor.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import type { Worlds, Gate } from '../../mock/world/worlds.js';
import type { PetstoreWorld, PetstoreWorlds, Faults, DateLike, Snapshots } from '../petstore-world.js';
import { WORLD_HEADER, worldPath } from '../world-names.js';
import { reportCoverage, createRequests, toExchange, refuseViolations } from './requests.js';
import { createCollectionHandles, createPets, storeFull, BadInput } from './records.js';
import { readDate, DELAY } from '../../options/rules.js';
import { NO_DELAY, type DelayRange } from '../../mock/world/clock.js';
import { checkOptions, OF_EVERY_PETSTORE } from '../../options/petstore-options.js';
import { layOver } from '../../contract/gaps/profile.js';
import { suggest } from '../../suggest.js';
import { printJson } from '../../contract/document/json.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { findAnswerViolations, findFaultProblems, findShapeProblems } from '../../mock/faults/apply-fault.js';
import type { Fault } from '../../mock/faults/faults.js';
import { runInTurns } from '../../mock/fixtures/fixtures.js';
import { loadPack, printPack, type FixtureOptions } from '../../mock/fixtures/load-fixtures.js';
import type { Collections, CollectionsState } from '../../mock/store/collections.js';

export function createHandles(worlds: Worlds, origin: string): PetstoreWorlds {
  return {
    ...createWorldHandle(worlds, DEFAULT_WORLD, origin),
    world: (name) => ({
      ...createWorldHandle(worlds, enter(worlds, name).name, origin),
      headers: { [WORLD_HEADER]: name },
      async drop() {
        if (name === DEFAULT_WORLD)
          throw new PetstoreMockError('bad-world', 'the default world cannot be dropped; reset() it.');
        worlds.drop(name);
      },
    }),
    worlds: async () => worlds.names().map(worlds.default.redact),
  };
}

const OF_THE_CONTRACT: ReadonlySet<string> = new Set(['operationId']);

function createWorldHandle(worlds: Worlds, name: string, origin: string): PetstoreWorld {
  const find = (): World => enter(worlds, name);
  const violations = async (): ReturnType<PetstoreWorld['violations']> => {
    const world = find();
    return world.journal.faulty().map((entry) => toExchange(entry, world));
  };
  const faults = createFaultsHandle(find);
  const change = changing(find, ({ clock }) => new Date(clock.now()));
  return {
    name,
    url: `${origin}${worldPath(name, worlds.default.contract.basePath)}`,
    pets: createPets(find),
    ...createCollectionHandles(find),
    requests: createRequests(find),
    faults,
    answer: answerBy(faults),
    delay: createDelayHandle(find),
    clock: {
      now: () => change(),
      set: (date) => change(({ clock }) => clock.set(toTime(date))),
      advance: (ms) =>
        change(({ clock }) => {
          if (typeof ms !== 'number' || !Number.isFinite(ms))
            throw new PetstoreMockError('bad-date', `a clock advances by milliseconds, not by ${String(ms)}.`);
          // A `Date` cannot represent later times.
          toTime(clock.now() + ms);
          clock.advance(ms);
        }),
      freeze: (date) => change(({ clock }) => clock.freeze(date === undefined ? clock.now() : toTime(date))),
      reset: () => change(({ clock }) => clock.reset()),
      isFrozen: async () => find().clock.isFrozen,
    },
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
  throw new PetstoreMockError('bad-world', `${entry.rejected.message}.`);
}

/** `mock.answer(...)`: a fault that gives an answer of one's own. */
export function answerBy(faults: Faults): PetstoreWorld['answer'] {
  return async (operationId, answer, options = {}) => {
    const { delay, ...fault } = options;
    return faults.add({ ...fault, operationId, effect: { answer, ...(delay !== undefined && { delay }) } });
  };
}

const FREE: ReadonlySet<string> = new Set(['world', 'collection', 'waitFor']);

/** The same methods, each of which passes the gate: it has happened when it resolves, and it lasts. */
export const throughGate = <Handles extends object>(handles: Handles, gate: Gate | undefined): Handles =>
  gate === undefined ? handles : (wrap(handles, gate) as Handles);

function wrap(value: unknown, gate: Gate): unknown {
  if (!hasMethods(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]): [string, unknown] => {
      if (typeof part !== 'function') return [name, wrap(part, gate)];
      const method = part as (...given: unknown[]) => unknown;
      if (FREE.has(name)) return [name, (...given: unknown[]) => wrap(method(...given), gate)];
      const pass = async (...given: unknown[]): Promise<unknown> =>
        wrap(await gate.passAlone(async () => method(...given)), gate);
      return [name, pass];
    }),
  );
}

function hasMethods(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some((part) => typeof part === 'function' || hasMethods(part));
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

/** Changes the world, and resolves to what it then has. */
function changing<Read>(find: () => World, read: (world: World) => Read) {
  return async (work: (world: World) => void = () => {}): Promise<Read> => {
    const world = find();
    work(world);
    return read(world);
  };
}

function createDelayHandle(find: () => World): PetstoreWorld['delay'] {
  const change = changing(find, ({ delay }): DelayRange => ({ ...(delay ?? NO_DELAY) }));
  return {
    get: () => change(),
    set: (delay) => change((world) => (world.delay = toDelay(delay))),
    reset: () => change((world) => (world.delay = world.startDelay)),
  };
}

/** Throws a `PetstoreMockError` (`bad-option`) for what is no delay. */
export function toDelay(delay: number | DelayRange): DelayRange {
  checkOptions({ delay }, { delay: DELAY });
  return typeof delay === 'number' ? { from: delay, to: delay } : { from: delay.from, to: delay.to };
}

function createProfileHandle(find: () => World): PetstoreWorld['profile'] {
  const change = changing(find, ({ profile: { name, choices } }) => ({ name, choices: { ...choices } }));
  return {
    get: () => change(),
    choose: (choices) =>
      change((world) => {
        const { profile, gaps } = world;
        const problems = Object.entries(choices).flatMap(([id, choice]) => {
          const choosable = gaps.known.filter(({ kind }) => kind === 'choice');
          const gap = choosable.find((each) => each.id === id);
          if (gap === undefined) {
            const ids = choosable.map((each) => each.id);
            return [`there is no gap ${id}${suggest(id, ids)}`];
          }
          const known = Object.keys(gap.choices);
          if (known.some((each) => each === choice)) return [];
          return [`${choice} is not a choice of ${id}; there are ${known.join(', ')}.`];
        });
        if (problems.length > 0) throw new PetstoreMockError('unusable-profile', problems.join(' '));
        world.profile = layOver({ ...profile, choices: { ...profile.choices, ...choices } }, gaps.known);
      }),
    reset: () => change((world) => (world.profile = world.startProfile)),
  };
}

const MAX_FAULTS = 1000;
const MAX_FAULT_LENGTH = 16_384;
const MAX_ANSWER_LENGTH = 65_536;

export function createFaultsHandle(find: () => World): Faults {
  return {
    async add(fault) {
      const { contract, faults } = find();
      const problems = findFaultProblems(fault, contract);
      if (problems.length === 0) problems.push(...findTooLong(fault));
      if (problems.length > 0) {
        const isReadable = findShapeProblems(fault).length === 0;
        throw badFault(problems, isReadable ? findAnswerViolations(fault, contract) : []);
      }
      if (faults.size >= MAX_FAULTS) throw badFault([`there are ${MAX_FAULTS} faults already; remove one first`]);
      const planted = faults.add(fault);
      return {
        ...planted,
        async remove() {
          find().faults.remove(planted.id);
        },
      };
    },
    list: async () => find().faults.list(),
    remove: async (id) => find().faults.remove(id),
    clear: async () => find().faults.clear(),
  };
}

function findTooLong(fault: Fault): string[] {
  const { answer, ...effect } = { answer: undefined, ...fault.effect };
  const isLong = printJson({ ...fault, effect }).length > MAX_FAULT_LENGTH;
  if (isLong) return [`it is longer than ${MAX_FAULT_LENGTH} characters`];
  const isLongAnswer = printJson(answer ?? {}).length > MAX_ANSWER_LENGTH;
  return isLongAnswer ? [`its response is longer than ${MAX_ANSWER_LENGTH} characters`] : [];
}

/** An error that lists everything wrong with a fault, with what its response breaks of the contract. */
export const badFault = (problems: readonly string[], violations: readonly Violation[] = []): BadInput =>
  new BadInput('bad-fault', `this fault cannot be added: ${problems.join('; ')}.`, violations);

const MAX_SNAPSHOTS = 100;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createSnapshots(find: () => World): Snapshots {
  return {
    async save(name) {
      const { snapshots, collections } = find();
      if (typeof name !== 'string' || !NAME.test(name))
        throw badSnapshot(
          'a name must have up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
        );
      if (!snapshots.has(name) && snapshots.names().length >= MAX_SNAPSHOTS)
        throw badSnapshot(`there are ${MAX_SNAPSHOTS} snapshots already; remove one first.`);
      if (!snapshots.save(name, collections.state())) throw collectionsFull(collections);
    },
    async restore(name) {
      const { snapshots, collections } = find();
      const state = snapshots.get(name);
      if (state === undefined) {
        const names = snapshots.names();
        throw badSnapshot(
          `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}.`,
        );
      }
      if (!collections.fits(state)) throw collectionsFull(collections, state);
      collections.restore(state);
    },
    list: async () => find().snapshots.names(),
    remove: async (name) => find().snapshots.remove(name),
    async export() {
      const { collections } = find();
      for (const kept of collections.kept) if (kept.scope.length === 0) collections.open(kept);
      return printPack(collections.state());
    },
    async load(pack, { name: shownAs = 'pack', start = false } = {}) {
      const { collections, contract, startsOf } = find();
      const checked = (records: number, name?: string): void => checkRoom(records, collections, name);
      const steps = loadPack(pack, contract, checked, shownAs);
      const starts = startsOf(await runInTurns(steps));
      if (!collections.fits(starts.ready)) throw collectionsFull(collections, starts.ready);
      if (start) collections.begin(starts);
      else collections.restore(starts.ready);
    },
  };
}

const badSnapshot = (message: string): PetstoreMockError => new PetstoreMockError('bad-snapshot', message);
const { fixtures, seed, count } = OF_EVERY_PETSTORE;

export async function useFixtures(
  { collections, readFixtures, startsOf }: World,
  options: Pick<FixtureOptions, 'fixtures' | 'seed' | 'count'>,
): Promise<void> {
  checkOptions(options, { fixtures, seed, count });
  const steps = readFixtures({ ...options, checkRoom: (records, name) => checkRoom(records, collections, name) });
  const starts = startsOf(await runInTurns(steps));
  if (!collections.fits(starts.ready)) throw collectionsFull(collections, starts.ready);
  collections.begin(starts);
}

/** Throws a `PetstoreMockError` (`store-full`) if a pack has more records than a collection can hold. */
function checkRoom(records: number, { capacity }: Collections, name: string = 'pets'): void {
  if (records <= capacity) return;
  throw new PetstoreMockError('store-full', `the pack has ${records} ${name}, but the store only holds ${capacity}.`);
}

export function collectionsFull(collections: Collections, state: CollectionsState = []): PetstoreMockError {
  const over = state.find((each) => each.state.records.length > collections.capacity);
  const named = over ?? collections.list()[0];
  if (named === undefined) return new PetstoreMockError('store-full', 'there is no room.');
  return storeFull(collections.open(named.kept, named.within), over?.state.records.length);
}
