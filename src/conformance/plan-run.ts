import { relative } from 'node:path';
import { loadContract, type Contract } from '../contract/contract.js';
import { packageFile } from '../package-files.js';
import type { ConformanceOptions } from './options.js';
import { fillsUp } from './scenarios/check-step.js';
import { translatePointer } from './scenarios/contract-values.js';
import { loadScenarios } from './scenarios/load-scenarios.js';
import type { Scenario } from './scenarios/scenario.js';
import { selectScenarios } from './scenarios/select-scenarios.js';

const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';

/** What a run would do, without sending anything. Throws like `runConformance` for files and selections. */
export function planRun(options: Pick<ConformanceOptions, 'spec' | 'scenarios' | 'only' | 'skip'>): {
  contract: Contract;
  scenarios: Scenario[];
  /** The ids of all scenarios, selected or not. */
  ids: string[];
  /** The scenario that fills the collection, if it is not selected. */
  leftOutFilling: string | undefined;
} {
  const contract = readContract(options);
  const all = rebase(readScenarios(contract, options), contract, options);
  const scenarios = selectScenarios(all, { only: options.only ?? [], skip: options.skip ?? [] });
  const leftOutFilling = all.find((scenario) => scenario.steps.some(fillsUp) && !scenarios.includes(scenario))?.id;
  return { contract, scenarios, ids: all.map(({ id }) => id), leftOutFilling };
}

/** What ships is read once in a process: a test suite plans its run, makes it, and has more files that do. */
const shipped = { contracts: new Map<string, Contract>(), scenarios: new WeakMap<Contract, readonly Scenario[]>() };

function readScenarios(
  contract: Contract,
  { scenarios: paths = [] }: Pick<ConformanceOptions, 'scenarios'>,
): readonly Scenario[] {
  const known = paths.length === 0 ? shipped.scenarios.get(contract) : undefined;
  if (known !== undefined) return known;
  const scenarios = loadScenarios([packageFile('scenarios'), ...paths], contract);
  if (paths.length === 0) shipped.scenarios.set(contract, scenarios);
  return scenarios;
}

/** Shipped scenarios are based on places in the shipped contract. */
function rebase(scenarios: readonly Scenario[], contract: Contract, options: SpecOptions): Scenario[] {
  return scenarios.map((scenario) =>
    scenario.hasShippedBasis && scenario.basis.startsWith('#')
      ? { ...scenario, basis: `#${rebasePointer(scenario.basis.slice(1), contract, options)}` }
      : scenario,
  );
}

type SpecOptions = Pick<ConformanceOptions, 'spec'>;

/** A place of the shipped contract in the contract of the run. */
export function rebasePointer(pointer: string, contract: Contract, { spec }: SpecOptions): string {
  return spec === undefined ? pointer : translatePointer(pointer, readContract({}), contract);
}

function readContract({
  spec,
  allowOutsideRefs = false,
}: Pick<ConformanceOptions, 'spec' | 'allowOutsideRefs'>): Contract {
  if (spec !== undefined) return loadContract(spec, { allowOutsideRefs });
  const shownAs = showFromHere(packageFile(SHIPPED_CONTRACT));
  const known = shipped.contracts.get(shownAs);
  if (known !== undefined) return known;
  const contract = loadContract(packageFile(SHIPPED_CONTRACT), { shownAs, trusted: true });
  shipped.contracts.set(shownAs, contract);
  return contract;
}

/** The path of a file, relative to the working directory if it is below it. */
function showFromHere(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}
