import { loadContract, type Contract } from '../contract/contract.js';
import { createDefaultProfile, loadGaps, type Profile } from '../contract/gaps.js';
import { createWorld } from '../mock/create-world.js';
import { loadFixtures } from '../mock/fixtures/load-fixtures.js';
import type { Exchange } from '../mock/journal.js';
import type { World } from '../mock/world.js';
import { packageFile } from '../package-files.js';

/** The documented key, accepted when no other is given. */
export const DEFAULT_API_KEY = 'petstore-dev-key';

const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';
const SHIPPED_GAPS = 'spec/gaps.yaml';

/** What a mock is made of. */
export interface SetUpOptions {
  /** The path of another OpenAPI document. Default: the petstore's that ships. */
  spec?: string | undefined;
  apiKey?: string | readonly string[] | undefined;
  fixtures?: string | undefined;
  seed?: number | undefined;
  count?: number | undefined;
  maxPets?: number | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
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
  const contract = readContract(options.spec);
  const profile = createDefaultProfile(loadGaps(packageFile(SHIPPED_GAPS), SHIPPED_GAPS));
  const fixtures = loadFixtures(options, contract);
  const world = createWorld({
    contract,
    profile,
    fixtures,
    apiKeys: [options.apiKey ?? DEFAULT_API_KEY].flat(),
    maxPets: options.maxPets,
    onExchange: options.onExchange,
  });
  return { world, contract, profile, fixtures };
}

function readContract(spec: string | undefined): Contract {
  if (spec !== undefined) return loadContract(spec);
  return loadContract(packageFile(SHIPPED_CONTRACT), { shownAs: SHIPPED_CONTRACT, trusted: true });
}
