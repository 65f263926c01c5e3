import type { Finding } from '../../model/result.js';
import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { star } from '../sign.js';

/** What was refused for its values shows them where it is stored all the same. */
export function isKeptValue({ finding }: Occurrence, { sign, occurrences }: Group): boolean {
  if (sign.detail?.endsWith(' refused') !== true) return false;
  const kept = occurrences.flatMap((stored) =>
    stored.exchange.findings.filter((other) => isWithinRecord(other, stored.finding)),
  );
  return kept.some(
    ({ at, rule, actual }) => star(at) === star(finding.at) && rule === finding.rule && actual === finding.actual,
  );
}

/** Where several records of an answer were refused, the first of them alone has its place in the finding. */
function isWithinRecord({ at }: Finding, { at: text, more = 0 }: Finding): boolean {
  const record = `${text.slice(0, text.lastIndexOf('/'))}/`;
  return more === 0 ? at.startsWith(record) : star(at).startsWith(star(record));
}
