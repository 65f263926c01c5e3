import type { Scenario, Step } from '../../model/scenario.js';

/** About how many requests a step sends that asks for several things; measured in runs. */
const FOR_EACH = 3;
const OF_PAGES = 2;
const OF_SEARCH = 2;

/**
 * About how many requests scenarios take. A target with long lists, or one that shows changes late, takes more; scenarios
 * that share answers take fewer.
 */
export function estimateRequests(scenarios: readonly Scenario[]): number {
  return roundUp(scenarios.reduce((sum, scenario) => sum + foreseeRequests(scenario), 0));
}

/** About how many requests a scenario takes. An earlier response serves as a control, so that costs nothing. */
export function foreseeRequests({ steps }: Pick<Scenario, 'steps'>): number {
  return steps.reduce((sum, step) => sum + countOf(step), 0);
}

function countOf({ control, each, pages, search, atOnce = 1 }: Step): number {
  if (control) return 0;
  if (search !== undefined) return OF_SEARCH;
  if (pages !== undefined) return pages.parameter === undefined ? 1 : OF_PAGES;
  return each === undefined ? atOnce : Math.min(FOR_EACH, each.atMost);
}

/** An estimate has two significant digits. */
function roundUp(count: number): number {
  if (count < 100) return count;
  const unit = 10 ** (String(count).length - 2);
  return Math.ceil(count / unit) * unit;
}
