import { isOfMany } from '../follows/now-and-then.js';
import type { Group } from '../group.js';
import { joinWords, nameOperations, type Occurrence } from '../occurrence.js';
import { ENTRY, readPath } from '../of-object.js';
import { isBelowRemoved, isOfAbsentRecord } from '../records/record-sign.js';
import { describeRequests } from '../requests.js';
import { saidStatus as saidIn, wants, wantsOnly } from '../statuses.js';

// What headlines are put together from.

export function first({ occurrences }: Group): Occurrence['finding'] {
  return (occurrences[0] as Occurrence).finding;
}

/** What many answers of each operation show together, though others of the group show it by themselves. */
export function describeMany({ occurrences }: Group): string {
  const ofMany = occurrences.filter(({ finding }) => isOfMany(finding));
  const told = new Map(ofMany.map(({ exchange, finding }) => [exchange.operationId ?? '', finding.actual]));
  return joinWords(
    [...told].map(([operation, share]) => `${operation} returns ${share}`),
    'and',
  );
}

/** The status of an answer, or the one in its Error body where errors come as successes. */
export function saidStatus({ occurrences: [shown] }: Group): string {
  return shown === undefined ? '' : saidIn(shown);
}

export function verb({ occurrences }: Group, one: string, several: string): string {
  const names = nameOperations(occurrences);
  return `${names} ${names.includes(' and ') ? several : one}`;
}

export function requests({ occurrences }: Group): string {
  const wants404 = occurrences.every((each) => wants(each, '404'));
  if (occurrences.every(isBelowRemoved)) return ' below a record that was removed';
  if (wants404 && occurrences.every(isOfAbsentRecord)) return ' for a record that does not exist';
  if (occurrences.every(({ asks }) => asks === 'absentParent')) return ' for a parent that does not exist';
  const isOfTag = occurrences.every((each) => wantsOnly(each, '412'));
  return isOfTag ? ' to an If-Match that does not match the record' : describeRequests(occurrences);
}

export function listStatuses({ occurrences }: Group): string[] {
  return [...new Set(occurrences.map(({ exchange }) => String(exchange.response?.status ?? '')))].filter(Boolean);
}

export function statuses(group: Group): string {
  return ` (status ${joinWords(listStatuses(group), 'and')})`;
}

export function subject(group: Group): string {
  if (group.sign.field !== 'error')
    return `${verb(group, 'returns', 'return')} ${joinWords(listStatuses(group), 'and')} with`;
  return `Errors (${joinWords(listStatuses(group), 'and')}) have`;
}

export function answers(group: Group): string {
  return group.sign.field === 'error'
    ? `Errors (${joinWords(listStatuses(group), 'and')}) are`
    : group.sign.field === 'any'
      ? 'All responses are'
      : `Responses of ${nameOperations(group.occurrences)} are`;
}

export function nameAnswers({ occurrences }: Group): string {
  return `responses of ${nameOperations(occurrences)}`;
}

/** The fields that are wrong; a part of an object by the names that lead to it in the schema of the whole. */
export function nameFields({ sign, occurrences }: Group): string {
  const paths = occurrences.map(({ finding }) => readPath(finding));
  const isOf = (path: readonly string[], field: string): boolean => path.findLast((name) => name !== ENTRY) === field;
  const names = (sign.field ?? '').split(' ').map((field) => paths.find((path) => isOf(path, field)) ?? [field]);
  const rest = names.length - MOST_FIELDS;
  const shown = (rest > 1 ? names.slice(0, MOST_FIELDS) : names).map((path) => `\`${path.join('/')}\``);
  return joinWords(rest > 1 ? [...shown, `${rest} more`] : shown, 'and');
}

/** Of more fields than these, so many are named. */
const MOST_FIELDS = 10;

/** If an item of a list is wrong, the headline says so. */
export function itemOf({ occurrences }: Group): string {
  return occurrences.every(({ finding }) => /\/\d+$/.test(finding.at)) ? 'a list in which an item is ' : '';
}
