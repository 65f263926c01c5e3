import type { Occurrence } from '../occurrence.js';
import type { Sign } from '../sign.js';

/** What the deviations of a group are signs of. */
interface Signed {
  sign: Sign;
  occurrences: readonly Occurrence[];
}

/**
 * What asks for a record that nobody has, or sends what is invalid, and gets without the key the very status that it gets
 * with the key, is answered before the key is looked at: by whichever status, that is the sign of one defect.
 */
export function nameAsWithKey<Group extends Signed>(groups: readonly Group[]): Group[] {
  return groups.map((group) => {
    if (group.sign.topic !== 'key-status') return group;
    const due = DUE.find(
      ({ is, status }) => group.occurrences.every(is) && groups.some((other) => isInPlaceOf(status, other, group)),
    );
    return due === undefined ? group : { ...group, sign: { ...group.sign, detail: due.status } };
  });
}

/** What is due with the key, to which requests. */
const DUE: readonly { status: string; is: (found: Occurrence) => boolean }[] = [
  { status: '404', is: ({ exchange }) => exchange.request.asksUnknown === true },
  { status: '400', is: ({ exchange }) => exchange.request.breaks !== undefined },
];

/** Whether another group says that requests with the key get the same status in place of the one that is due. */
function isInPlaceOf(due: string, { sign }: Signed, { sign: { detail }, occurrences }: Signed): boolean {
  if (sign.topic !== 'refusal-status' || sign.detail !== `${due} ${detail}`) return false;
  return occurrences.every(({ exchange }) => exchange.operationId === sign.operation);
}
