import { cutText } from '../../contract/document/json.js';
import { showDifference, spellUnseen } from '../judge/show-difference.js';
import { SERVED_AGAIN } from '../judge/server-error.js';
import { AUTH_FORMS } from '../model/scenario.js';
import type { ScenarioResult } from '../model/result.js';
import {
  ENTRY,
  isOfMany,
  isStatus,
  namesIn,
  readPath,
  resourceOf,
  star,
  typeOf,
  valueOf,
  type Failure,
} from './failure.js';
import type { FailureKind } from './kinds.js';
import { describeBroken, describeCondition } from './requests.js';

/** Some failures of one problem, the one to show first, and the scenarios of the run. */
interface Told {
  failures: readonly [Failure, ...Failure[]];
  scenarios: readonly ScenarioResult[];
}

/** What happened, in words: a sentence without a full stop. It states what was observed, and no cause. */
export function writeHeadline(
  failures: readonly [Failure, ...Failure[]],
  scenarios: readonly ScenarioResult[],
): string {
  return spellUnseen(HEADLINES[failures[0].kind]({ failures, scenarios }))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^the service\b/, 'The service');
}

const MOST_OF_VALUE = 60;
const MOST_VALUES = 3;

const HEADLINES: Readonly<Record<FailureKind, (told: Told) => string>> = {
  unanswered: (told) => `${does(told, 'give')} no complete response: ${first(told).actual}${condition(told)}`,
  crash: writeCrash,
  'key-accepted': (told) =>
    `${nameUnchecked(told)}: ${does(told, 'serve')} requests ${nameForms(told)}${condition(told)}`,
  'scope-accepted': (told) => `Scopes are not checked: ${does(told, 'serve')} requests ${nameForms(told)}`,
  'key-echo': (told) => `${does(told, 'repeat')} the API key in a response`,
  'key-status': (told) => `${does(told, 'return')} ${told.failures[0].status} instead of 401 ${nameForms(told)}`,
  'key-refused': (told) =>
    `${does(told, 'reject')} a valid key with ${told.failures[0].status}${unusualForms(told)}${condition(told)}`,
  'error-as-success': (told) => `${does(told, 'return')} ${listStatuses(told)} with an Error body`,
  'success-status': (told) =>
    `${does(told, 'return')} ${first(told).actual} instead of ${due(told, '2XX')}${condition(told)}`,
  refused: (told) =>
    `${does(told, 'reject')} with ${told.failures[0].status} what the contract allows${unusualForms(told)}${condition(told)}`,
  accepted: (told) => {
    const broken = describeBroken(told.failures);
    if (broken !== '') return `${does(told, 'accept')} ${broken}`;
    return `${does(told, 'return')} ${first(told).actual} instead of ${first(told).expected}${condition(told)}`;
  },
  'refusal-status': (told) =>
    `${does(told, 'return')} ${told.failures[0].status} instead of ${due(told, '4XX')}${condition(told)}`,
  'not-json': (told) => `${nameResponses(told)} not JSON: ${first(told).actual}`,
  'no-body': (told) => `${startOfBody(told)} no body`,
  'content-type': (told) => `${nameResponses(told)} said to be ${first(told).actual}, not ${first(told).expected}`,
  'error-shape': writeErrorShape,
  'error-status': (told) =>
    `\`status\` in the Error body is ${first(told).actual}, not the HTTP status ${valueOf(first(told))} (status ${listStatuses(told)})`,
  envelope: (told) => {
    const members = new Set(told.failures.map(({ finding }) => `\`${namesIn(finding.at)[0] ?? ''}\``));
    return `${does(told, 'wrap')} the response in ${join([...members], 'or')}, which the contract does not describe`;
  },
  'body-type': (told) => {
    const isItem = told.failures.every(({ finding }) => /\/\d+$/.test(finding.at));
    return `${does(told, 'return')} ${isItem ? 'a list in which an item is ' : ''}${typeOf(first(told).actual)}, not ${first(told).expected}`;
  },
  'missing-fields': (told) =>
    `${nameFields(told)} of a record ${are(told)} missing in responses of ${operations(told)}`,
  'field-value': (told) => {
    const expected = new Set(told.failures.map(({ finding }) => finding.expected));
    const type = typeOf(first(told).actual);
    const [shown = ''] = told.failures[0].fields;
    const ofField = new Map(
      told.failures.toReversed().map(({ fields: [field = ''], finding }) => [field, finding.actual]),
    );
    const values = [
      ...new Set([first(told).actual, ...[...ofField].flatMap(([field, value]) => (field === shown ? [] : value))]),
    ];
    const some = values.slice(0, MOST_VALUES).map((each) => cutText(each, MOST_OF_VALUE));
    const value = type === first(told).actual ? type : `${type} (${join(some, 'and')})`;
    const wanted = expected.size > 1 ? 'which the contract does not allow' : `not ${first(told).expected}`;
    return `${nameFields(told)} of a record ${are(told)} ${value}, ${wanted}, in responses of ${operations(told)}`;
  },
  'undefined-field': (told) =>
    `${nameFields(told)} of a record, which the contract does not define, ${are(told)} in responses of ${operations(told)}`,
  header: writeHeader,
  'body-forbidden': (told) => `${does(told, 'announce')} a body where HTTP has none`,
  changed: (told) => {
    const { actual, expected } = showDifference(valueOf(first(told)), first(told).actual, MOST_OF_VALUE);
    const areSeveral = new Set(told.failures.flatMap(({ fields }) => fields)).size > 1;
    const one = areSeveral ? `, such as \`${told.failures[0].fields[0]}\`` : '';
    const where = `in responses of ${operations(told)}${one}`;
    if (actual === 'absent')
      return `${nameFields(told)} of a record ${are(told)} missing ${where}, though ${areSeveral ? 'that' : 'it'} is ${expected}`;
    return `${nameFields(told)} of a record ${areSeveral ? 'change' : 'changes'} ${where}: ${actual} instead of ${expected === 'absent' ? 'none' : expected}`;
  },
  flaky: ({ failures }) => {
    const shares = new Map(
      failures
        .filter(({ finding }) => isOfMany(finding))
        .map(({ exchange, finding }) => [exchange.operationId, finding.actual]),
    );
    return `Flaky: ${join(
      [...shares].map(([operation, share]) => `${operation} returns ${share}`),
      'and',
    )}`;
  },
  other: (told) => {
    const { at, expected, actual } = first(told);
    if (at.startsWith('header/')) return writeHeader(told);
    const where = at.startsWith('request/') ? '' : ` at ${star(at)}`;
    return `${operations(told)}: expected ${cutText(expected, 80)}${where}, found ${cutText(actual, 80)}`;
  },
  'not-as-sent': writeNotAsSent,
  'not-removed': writeNotRemoved,
  'not-merged': (told) => `A merge patch of a part of ${nameFields(told)} loses the rest of it (${resources(told)})`,
  'wrong-record': (told) => {
    const again = condition(told);
    return again.startsWith(' when it is sent again with')
      ? `${does(told, 'return')} a second record${again.replace(' it ', ' a request ')}`
      : `${does(told, 'return')} another record than the requested one`;
  },
  'key-twice': (told) => `One key is given to several records (${resources(told)})`,
  'too-many': (told) => {
    const isDefault = told.failures.every(({ finding }) => finding.contract?.pointer.endsWith('/default') === true);
    return `${does(told, 'return')} more records than ${isOne(told) ? 'its' : 'their'} limit${isDefault ? ' by default' : ''}: ${count(first(told).actual)} instead of ${count(first(told).expected)}`;
  },
  'short-page': (told) =>
    `A page of ${operations(told)} has fewer records than requested, although there are more: ${count(first(told).actual)} instead of ${count(valueOf(first(told)))}`,
  filter: writeFilter,
  twice: (told) => `A record appears twice in the pages of ${operations(told)}`,
  missing: (told) => {
    const isShown = told.failures.some(
      ({ finding, exchange }) => finding.at === 'status' && exchange.request.asksFor === 'shown',
    );
    const which = told.failures.every(({ finding }) => finding.at === 'status') ? condition(told) : '';
    return `${isShown ? 'A record that a response showed' : 'A created record'} is missing in responses of ${operations(told)}${which}`;
  },
  'left-out': (told) =>
    told.failures.every(({ finding }) => finding.rule === 'more')
      ? `${does(told, 'return')} too few records: ${first(told).actual} instead of ${first(told).expected}`
      : `A page or a filter of ${operations(told)} lacks a record that the complete list has`,
  'still-there': (told) => `A deleted record is still in responses of ${operations(told)}`,
  leaked: (told) => `A record is in a collection to which it does not belong, in responses of ${operations(told)}`,
  total: (told) =>
    `${does(told, 'say')} that there are ${first(told).actual} records, and ${isOne(told) ? 'lists' : 'list'} ${valueOf(first(told))}`,
  'stored-twice': (told) => `One create is stored more than once, in responses of ${operations(told)}`,
  stale: (told) =>
    first(told).actual === '304'
      ? `${does(told, 'return')} 304 although the record has changed, or without a validator`
      : `${does(told, 'return')} ${first(told).actual} instead of 304 although the record has not changed`,
  'read-only': (told) => `${nameFields(told)}, which is read only, can be changed by clients (${resources(told)})`,
  'write-only': (told) => `${nameFields(told)}, which is write only, is in responses of ${operations(told)}`,
  default: (told) =>
    `${nameFields(told)} is ${first(told).actual} where no request names it, not its default ${valueOf(first(told))} (${resources(told)})`,
  'stored-rejected': (told) => `A rejected record is stored anyway, in responses of ${operations(told)}`,
  location: (told) => `The \`Location\` in responses of ${operations(told)} is not the address of the created record`,
  order: (told) =>
    `A list that is sorted by ${nameFields(told)} is not in that order, in responses of ${operations(told)}: ${first(told).actual} instead of ${first(told).expected}`,
  parent: (told) => `A record names another parent than the one in the path, in responses of ${operations(told)}`,
  taken: (told) =>
    `An update can take the ${nameFields(told)} of another record, with which a create is rejected (${resources(told)})`,
};

