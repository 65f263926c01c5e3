// What follows from each kind of problem with the records of a resource.
import { checks } from '../../judge/index.js';
import { valueOf } from '../changes.js';
import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { isOfFilter, isOfFilterBy, isOfLacking, isTotal } from './of-lists.js';
import { countAlike, haveSameResource, isOfSameOperation, isOfSameScenario } from './of-same.js';
import { isOfLaterPage, type RecordKind } from './record-sign.js';

/** What a kind of problem explains of the same resource. */
const FOLLOWING: Readonly<Partial<Record<RecordKind, (found: Occurrence, cause: Group) => boolean>>> = {
  changed: (found, cause) =>
    isMergeOf(found, cause) ||
    found.finding.rule.endsWith(' dropped') ||
    isOfAnotherText(found, cause) ||
    isOfChangedFilter(found, cause) ||
    isOfSameDefault(found, cause),
  // A filter that lets records through does so on every page.
  filter: (found, { sign }) => isOfLaterPage(found) && isOfFilterBy(found.scenario, sign.field),
  // What was changed or removed by way of another parent; and what belongs to that says so wherever it shows.
  leaked: (found, cause) =>
    isOfSameScenario(found, cause) || (found.finding.rule === 'parent' && isOfSameOperation(found, cause)),
  // What was removed in its place is missing.
  there: (found, cause) =>
    (found.finding.rule === 'absent' && isOfFilter(found.scenario)) || isOfSameScenario(found, cause),
  'wrong-key': (found, cause) =>
    isOfSameOperation(found, cause) ||
    (changesRecords(cause) && (isOfChange(found) || found.finding.resource !== undefined)),
  short: (found, cause) =>
    isOfSameOperation(found, cause) && isOfLacking(found) && countAlike(found) <= countShort(cause),
  'too-many': (found, cause) =>
    isOfSameOperation(found, cause) &&
    (found.finding.rule === 'distinct' || isTotal(found, 'less') || isOfLacking(found)),
  twice: (found, cause) =>
    (isOfSameOperation(found, cause) && (isTotal(found, 'less') || isOfLacking(found))) ||
    (isKeptTwice(cause) && (isOfSameOperation(found, cause) || found.finding.at === 'status')),
  'left-out': (found, cause) => isOfSameOperation(found, cause) && (isTotal(found, 'more') || isOfLacking(found)),
  // Pages end where the total says that they do.
  total: ({ finding }, cause) =>
    (isOfLacking({ finding }) && cause.occurrences.some((other) => isTotal(other, 'less'))) ||
    (finding.rule === 'distinct' && cause.occurrences.some((other) => isTotal(other, 'more'))),
  // Of records that share a key, nothing else can be told.
  'key-twice': () => true,
  missing: (found, cause) =>
    (isNeverThere(cause) && !showsAlone(found)) || (isOfLacking(found) && isOfFilter(found.scenario)),
};

/** How many records a page was seen to lack at most: it explains no more that are missing. */
function countShort({ occurrences }: Group): number {
  return Math.max(
    ...occurrences.map(({ finding }) => Number.parseInt(valueOf(finding), 10) - Number.parseInt(finding.actual, 10)),
  );
}

/** A change that meets another record leaves the one that is meant as it was. */
function changesRecords({ occurrences }: Group): boolean {
  return occurrences.some(({ exchange }) => ['PUT', 'PATCH'].includes(exchange.request.method));
}

function isOfChange({ scenario: { steps } }: Occurrence): boolean {
  return steps.some(({ exchanges }) => exchanges.some(({ request }) => CHANGING.has(request.method)));
}

const CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'POST', 'DELETE']);

/** A record that is stored twice is listed twice, of one that changes or is removed the other stays. */
function isKeptTwice({ occurrences }: Group): boolean {
  return occurrences.some(isOfChange);
}

/** Whether an answer is wrong by itself, whatever others are. */
function showsAlone({ finding: { check, rule } }: Occurrence): boolean {
  return checks.find(({ id }) => id === check)?.showsAlone?.includes(rule) === true;
}

/** If not even the first record can be fetched, nothing that is asked of records says anything else. */
export function isNeverThere({ occurrences }: Group): boolean {
  return occurrences.some(({ asks }) => asks === 'first');
}

/** Two records have one text where one of them is shown with that of the other. */
function isOfAnotherText({ finding }: Occurrence, { occurrences }: Group): boolean {
  return finding.rule === 'once' && occurrences.some((other) => valueOf(finding) === other.finding.actual);
}

/** A field that is not what it was made is not merged either. */
function isMergeOf({ asks, scenario: { about } }: Occurrence, { sign }: Group): boolean {
  return asks === 'merged' && about?.field !== undefined && sign.field?.split(' ').includes(about.field) === true;
}

/** What a list has or lacks. */
const OF_FILTERS: ReadonlySet<string> = new Set(['filter', 'present', 'absent', 'covers', 'more']);

/**
 * A filter by a field that is not what it was made, or of a list that shows several fields so. What a list shows beside its own filter
 * is as other answers have it only where the list itself has it wrong.
 */
function isOfChangedFilter(found: Occurrence, { sign, occurrences }: Group): boolean {
  if (!OF_FILTERS.has(found.finding.rule)) return false;
  if (found.finding.rule === 'filter' && !isOfSameOperation(found, { occurrences })) return false;
  const fields = sign.field?.split(' ') ?? [];
  const isOf = fields.some((field) => isOfFilterBy(found.scenario, field));
  return isOfFilter(found.scenario) && (isOf || (fields.length > 1 && isOfSameOperation(found, { occurrences })));
}

/** A field that has one value whatever is sent has it too where nothing is sent. */
function isOfSameDefault({ finding: { rule, actual } }: Occurrence, { sign, occurrences }: Group): boolean {
  const [, field = ''] = /^(.*) default$/.exec(rule) ?? [];
  return (sign.field?.split(' ') ?? []).includes(field) && occurrences.some(({ finding }) => finding.actual === actual);
}

export function isOfKind(found: Occurrence, cause: Group): boolean {
  const [, kind = ''] = cause.sign.detail?.split(' ') ?? [];
  const isOf = cause.occurrences.some((other) => haveSameResource(other, found));
  return isOf && FOLLOWING[kind as RecordKind]?.(found, cause) === true;
}
