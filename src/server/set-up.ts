import { loadContract, type Contract, rejectTooDeep } from '../contract/contract.js';
import { checkSchemeNames } from '../contract/security.js';
import { ADMIN_PATH, hasAdminPaths } from './world-names.js';
import { describeNotes } from '../contract/document/document.js';
import { listGapsOf } from '../contract/gaps/gaps-of-contract.js';
import { loadGapEntries, type Gap, type Profile, createDefaultProfile } from '../contract/gaps/gaps.js';
import { loadCorrections } from '../contract/resources/candidates.js';
import { PetstoreMockError } from '../errors.js';
import { findFaultProblems } from '../mock/faults/apply-fault.js';
import { createWorldFactory, createWorlds } from '../mock/world/worlds.js';
import { findLimits } from '../mock/find-limits.js';
import { runToEnd, type WorkProgress, type Steps, type Fixtures } from '../mock/fixtures/fixtures.js';
import { listShippedPacks, loadInSteps, type FixtureOptions } from '../mock/fixtures/load-fixtures.js';
import { type RecordedExchange, createMemory } from '../mock/world/journal.js';
import { createHandlers } from '../mock/handle-request.js';
import { DEFAULT_CAPACITY } from '../mock/store/collection.js';
import { createStateless } from '../mock/response/from-contract.js';
import type { Tracking } from '../mock/persistence/track-world.js';
import { packageFile } from '../package-files.js';
import { badFault, toTime } from './handles/create-handles.js';
import { bindHandlers } from './own-handlers.js';
import { DEFAULT_API_KEY, type PetstoreOptions, type PetstoreProfile } from './options.js';
import { adoptProfile, loadProfile, readProfile } from '../contract/gaps/profile.js';

const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';
const SHIPPED_GAPS = 'spec/gaps.yaml';
const MOST_NOTES = 5;

export interface SetUpOptions extends PetstoreOptions {
  onExchange?: ((exchange: RecordedExchange) => void) | undefined;
  /** Whether to check even the shipped contract, which is trusted otherwise. Default: `false`. */
  checkAll?: boolean | undefined;
  /** Called with the progress of generating pets; throws to stop it. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Makes the worlds note what changes. Default: they last as long as the process. */
  tracking?: Tracking | undefined;
}

export type SetUp = ReturnType<typeof setUp>;

/** Reads contract, gaps and fixtures, and creates the default world. Throws a `PetstoreMockError` for anything unusable. */
export function setUp(options: SetUpOptions = {}) {
  const contract = readContract(options);
  return rejectTooDeep(contract.document.file, () => setUpFor(contract, options));
}

function setUpFor(contract: Contract, options: SetUpOptions) {
  const gaps = listGapsOf(contract, loadGapEntries(packageFile(SHIPPED_GAPS), SHIPPED_GAPS));
  const profile = chooseProfile(options.profile, gaps.known);
  const { maxPets = DEFAULT_CAPACITY, onProgress } = options;
  const start = { ...options, checkRoom: (records: number, name?: string) => checkRoom(records, maxPets, name) };
  const fixtures = runToEnd(readFixtures(start, contract), onProgress);
  const stateful = createHandlers(contract);
  const handlers = bindHandlers(options.handlers ?? {}, contract, stateful);
  const { spec: specPath, prism } = options;
  const stateless = createStateless({ contract, stateful, seed: fixtures.seed, specPath, prism });
  const { delay, faults = [], credentials = {} } = options;
  const range = typeof delay === 'number' ? { from: delay, to: delay } : delay;
  checkSchemeNames(credentials, contract);
  for (const fault of faults) {
    const problems = findFaultProblems(fault, contract);
    if (problems.length > 0) throw badFault(problems);
  }
  const create = createWorldFactory({
    contract,
    profile,
    gaps,
    fixtures,
    readFixtures: (given) => readFixtures({ spec: options.spec, ...given }, contract),
    apiKeys: [options.apiKey ?? DEFAULT_API_KEY].flat(),
    credentials: Object.fromEntries(Object.entries(credentials).map(([name, values]) => [name, [values].flat()])),
    shownKeys: [DEFAULT_API_KEY],
    secrets: options.adminToken === undefined ? [] : [options.adminToken],
    maxPets: options.maxPets,
    memory: createMemory(options.maxMemory),
    delay: range === undefined || range.to === 0 ? undefined : range,
    faults,
    now: options.now === undefined ? undefined : toTime(options.now),
    handlers,
    stateless: stateless.handlers,
    onExchange: options.onExchange,
    tracking: options.tracking,
  });
  const worlds = createWorlds({ create, maxWorlds: options.maxWorlds, changes: options.tracking?.changes });
  const limits = options.spec === undefined ? [] : findLimits(worlds.default, { triesAll: options.checkAll === true });
  if (options.checkAll === true) contract.validate.compileAll();
  const odd = describeNotes(contract.listNotes(), options.checkAll === true ? Infinity : MOST_NOTES);
  const hidden = `${ADMIN_PATH} is the path of the mock's admin API, so the contract's paths below it are served only with --no-admin`;
  const notes = [...(hasAdminPaths(contract) ? [hidden] : []), ...limits, ...odd];
  const own = Object.keys(handlers);
  const told = { stateless: stateless.operationIds.filter((id) => !own.includes(id)), own, notes };
  return { worlds, world: worlds.default, contract, profile, gaps: gaps.known, fixtures, ...told };
}

function* readFixtures(options: FixtureOptions & SetUpOptions, contract: Contract): Steps<Fixtures> {
  const isShipped = options.fixtures === undefined || listShippedPacks().includes(options.fixtures);
  if (options.spec === undefined || !isShipped) return yield* loadInSteps(options, contract);
  const { pets, ...rest } = yield* loadInSteps(options, readContract({}));
  return { ...rest, pets: [], models: pets };
}

function readContract(options: SetUpOptions): Contract {
  const { spec, allowOutsideRefs = false, allowRemoteRefs = false, allowPrivateHosts = false } = options;
  const { resources, checkAll } = options;
  const corrections = resources === undefined ? undefined : loadCorrections(resources);
  if (spec !== undefined)
    return loadContract(spec, { allowOutsideRefs, allowRemoteRefs, allowPrivateHosts, corrections });
  const trusted = checkAll !== true;
  return loadContract(packageFile(SHIPPED_CONTRACT), { shownAs: SHIPPED_CONTRACT, trusted, corrections });
}

function checkRoom(records: number, maxPets: number, name: string = 'pets'): void {
  if (records <= maxPets) return;
  throw new PetstoreMockError(
    'bad-option',
    `the store may hold ${maxPets} ${name} (max-pets), but would start with ${records}; raise max-pets, or start with fewer (count, or another fixture pack).`,
  );
}

/** The profile that a mock serves: the one in a file, the one given, or the default. */
export function chooseProfile(given: string | PetstoreProfile | undefined, gaps: readonly Gap[]): Profile {
  if (given === undefined) return createDefaultProfile(gaps);
  if (typeof given !== 'string') return adoptProfile(readProfile(given, gaps), gaps, 'given');
  const observed = loadProfile(given, gaps);
  const { target, date } = observed;
  const origin = [...(target === undefined ? [] : [target]), ...(date === undefined ? [] : [`on ${date}`])];
  return adoptProfile(observed, gaps, origin.length === 0 ? given : `${given} (${origin.join(' ')})`);
}
