// What two deviations have in common.
import type { Group } from '../group.js';
import { resourceOf, type Occurrence } from '../occurrence.js';
import { star } from '../sign.js';

/** A request that should be refused changes what later steps look at. */
export function isOfSameScenario({ scenario }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some((other) => other.scenario.id === scenario.id);
}

export function isOfSameOperation({ exchange }: Occurrence, { occurrences }: Pick<Group, 'occurrences'>): boolean {
  return occurrences.some((other) => other.exchange.operationId === exchange.operationId);
}

export function isOfSameExchange({ exchange }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some((other) => other.exchange === exchange);
}

type Named = Pick<Occurrence, 'scenario'>;

export function haveSameResource(one: Named, other: Named): boolean {
  return resourceOf(one.scenario) === resourceOf(other.scenario);
}

/** In how many items of its answer something is. */
export function countAlike({ finding, exchange }: Occurrence): number {
  return exchange.findings
    .filter(({ check, rule, at }) => check === finding.check && rule === finding.rule && star(at) === star(finding.at))
    .reduce((sum, { more = 0 }) => sum + 1 + more, 0);
}
