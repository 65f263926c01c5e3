import { SERVED_AGAIN } from '../../judge/server-error.js';
import type { ScenarioResult } from '../../model/result.js';
import type { Group } from '../group.js';
import { joinWords } from '../occurrence.js';
import { describeBreaks } from './breaks.js';
import { describeForms } from './key-forms.js';
import { first, verb } from './parts.js';
import { countAsked, describeFailing } from './share.js';

/** What a service fails at. */
export function writeCrash(group: Group, scenarios: readonly ScenarioResult[]): string {
  const statuses = joinWords([...new Set(group.occurrences.map(({ finding }) => finding.actual))], 'and');
  if (group.sign.detail === SERVED_AGAIN)
    return `${verb(group, 'fails', 'fail')} with ${statuses} for ${group.occurrences.length} of ${countAsked(group, scenarios)} requests, and is flaky: each succeeded when it was sent again`;
  return `${verb(group, 'fails', 'fail')} with ${first(group).actual}${describeWhat(group, scenarios)}`;
}

function describeWhat(group: Group, scenarios: readonly ScenarioResult[]): string {
  const { detail } = group.sign;
  if (detail === 'key') return ` ${describeForms(group.occurrences)}`;
  const broken = describeBreaks(group.occurrences);
  if (detail === 'invalid' && broken !== '') return ` for ${broken}`;
  return detail === 'absent' ? ' for a record that does not exist' : describeFailing(group, scenarios);
}
