import { cutText } from '../../../contract/document/cut-text.js';
import type { Group } from '../group.js';
import { kindOf } from '../kind-of.js';
import { UNDEFINED } from '../of-object.js';
import { first, nameAnswers, nameFields } from './parts.js';

/** Fields with values that the contract does not allow, or that it does not have. */
export function writeFieldValue(group: Group): string {
  const isOfSeveral = (group.sign.field ?? '').includes(' ');
  const named = `${nameFields(group)} of a record`;
  if (group.sign.detail === UNDEFINED)
    return `${named}, which the contract does not define, ${isOfSeveral ? 'are' : 'is'} in ${nameAnswers(group)}`;
  return `${named} ${isOfSeveral ? 'are' : 'is'} ${describeValue(group)}, ${describeDue(group)}, in ${nameAnswers(group)}`;
}

function describeValue(group: Group): string {
  const { actual } = first(group);
  const kind = kindOf(actual);
  return kind === actual ? kind : `${kind} (${cutText(actual, 60)})`;
}

/** Of fields of several kinds, no kind is due for all. */
function describeDue({ occurrences }: Group): string {
  const [due = '', ...others] = new Set(occurrences.map(({ finding }) => finding.expected));
  return others.length === 0 ? `not ${due}` : 'which the contract does not allow';
}