function writeCrash(told: Told): string {
  const [{ detail }] = told.failures;
  const fails = `${does(told, 'fail')} with ${join([...new Set(told.failures.map(({ finding }) => finding.actual))], 'and')}`;
  if (detail === SERVED_AGAIN) return `${fails}${condition(told)}, and is flaky: each succeeded when it was sent again`;
  if (detail === 'key') return `${fails} ${nameForms(told)}`;
  const broken = detail === 'invalid' ? describeBroken(told.failures, { isShort: true }) : '';
  if (broken !== '') return `${fails} for ${broken}`;
  return `${fails}${detail === 'absent' ? ' for a record that does not exist' : condition(told)}`;
}

function writeErrorShape(told: Told): string {
  const missing = new Set<string>();
  const others = new Set<string>();
  for (const { finding } of told.failures) {
    const field = finding.at.split('/').slice(1).join('/');
    if (field === '') others.add(`is ${typeOf(finding.actual)}, not ${finding.expected}`);
    else if (finding.rule === 'required') missing.add(`\`${field}\``);
    else others.add(`has ${typeOf(finding.actual)} as \`${field}\`, not ${finding.expected}`);
  }
  const lacks = missing.size === 0 ? [] : [`lacks ${join([...missing], 'and')}`];
  return `The Error body ${join([...lacks, ...others], 'and')} (status ${listStatuses(told)})`;
}

