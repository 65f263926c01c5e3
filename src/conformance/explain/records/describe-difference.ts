import { describeChange, valueOf } from '../changes.js';
import type { Occurrence } from '../occurrence.js';
import { kindOf } from '../kind-of.js';

/**
 * How a field came to differ from what was sent: it is missing, is what another request of the scenario sent, is of
 * another type, or changed as services change values. `undefined` if the values do not tell.
 */
export function describeDifference(each: Occurrence): string | undefined {
  const { actual } = each.finding;
  const before = valueOf(each.finding);
  if (actual === 'absent') return 'is missing';
  const sender = findSender(each);
  if (sender !== undefined) return `is as ${sender} sent it`;
  const isOfOtherType = kindOf(before) !== kindOf(actual) && ![before, actual].includes('null');
  return isOfOtherType ? `is ${kindOf(actual)}` : describeChange(before, actual);
}

/** The method of the request before that sent the value in the field. */
function findSender({ scenario, exchange, finding }: Occurrence): string | undefined {
  const all = scenario.steps.flatMap((step) => step.exchanges);
  const [field = '', above = ''] = finding.at.split('/').toReversed();
  // An item of a list stands there with others.
  const isItem = /^\d+$/.test(field);
  const begin = isItem ? `"${above}":[` : `"${field}":${finding.actual}`;
  const sends = (body = ''): boolean =>
    body
      .split(begin)
      .slice(1)
      .some((behind) =>
        isItem ? behind.slice(0, behind.indexOf(']')).includes(finding.actual) : /^[,}]/.test(behind),
      );
  return all.slice(0, all.indexOf(exchange)).find(({ request }) => sends(request.body))?.request.method;
}
