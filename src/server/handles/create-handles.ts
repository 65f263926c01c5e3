import { PetstoreMockError } from '../../errors.js';
import { DEFAULT_WORLD } from '../../mock/world/changes.js';
import { mapTexts } from '../../redact/map-texts.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import type { WorldRefusal, Worlds } from '../../mock/world/worlds.js';
import type { NamedWorld, PetstoreWorld, PetstoreWorlds } from '../petstore-world.js';
import { WORLD_HEADER, worldPath } from '../world-names.js';
import { answerBy } from './answer-by.js';
import { createClockHandle } from './clock.js';
import { createDelayHandle } from './delay.js';
import { reportCoverage } from './coverage-report.js';
import { createFaultsHandle } from './faults.js';
import { createCollectionHandles } from './collections.js';
import { createPets } from './pets.js';
import { createProfileHandle } from './profile.js';
import { createRequests, toExchange } from './requests.js';
import { createSnapshots } from './snapshots.js';
import { useFixtures } from './use-fixtures.js';
import { refuseViolations } from './violations.js';

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
  throw refusedWorld(entry.refused);
}

function refusedWorld({ message }: WorldRefusal): PetstoreMockError {
  return new PetstoreMockError('bad-world', `${message}.`);
}
