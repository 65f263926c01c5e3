import { PetstoreMockError } from '../../../errors.js';
import { foreseeRequests } from '../../run/order/estimate-requests.js';
import type { Scenario } from '../../model/scenario.js';
import { withDependencies } from '../../language/select-scenarios.js';
import type { Shard } from '../../model/shard.js';

/**
 * The scenarios of one shard, in their order. Each scenario belongs to one shard; what it builds on runs in its shard as
 * well. Scenarios about the same gap stay together, since only their answers together show a choice. The same scenarios
 * give the same shards on every machine. Throws a {@link PetstoreMockError} for more shards than there is to share.
 */
export function chooseShard(scenarios: readonly Scenario[], { index, of }: Shard): Scenario[] {
  const groups = groupByGap(scenarios);
  if (groups.length < of) throw refuseEmpty(groups.length, of);
  const shards = Array.from({ length: of }, () => new Set<Scenario>());
  groups.forEach((group, at) => {
    const wanted = closeOver(group, scenarios);
    // One group each at first, so that no shard is empty.
    const shard = at < of ? shards[at] : findCheapest(shards, wanted);
    for (const scenario of wanted) shard?.add(scenario);
  });
  const chosen = shards[index - 1];
  return scenarios.filter((scenario) => chosen?.has(scenario));
}

function groupByGap(scenarios: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>();
  for (const scenario of scenarios) {
    const key = scenario.gap === undefined ? `scenario ${scenario.id}` : `gap ${scenario.gap}`;
    groups.set(key, [...(groups.get(key) ?? []), scenario]);
  }
  return [...groups.values()];
}

/** The scenarios, with those that they build on. */
function closeOver(group: readonly Scenario[], all: readonly Scenario[]): Scenario[] {
  const ids = withDependencies(group, all);
  return all.filter(({ id }) => ids.has(id));
}

/** The shard that would send the fewest requests with them. */
function findCheapest(shards: readonly Set<Scenario>[], wanted: readonly Scenario[]): Set<Scenario> | undefined {
  const costs = shards.map((shard) => countRequests([...new Set([...shard, ...wanted])]));
  return shards[costs.indexOf(Math.min(...costs))];
}

function countRequests(scenarios: readonly Scenario[]): number {
  return scenarios.reduce((sum, scenario) => sum + foreseeRequests(scenario), 0);
}

function refuseEmpty(most: number, of: number): PetstoreMockError {
  return new PetstoreMockError(
    'empty-selection',
    `--shard: the selected scenarios can be shared by at most ${most} ${most === 1 ? 'job' : 'jobs'}, not ${of}.`,
  );
}