function writeHeader(told: Told): string {
  const { rule, expected, actual } = first(told);
  // As the contract writes it where it describes it; a component has a name of its own.
  const names = told.failures.map(({ finding: { at, contract } }) => {
    const name = at.slice('header/'.length);
    return `\`${contract?.pointer.split('/').find((part) => part.toLowerCase() === name) ?? name}\``;
  });
  const all = [...new Set(names)];
  if (rule === 'required')
    return `${does(told, 'return')} ${listStatuses(told)} without the header ${all.length > 1 ? 'fields' : 'field'} ${join(all, 'and')}`;
  return `${does(told, 'return')} ${listStatuses(told)} with ${names[0]} ${cutText(actual, 80)}, not ${cutText(expected, 80)}`;
}

function writeNotAsSent(told: Told): string {
  const { failures } = told;
  const members = new Set(
    failures.map(({ finding, fields }) => {
      const parts = star(finding.at).split('/').slice(1);
      const from = parts.indexOf(fields[0] ?? '');
      return from === -1 ? (fields[0] ?? '') : parts.slice(from).join('/');
    }),
  );
  const [member = ''] = members;
  const { actual, expected } = showDifference(valueOf(first(told)), first(told).actual, MOST_OF_VALUE);
  const where = `sent in responses of ${operations(told)}`;
  if (members.size === 1) return `\`${member}\` is not as it was ${where}: ${actual} instead of ${expected}`;
  const fields = [...new Set(failures.flatMap((each) => each.fields))];
  const named = join(
    fields.map((field) => `\`${field}\``),
    'and',
  );
  return `${named} ${fields.length === 1 ? 'is not as it was' : 'are not as they were'} ${where}, such as \`${member}\`: ${actual} instead of ${expected}`;
}

