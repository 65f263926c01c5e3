import { loadContract, type Contract } from '../contract/contract.js';
import { createDefaultProfile, loadGaps, type Profile } from '../contract/gaps.js';
import { PetstoreMockError } from '../errors.js';
import { createWorld } from '../mock/create-world.js';
import { loadFixtures } from '../mock/fixtures/load-fixtures.js';
import type { Exchange } from '../mock/journal.js';
import type { DelayRange, World } from '../mock/world.js';
import { packageFile } from '../package-files.js';
import { DEFAULT_API_KEY, type PetstoreOptions } from './options.js';

const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';
const SHIPPED_GAPS = 'spec/gaps.yaml';

export interface SetUpOptions extends PetstoreOptions {
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Check the contract that ships as well, which is trusted otherwise. Default: `false`. */
  checkAll?: boolean | undefined;
}

/** A world, and what the banner tells of it. */
export interface SetUp {
  world: World;
  contract: Contract;
  profile: Profile;
  fixtures: { name: string; seed: number };
}

/** Reads contract, gaps and fixtures and makes the world. Throws a `PetstoreMockError` for what cannot be used. */
export function setUp(options: SetUpOptions = {}): SetUp {
  const contract = readContract(options);
  const profile = createDefaultProfile(loadGaps(packageFile(SHIPPED_GAPS), SHIPPED_GAPS));
  const fixtures = loadFixtures(options, contract);
  checkRoom(fixtures.animals.length, options.maxPets);
  const world = createWorld({
    contract,
    profile,
    fixtures,
    apiKeys: [options.apiKey ?? DEFAULT_API_KEY].flat(),
    maxPets: options.maxPets,
    delay: toRange(options.delay),
    onExchange: options.onExchange,
  });
  return { world, contract, profile, fixtures };
}

function readContract({ spec, checkAll }: SetUpOptions): Contract {
  if (spec !== undefined) return loadContract(spec);
  return loadContract(packageFile(SHIPPED_CONTRACT), { shownAs: SHIPPED_CONTRACT, trusted: checkAll !== true });
}

function checkRoom(animals: number, maxPets: number | undefined): void {
  if (maxPets === undefined || animals <= maxPets) return;
  throw new PetstoreMockError(
    'bad-option',
    `the store may hold ${maxPets} animals (max-pets), but starts with ${animals}; raise the one or lower the other (count, or another fixture pack).`,
  );
}

function toRange(delay: number | DelayRange | undefined): DelayRange | undefined {
  const range = typeof delay === 'number' ? { from: delay, to: delay } : delay;
  return range === undefined || range.to === 0 ? undefined : range;
}
