import { fieldOfRule } from '../../model/record-rules.js';
import type { ScenarioResult } from '../../model/result.js';
import type { Group } from '../group.js';
import { describeChange, valueOf } from '../changes.js';
import { joinWords, listOperations, nameOperations, resourceOf, type Occurrence } from '../occurrence.js';
import { readSentAgain } from '../headlines/refused.js';
import { describeRequests } from '../requests.js';
import { star } from '../sign.js';
import { showDifference } from '../../judge/show-difference.js';
import { readFilter, type RecordKind } from './record-sign.js';

const MOST_OF_VALUE = 40;

/** Whether every list was asked for without a limit, so that the one of the contract holds. */
function isByDefault(occurrences: readonly Occurrence[]): boolean {
  return occurrences.every(({ finding }) => finding.contract?.pointer?.endsWith('/default') === true);
}

/** What is wrong with the records of a resource. */
export function writeRecordHeadline(
  { sign, occurrences }: Pick<Group, 'sign' | 'occurrences'>,
  scenarios: readonly ScenarioResult[],
): string {
  const [, kind = 'changed'] = (sign.detail ?? '').split(' ');
  const resource = joinWords([...new Set(occurrences.map(({ scenario }) => resourceOf(scenario)))], 'and');
  const shown = (occurrences[0] as Occurrence).finding;
  const { expected, actual } = shown;
  const value = valueOf(shown);
  const operations = listOperations(occurrences);
  const where = nameOperations(occurrences);
  const [answers, says, its] = operations.length > 1 ? ['return', 'say', 'their'] : ['returns', 'says', 'its'];
  const sentences: Readonly<Record<RecordKind, string>> = {
    changed: describeChanged({ sign, occurrences }, where),
    'kept-old': describeKept(occurrences, resource),
    'not-merged': `A merge patch of a part of \`${sign.field ?? ''}\` loses the rest of it (${resource})`,
    'wrong-key': describeWrongKey(occurrences, `${where} ${answers}`),
    'key-twice': `One key is given to several records (${resource})`,
    'too-many': `${where} ${answers} more records than ${its} limit${isByDefault(occurrences) ? ' by default' : ''}: ${withoutNoun(actual)} instead of ${withoutNoun(expected)}`,
    short: `A page of ${where} has fewer records than requested, although there are more: ${withoutNoun(actual)} instead of ${withoutNoun(value)}`,
    filter: occurrences.some(isFiltered)
      ? `The filter by \`${sign.field ?? ''}\` of ${where} ${describeFilter(occurrences)}`
      : `${where} ${operations.length > 1 ? 'list' : 'lists'} records with \`${sign.field ?? ''}\` ${actual}, not ${value}`,
    'later-pages': describeLaterPages(occurrences, where),
    twice: `A record appears twice in the pages of ${where}`,
    missing: isOfLocation(occurrences, scenarios)
      ? `A created record is not at the \`Location\` of the response that created it (${where})`
      : `${occurrences.some(isOfShown) ? 'A record that a response showed' : 'A created record'} is missing in responses of ${where}${describeKey(occurrences)}`,
    'left-out': occurrences.every(({ finding }) => finding.rule === 'more')
      ? `${where} ${answers} too few records: ${actual} instead of ${expected}`
      : `A page or a filter of ${where} lacks a record that the complete list has`,
    there: `A deleted record is still in responses of ${where}`,
    total: `${where} ${says} that there are ${actual} records, and ${operations.length > 1 ? 'list' : 'lists'} ${value}`,
    'read-only': `\`${sign.field ?? ''}\`, which is read only, can be changed by clients (${resource})`,
    'write-only': `\`${sign.field ?? ''}\`, which is write only, is in responses of ${where}`,
    'more-than-once': `One create is stored more than once, in responses of ${where}`,
    default: `\`${sign.field ?? ''}\` is ${actual} where no request names it, not its default ${value} (${resource})`,
    stale:
      actual === '304'
        ? `${where} ${answers} 304 although the record has changed, or without a validator`
        : `${where} ${answers} ${actual} instead of 304 although the record has not changed`,
    refused: `A rejected record is stored anyway, in responses of ${where}`,
    address: `The \`Location\` in responses of ${where} is not the address of the created record`,
    order: `A list that is sorted by \`${sign.field ?? ''}\` is not in that order, in responses of ${where}: ${actual} instead of ${expected}`,
    taken: `An update can take the \`${sign.field ?? ''}\` of another record, with which a create is rejected (${resource})`,
    parent: `A record names another parent than the one in the path, in responses of ${where}`,
    leaked: `A record is in a collection to which it does not belong, in responses of ${where}`,
  };
  return sentences[kind as RecordKind];
}

/** Whether somebody else's record is asked for, which a response has shown. */
function isOfShown({ exchange, finding }: Occurrence): boolean {
  return finding.at === 'status' && exchange.request.asksFor === 'shown';
}

/** How the key was written, if all were written in one odd way. */
function describeKey(occurrences: readonly Occurrence[]): string {
  const [, asked = ''] = /^( for a key .*)$/.exec(describeRequests(occurrences)) ?? [];
  return asked;
}