/** By a replacement that does not name it, or by a null that removes it. */
function writeNotRemoved(told: Told): string {
  const [{ before, exchange, finding }] = told.failures;
  const change = [...before, exchange].findLast(({ request }) => request.method !== 'GET');
  const field = `\`${finding.rule.replace(/ dropped$/, '')}\``;
  return change?.request.method === 'PATCH'
    ? `A merge patch with null does not remove ${field} (${resources(told)})`
    : `A replacement without ${field} does not remove it (${resources(told)})`;
}

function writeFilter(told: Told): string {
  const { failures } = told;
  const isFiltered = failures.some(({ scenario, exchange, finding }) => {
    const values = [...new URLSearchParams(exchange.request.path.split('?')[1]).values()];
    const isSent = values.some((each) => [each, JSON.stringify(each)].includes(valueOf(finding)));
    return scenario.about?.filter !== undefined || finding.rule !== 'filter' || isSent;
  });
  if (!isFiltered)
    return `${does(told, 'list')} records with ${nameFields(told)} ${first(told).actual}, not ${valueOf(first(told))}`;
  const rules = new Set(failures.map(({ finding }) => finding.rule));
  const mistakes = [
    ...(rules.has('filter') || rules.has('absent') ? ['returns records that do not match'] : []),
    ...(rules.has('present') || rules.has('covers') ? ['leaves out records that match'] : []),
  ];
  const where = failures.every(({ place }) => place.exchange > 0) ? ' from the second page on' : '';
  return `The filter by ${nameFields(told)} of ${operations(told)} ${join(mistakes, 'and')}${where}`;
}

