import type { Group } from '../group.js';
import { joinWords, nameOperations, type Occurrence } from '../occurrence.js';
import { isOfAbsentRecord } from '../records/record-sign.js';
import { describeRequests } from '../requests.js';

// What headlines are put together from.

export function first({ occurrences }: Group): Occurrence['finding'] {
  return (occurrences[0] as Occurrence).finding;
}

/** The status of an answer, or the one in its Error body where errors come as successes. */
export function saidStatus({ occurrences: [shown] }: Group): string {
  return shown?.refusedWith ?? shown?.finding.actual ?? '';
}

export function verb({ occurrences }: Group, one: string, several: string): string {
  const names = nameOperations(occurrences);
  return `${names} ${names.includes(' and ') ? several : one}`;
}

export function requests({ occurrences }: Group): string {
  const wants404 = occurrences.every(({ finding }) => finding.expected.includes('404'));
  if (wants404 && occurrences.every(isOfAbsentRecord)) return ' for a record that is not there';
  if (occurrences.every(({ scenario }) => scenario.id.endsWith('/parents/unknown')))
    return ' for a parent that is not there';
  const isOfTag = occurrences.every(({ finding }) => finding.at === 'status' && finding.expected === '412');
  return isOfTag ? ' to an If-Match that does not fit the record' : describeRequests(occurrences);
}

export function listStatuses({ occurrences }: Group): string[] {
  return [...new Set(occurrences.map(({ exchange }) => String(exchange.response?.status ?? '')))].filter(Boolean);
}

export function statuses(group: Group): string {
  return ` (answers ${joinWords(listStatuses(group), 'and')})`;
}

export function subject(group: Group): string {
  if (group.sign.field !== 'error')
    return `${verb(group, 'answers', 'answer')} ${joinWords(listStatuses(group), 'and')} with`;
  return `Errors (${joinWords(listStatuses(group), 'and')}) have`;
}

export function answers(group: Group): string {
  return group.sign.field === 'error'
    ? `Errors (${joinWords(listStatuses(group), 'and')}) are`
    : group.sign.field === 'any'
      ? 'All answers are'
      : `The answers of ${nameOperations(group.occurrences)} are`;
}

export function nameAnswers({ occurrences }: Group): string {
  return `the answers of ${nameOperations(occurrences)}`;
}
