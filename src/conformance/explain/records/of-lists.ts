// What a deviation says of a list: its total, its filter, what it lacks.
import { valueOf } from '../changes.js';
import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';

/** A total that is wrong breaks the schema of its place too. */
export function isOfTotal({ finding, exchange }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some(
    (other) =>
      other.finding.rule === 'total' &&
      other.finding.at === finding.at &&
      other.exchange.operationId === exchange.operationId,
  );
}

/** Whether a list says that there are less records than its pages have, or more. */
export function isTotal({ finding }: Occurrence, than: 'less' | 'more'): boolean {
  const difference = Number(finding.actual) - Number(valueOf(finding));
  return finding.rule === 'total' && (than === 'less' ? difference < 0 : difference > 0);
}

/** Pages of a list lack what another page, or their early end, stands in place of. */
export function isOfLacking({ finding }: Pick<Occurrence, 'finding'>): boolean {
  return finding.rule === 'present' || finding.rule === 'covers';
}

export function isOfFilterBy({ about }: Occurrence['scenario'], name: string | undefined): boolean {
  return about?.filter !== undefined && about.filter === name;
}

export function isOfFilter({ about }: Occurrence['scenario']): boolean {
  return about?.filter !== undefined;
}