/** Whether records are nowhere from the start, and only a header field says where they should be. */
function isOfLocation(occurrences: readonly Occurrence[], scenarios: readonly ScenarioResult[]): boolean {
  const first = occurrences.find(({ asks }) => asks === 'first');
  const created = scenarios
    .filter((each) => first !== undefined && resourceOf(each) === resourceOf(first.scenario))
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter(({ request, response }) => request.method === 'POST' && response?.status === 201);
  return created.length > 0 && created.every(({ response }) => response?.body === '' && 'location' in response.headers);
}

/** A create that is sent again has no record that was asked for. */
function describeWrongKey(occurrences: readonly Occurrence[], answers: string): string {
  const name = readSentAgain(occurrences);
  return name === undefined
    ? `${answers} another record than the requested one`
    : `${answers} a second record when a request is sent again with the same \`${name}\``;
}

/** `2 records` as `2`. */
function withoutNoun(count: string): string {
  return count.replace(/ records?$/, '');
}

/** By a replacement that does not name it, or by a null that removes it. */
function describeKept(occurrences: readonly Occurrence[], resource: string): string {
  const { finding, scenario, exchange } = occurrences[0] as Occurrence;
  const all = scenario.steps.flatMap(({ exchanges }) => exchanges);
  const change = all.slice(0, all.indexOf(exchange) + 1).findLast(({ request }) => request.method !== 'GET');
  const field = `\`${finding.rule.replace(/ dropped$/, '')}\``;
  return change?.request.method === 'PATCH'
    ? `A merge patch with null does not remove ${field} (${resource})`
    : `A replacement without ${field} does not remove it (${resource})`;
}

/** Whether a list was asked for by what its records should have. */
function isFiltered({ scenario, exchange, finding }: Occurrence): boolean {
  if (scenario.about?.filter !== undefined || finding.rule !== 'filter') return true;
  const values = [...new URLSearchParams(exchange.request.path.split('?')[1]).values()];
  return values.some((each) => [each, JSON.stringify(each)].includes(valueOf(finding)));
}

/** What a filtered list has that it should not have, and lacks that it should. */
function describeFilter(occurrences: readonly Occurrence[]): string {
  const rules = new Set(occurrences.map(({ finding }) => finding.rule));
  const lacks = rules.has('present') || rules.has('covers');
  const has = rules.has('filter') || rules.has('absent');
  return joinWords(
    [...(has ? ['returns records that do not match'] : []), ...(lacks ? ['leaves out records that match'] : [])],
    'and',
  );
}

/** The request may have lost the filter, or the service looks at it only once. */
function describeLaterPages(occurrences: readonly Occurrence[], where: string): string {
  const fields = new Set(occurrences.map((each) => readFilter(each) ?? each.finding.at.split('/').at(-1) ?? ''));
  const names = joinWords(
    [...fields].map((field) => `\`${field}\``),
    'and',
  );
  const isSent = occurrences.some(({ exchange, scenario }) => sendsFilter(exchange.request.path, scenario.about));
  if (!isSent) return `The link to the next page of ${where} drops the filter by ${names}`;
  return fields.size === 1
    ? `The filter by ${names} of ${where} returns records that do not match from the second page on`
    : `The filters by ${names} of ${where} return records that do not match from the second page on`;
}

/** Whether a request has the filter that its scenario is about. */
function sendsFilter(path: string, about: ScenarioResult['about']): boolean {
  return about?.filter !== undefined && new URLSearchParams(path.split('?')[1]).has(about.filter);
}

/** One value tells more than a rule; of several fields, the rule is what they have in common. */
function describeChanged({ sign, occurrences }: Pick<Group, 'sign' | 'occurrences'>, where: string): string {
  const { finding } = occurrences[0] as Occurrence;
  const [member = '', ...others] = new Set(occurrences.map(nameMember));
  const fields = sign.field?.split(' ').map((field) => `\`${field}\``) ?? [];
  const shown = showDifference(valueOf(finding), finding.actual, MOST_OF_VALUE);
  const value = `${shown.actual} instead of ${shown.expected}`;
  if (others.length === 0)
    return `\`${member}\` is not as it was sent in responses of ${where}${describeWay(occurrences)}: ${value}`;
  const are = fields.length === 1 ? 'is not as it was' : 'are not as they were';
  return `${joinWords(fields, 'and')} ${are} sent in responses of ${where}, such as \`${member}\`: ${value}`;
}

/** The field that is wrong, with what of it is where it is an object: `owner/desk`. */
function nameMember({ finding: { rule, at } }: Occurrence): string {
  const parts = star(at).split('/').slice(1);
  const field = fieldOfRule(rule);
  const from = parts.indexOf(field);
  return from === -1 ? field : parts.slice(from).join('/');
}

/** How all values changed, if in one of the ways in which services change them: a cut text is hard to tell from a whole one. */
function describeWay(occurrences: readonly Occurrence[]): string {
  const [way, ...others] = new Set(occurrences.map(({ finding }) => describeChange(valueOf(finding), finding.actual)));
  if (way === undefined || others.length > 0) return '';
  return ` (${occurrences.every(({ finding }) => /^["…]/.test(finding.actual)) ? 'texts' : 'integers'} ${way})`;
}
