import { plainName } from '../../../contract/resources/words.js';
import { valueOf } from '../changes.js';
import type { Group } from '../group.js';
import { UNDEFINED } from '../of-object.js';
import type { Occurrence } from '../occurrence.js';
import { star } from '../sign.js';

/** What is there under a name that the contract does not define is not there under its own. */
export function isByAnotherName({ finding, exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  const { at, actual } = finding;
  if (sign.detail !== UNDEFINED || (actual !== 'absent' && actual !== 'nothing')) return false;
  const [place, name] = splitLast(at);
  return occurrences.some((other) => {
    const [around, another] = splitLast(other.finding.at);
    // Of a long answer, not all that is wrong is kept.
    if (plainName(name) === plainName(another))
      return star(place) === star(around) && other.exchange.operationId === exchange.operationId;
    return other.exchange === exchange && place === around && other.finding.actual === valueOf(finding);
  });
}

/** The place of an object, and the name of its member. */
function splitLast(at: string): [around: string, name: string] {
  const end = at.lastIndexOf('/');
  return [at.slice(0, end), at.slice(end + 1)];
}