/** A service that accepts any key accepts all forms; otherwise the forms are named. */
function nameForms({ failures }: Told): string {
  const lacked = failures.flatMap(({ exchange: { request } }) =>
    request.auth === 'lackingScope' ? (request.breaks ?? []).map(({ actual }) => actual) : [],
  );
  const scopes = new Set(lacked.flatMap((each) => each.split(' ')).filter((each) => each !== ''));
  if (scopes.size > 0)
    return `with a token that lacks ${join(
      [...scopes].map((scope) => `\`${scope}\``),
      new Set(lacked).size > 1 ? 'or' : 'and',
    )}`;
  const forms = [...new Set(failures.map(({ exchange }) => exchange.request.auth))];
  const plain = forms.filter((form) => form === 'missing' || form === 'wrong');
  const named = (plain.length > 0 ? plain.toSorted() : forms).slice(0, 3);
  return join(
    named.map((form) => AUTH_FORMS[form]),
    'and',
  );
}

function unusualForms(told: Told): string {
  return told.failures.every(({ exchange }) => exchange.request.auth !== 'valid') ? ` ${nameForms(told)}` : '';
}

function nameUnchecked({ failures }: Told): string {
  const forms = failures.map(({ exchange }) => exchange.request.auth);
  return forms.includes('missing') || forms.includes('wrong')
    ? 'The key is not checked'
    : 'What is not the key is accepted for it';
}

// Parts of sentences.

function first({ failures }: Told): Failure['finding'] {
  return failures[0].finding;
}

function condition({ failures, scenarios }: Told): string {
  return describeCondition(failures, scenarios);
}

/** `listPets returns`, `listPets and getPet return`. */
function does(told: Told, verb: string): string {
  return `${operations(told)} ${isOne(told) ? `${verb}s` : verb}`;
}

function isOne({ failures }: Told): boolean {
  return listOperations(failures).length <= 1;
}

function operations({ failures }: Told): string {
  return nameOperations(failures);
}

function resources({ failures }: Told): string {
  return join([...new Set(failures.map(({ scenario }) => resourceOf(scenario)))], 'and');
}

function due(told: Told, status: '2XX' | '4XX'): string {
  const { wanted = [], expected } = first(told);
  return wanted.findLast((each) => isStatus(each, status)) ?? expected;
}

function listStatuses({ failures }: Told): string {
  return join(
    [...new Set(failures.map(({ exchange }) => String(exchange.response?.status ?? '')))].filter(Boolean),
    'and',
  );
}

function isOfErrors({ failures }: Told): boolean {
  return failures.every(({ exchange }) => isStatus(exchange.response?.status, '4XX', '5XX'));
}

function nameResponses(told: Told): string {
  return isOfErrors(told) ? `Errors (${listStatuses(told)}) are` : `Responses of ${operations(told)} are`;
}

function startOfBody(told: Told): string {
  return isOfErrors(told)
    ? `Errors (${listStatuses(told)}) have`
    : `${does(told, 'return')} ${listStatuses(told)} with`;
}

function are({ failures }: Told): string {
  return new Set(failures.flatMap(({ fields }) => fields)).size > 1 ? 'are' : 'is';
}

/** `2 records` as `2`. */
function count(text: string): string {
  return text.replace(/ records?$/, '');
}

const MOST_FIELDS = 10;

/** The fields that are wrong; a part of an object by the names that lead to it in the schema of the whole. */
function nameFields({ failures }: Told): string {
  const names = new Map<string, string>();
  for (const { finding, fields } of failures)
    for (const field of fields) {
      const path = readPath(finding);
      const isOf = path.findLast((name) => name !== ENTRY) === field;
      if (!names.has(field) || isOf) names.set(field, `\`${isOf ? path.join('/') : field}\``);
    }
  const all = [...names.values()];
  const rest = all.length - MOST_FIELDS;
  return join(rest > 1 ? [...all.slice(0, MOST_FIELDS), `${rest} more`] : all, 'and');
}

/** The operations whose responses these are, in the order of the responses. */
export function listOperations(failures: readonly Pick<Failure, 'exchange'>[]): string[] {
  return [...new Set(failures.flatMap(({ exchange }) => exchange.operationId ?? []))];
}

/** Of more operations than six, four are named: a service with many forgets the key in all of them. */
export function nameOperations(failures: readonly Pick<Failure, 'exchange'>[]): string {
  const all = listOperations(failures);
  if (all.length === 0) return 'the service';
  return all.length <= 6 ? join(all, 'and') : `${all.slice(0, 4).join(', ')} and ${all.length - 4} more operations`;
}

/** `a, b and c`. */
function join(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
