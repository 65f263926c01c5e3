import type { Contract } from '../../src/contract/contract.js';
import { runToEnd, type Fixtures } from '../../src/mock/fixtures/fixtures.js';
import { loadInSteps, type FixtureOptions } from '../../src/mock/fixtures/load-fixtures.js';

/** A fixture pack, read and generated at once. */
export const loadFixtures = (options: FixtureOptions, contract: Contract): Fixtures =>
  runToEnd(loadInSteps(options, contract));
