import { cutText, parseJson, printJson } from '../../contract/document/json.js';
import { readSegment } from '../http/read-response.js';
import { showDifference, spellUnseen } from '../checks/check.js';
import { KEPT_TAG } from '../checks/own-records.js';
import { SERVED_AGAIN } from '../checks/response.js';
import { AUTH_FORMS } from '../model/scenario.js';
import type { ScenarioResult, ExchangeResult } from '../model/result.js';
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
  asksForAbsent,
  isBelowRemoved,
  wants,
} from './failure.js';
import type { Failure, FailureKind } from './failure.js';
import type { BrokenOnPurpose } from '../model/exchange.js';

/** `does`: `listPets returns`, `listPets and getPet return`; `client`: ` with Accept-Language=fr`. */
type Told = ReturnType<typeof tell>;

/** What happened, in words: a sentence without a full stop. It states what was observed, and no cause. */
export function writeHeadline(failures: readonly [Failure, ...Failure[]], scenarios: readonly ScenarioResult[]) {
  return spellUnseen(HEADLINES[failures[0].kind](tell(failures, scenarios)))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^the service\b/, 'The service');
}

function tell(failures: readonly [Failure, ...Failure[]], scenarios: readonly ScenarioResult[]) {
  const [{ finding, status }] = failures;
  const operations = nameOperations(failures);
  const isOne = listOperations(failures).length <= 1;
  const statuses = failures.map(({ exchange }) => exchange.response?.status);
  const names = new Map<string, string>();
  for (const each of failures)
    for (const field of each.fields) {
      const path = readPath(each.finding);
      const isOf = path.findLast((name) => name !== ENTRY) === field;
      if (!names.has(field) || isOf) names.set(field, `\`${isOf ? path.join('/') : field}\``);
    }
  return {
    failures,
    finding,
    actual: finding.actual,
    expected: finding.expected,
    status,
    statuses: join(statuses.flatMap((each) => (each === undefined ? [] : String(each)))),
    operations,
    isOne,
    resources: join(failures.map(({ scenario }) => resourceOf(scenario))),
    fields: joinSome([...names.values()], MOST_FIELDS),
    are: new Set(failures.flatMap(({ fields }) => fields)).size > 1 ? 'are' : 'is',
    areErrors: statuses.every((each) => isStatus(each, '4XX', '5XX')),
    does: (verb: string): string => `${operations} ${isOne ? `${verb}s` : verb}`,
    condition: () => describeCondition(failures, scenarios),
    keys: () => describeKeys(failures, scenarios),
    client: () => {
      const { failed, served } = compare(failures, scenarios);
      const isTelling = failed.length >= LEAST && served.length >= LEAST;
      const common = isTelling ? findCommon(failed, served, readFields) : undefined;
      return common === undefined ? '' : ` ${common}`;
    },
  };
}

const MOST_OF_VALUE = 60;

const HEADLINES: Readonly<Record<FailureKind, (told: Told) => string>> = {
  unanswered: ({ does, actual, condition }) => `${does('give')} no complete response: ${actual}${condition()}`,
  crash: writeCrash,
  'key-accepted': ({ failures, does, condition }) => {
    const forms = failures.map(({ exchange }) => exchange.request.auth);
    const isPlain = forms.includes('missing') || forms.includes('wrong');
    const what = isPlain ? 'The key is not checked' : 'What is not the key is accepted for it';
    return `${what}: ${does('serve')} requests ${nameForms(failures)}${condition()}`;
  },
  'scope-accepted': ({ failures, does }) => `Scopes are not checked: ${does('serve')} requests ${nameForms(failures)}`,
  access: ({ does }) =>
    `${does('serve')} a second credential with what the contract reserves for the one that created it`,
  'error-leak': ({ statuses, operations, actual }) =>
    `Errors (${statuses}) of ${operations} tell what another request has sent: ${actual}`,
  'key-echo': ({ does }) => `${does('repeat')} the API key in a response`,
  'key-status': ({ failures, does, status }) => `${does('return')} ${status} instead of 401 ${nameForms(failures)}`,
  'key-refused': ({ failures, does, status, condition }) =>
    `${does('reject')} a valid key with ${status}${unusualForms(failures)}${condition()}`,
  'error-as-success': ({ does, statuses }) => `${does('return')} ${statuses} with an Error body`,
  'success-status': ({ does, finding, actual, condition }) =>
    `${does('return')} ${actual} instead of ${due(finding, '2XX')}${condition()}`,
  refused: ({ failures, does, status, condition }) =>
    `${does('reject')} with ${status} what the contract allows${unusualForms(failures)}${condition()}`,
  accepted: ({ failures, does, actual, expected, condition }) => {
    const broken = describeBroken(failures);
    if (broken !== '') return `${does('accept')} ${broken}`;
    return `${does('return')} ${actual} instead of ${expected}${condition()}`;
  },
  'refusal-status': ({ does, status, finding, condition }) =>
    `${does('return')} ${status} instead of ${due(finding, '4XX')}${condition()}`,
  'not-json': (told) => `${nameResponses(told)} not JSON: ${told.actual}`,
  'no-body': ({ areErrors, does, statuses }) =>
    areErrors ? `Errors (${statuses}) have no body` : `${does('return')} ${statuses} with no body`,
  'content-type': (told) => `${nameResponses(told)} said to be ${told.actual}, not ${told.expected}`,
  'error-shape': writeErrorShape,
  'error-status': ({ actual, finding, statuses }) =>
    `\`status\` in the Error body is ${actual}, not the HTTP status ${valueOf(finding)} (status ${statuses})`,
  envelope: ({ failures, does }) => {
    const members = failures.map(({ finding }) => `\`${namesIn(finding.at)[0] ?? ''}\``);
    return `${does('wrap')} the response in ${join(members, 'or')}, which the contract does not describe`;
  },
  'body-type': ({ failures, does, actual, expected }) => {
    const isItem = failures.every(({ finding }) => /\/\d+$/.test(finding.at));
    return `${does('return')} ${isItem ? 'a list in which an item is ' : ''}${typeOf(actual)}, not ${expected}`;
  },
  'missing-fields': ({ fields, are, operations }) =>
    `${fields} of a record ${are} missing in responses of ${operations}`,
  'field-value': ({ failures, actual, expected, fields, are, operations }) => {
    const type = typeOf(actual);
    const [shown = ''] = failures[0].fields;
    const ofField = new Map(failures.toReversed().map(({ fields: [field = ''], finding }) => [field, finding.actual]));
    const values = new Set([actual, ...[...ofField].flatMap(([field, value]) => (field === shown ? [] : value))]);
    const some = [...values].slice(0, 3).map((each) => cutText(each, MOST_OF_VALUE));
    const value = type === actual ? type : `${type} (${join(some)})`;
    const isOfOne = failures.every(({ finding }) => finding.expected === expected);
    const wanted = isOfOne ? `not ${expected}` : 'which the contract does not allow';
    return `${fields} of a record ${are} ${value}, ${wanted}, in responses of ${operations}`;
  },
  'undefined-field': ({ fields, are, operations }) =>
    `${fields} of a record, which the contract does not define, ${are} in responses of ${operations}`,
  header: writeHeader,
  'body-forbidden': ({ does }) => `${does('announce')} a body where HTTP has none`,
  changed: ({ failures, finding, fields, are, operations }) => {
    const { actual, expected } = showDifference(valueOf(finding), finding.actual, MOST_OF_VALUE);
    const areSeveral = are === 'are';
    const where = `in responses of ${operations}${areSeveral ? `, such as \`${failures[0].fields[0]}\`` : ''}`;
    if (actual === 'absent')
      return `${fields} of a record ${are} missing ${where}, though ${areSeveral ? 'that' : 'it'} is ${expected}`;
    return `${fields} of a record ${areSeveral ? 'change' : 'changes'} ${where}: ${actual} instead of ${expected === 'absent' ? 'none' : expected}`;
  },
  flaky: ({ failures }) => {
    const ofMany = failures.filter(({ finding }) => isOfMany(finding));
    const shares = new Map(ofMany.map(({ exchange, finding }) => [exchange.operationId, finding.actual]));
    return `Flaky: ${join([...shares].map(([operation, share]) => `${operation} returns ${share}`))}`;
  },
  other: (told) => {
    const { at } = told.finding;
    if (at.startsWith('header/')) return writeHeader(told);
    const where = at.startsWith('request/') ? '' : ` at ${star(at)}`;
    return `${told.operations}: expected ${cutText(told.expected, 80)}${where}, found ${cutText(told.actual, 80)}`;
  },
  'not-as-sent': writeNotAsSent,
  // By a replacement that does not name it, or by a null that removes it.
  'not-removed': ({ failures, finding, resources }) => {
    const [{ before, exchange }] = failures;
    const change = [...before, exchange].findLast(({ request }) => request.method !== 'GET');
    const field = `\`${finding.rule.replace(/ dropped$/, '')}\``;
    return change?.request.method === 'PATCH'
      ? `A merge patch with null does not remove ${field} (${resources})`
      : `A replacement without ${field} does not remove it (${resources})`;
  },
  'not-merged': ({ fields, resources }) => `A merge patch of a part of ${fields} loses the rest of it (${resources})`,
  'wrong-record': ({ does, condition }) => {
    const again = condition();
    return again.startsWith(' when it is sent again with')
      ? `${does('return')} a second record${again.replace(' it ', ' a request ')}`
      : `${does('return')} another record than the requested one`;
  },
  'key-twice': ({ resources }) => `One key is given to several records (${resources})`,
  'too-many': ({ failures, does, isOne, actual, expected }) => {
    const isDefault = failures.every(({ finding }) => finding.contract?.pointer.endsWith('/default') === true);
    return `${does('return')} more records than ${isOne ? 'its' : 'their'} limit${isDefault ? ' by default' : ''}: ${count(actual)} instead of ${count(expected)}`;
  },
  'short-page': ({ operations, actual, finding }) =>
    `A page of ${operations} has fewer records than requested, although there are more: ${count(actual)} instead of ${count(valueOf(finding))}`,
  filter: writeFilter,
  twice: ({ operations }) => `A record appears twice in the pages of ${operations}`,
  missing: ({ failures, operations, condition }) => {
    const areGone = failures.filter(({ finding }) => finding.at === 'status');
    const isShown = areGone.some(({ exchange }) => exchange.request.asksFor === 'shown');
    const which = areGone.length === failures.length ? condition() : '';
    return `${isShown ? 'A record that a response showed' : 'A created record'} is missing in responses of ${operations}${which}`;
  },
  'left-out': ({ failures, does, actual, expected, operations }) =>
    failures.every(({ finding }) => finding.rule === 'more')
      ? `${does('return')} too few records: ${actual} instead of ${expected}`
      : `A page or a filter of ${operations} lacks a record that the complete list has`,
  'still-there': ({ operations }) => `A deleted record is still in responses of ${operations}`,
  leaked: ({ operations }) => `A record is in a collection to which it does not belong, in responses of ${operations}`,
  total: ({ does, actual, isOne, finding }) =>
    `${does('say')} that there are ${actual} records, and ${isOne ? 'lists' : 'list'} ${valueOf(finding)}`,
  'stored-twice': ({ operations }) => `One create is stored more than once, in responses of ${operations}`,
  stale: ({ actual, does, finding: { rule } }) => {
    if (rule === KEPT_TAG) return `${does('keep')} an ETag although what it stands for has changed: ${actual}`;
    return actual === '304'
      ? `${does('return')} 304 although the record has changed, or without a validator`
      : `${does('return')} ${actual} instead of 304 although the record has not changed`;
  },
  part: ({ does, actual, expected }) =>
    `${does('return')} another part than was asked for: ${cutText(actual, 80)} instead of ${cutText(expected, 80)}`,
  'read-only': ({ fields, resources }) => `${fields}, which is read only, can be changed by clients (${resources})`,
  'write-only': ({ fields, operations }) => `${fields}, which is write only, is in responses of ${operations}`,
  default: ({ fields, actual, finding, resources }) =>
    `${fields} is ${actual} where no request names it, not its default ${valueOf(finding)} (${resources})`,
  'stored-rejected': ({ operations }) => `A rejected record is stored anyway, in responses of ${operations}`,
  location: ({ operations }) =>
    `The \`Location\` in responses of ${operations} is not the address of the created record`,
  order: ({ fields, operations, actual, expected }) =>
    `A list that is sorted by ${fields} is not in that order, in responses of ${operations}: ${actual} instead of ${expected}`,
  parent: ({ operations }) => `A record names another parent than the one in the path, in responses of ${operations}`,
  taken: ({ fields, resources }) =>
    `An update can take the ${fields} of another record, with which a create is rejected (${resources})`,
};

function writeCrash({ failures, does, condition, keys, client }: Told): string {
  const [{ detail }] = failures;
  const fails = `${does('fail')} with ${join(failures.map(({ finding }) => finding.actual))}`;
  if (detail === SERVED_AGAIN) return `${fails}${condition()}, and is flaky: each succeeded when it was sent again`;
  if (detail === 'key') return `${fails} ${nameForms(failures)}`;
  const field = detail === 'invalid' ? client() : '';
  const broken = detail === 'invalid' ? describeBroken(failures, { isShort: true }) : '';
  if (field !== '' || broken !== '') return `${fails}${field === '' ? ` for ${broken}` : field}`;
  return `${fails}${keys() || (detail === 'absent' ? ' for a record that does not exist' : condition())}`;
}

function writeErrorShape({ failures, statuses }: Told): string {
  const missing = new Set<string>();
  const others = new Set<string>();
  for (const { finding } of failures) {
    const field = finding.at.split('/').slice(1).join('/');
    if (field === '') others.add(`is ${typeOf(finding.actual)}, not ${finding.expected}`);
    else if (finding.rule === 'required') missing.add(`\`${field}\``);
    else others.add(`has ${typeOf(finding.actual)} as \`${field}\`, not ${finding.expected}`);
  }
  const lacks = missing.size === 0 ? [] : [`lacks ${join(missing)}`];
  return `The Error body ${join([...lacks, ...others])} (status ${statuses})`;
}

function writeHeader({ failures, finding: { rule }, actual, expected, does, statuses }: Told): string {
  const names = failures.map(({ finding: { at, contract } }) => {
    const name = at.slice('header/'.length);
    return `\`${contract?.pointer.split('/').find((part) => part.toLowerCase() === name) ?? name}\``;
  });
  const fields = new Set(names).size > 1 ? 'fields' : 'field';
  if (rule === 'required') return `${does('return')} ${statuses} without the header ${fields} ${join(names)}`;
  return `${does('return')} ${statuses} with ${names[0]} ${cutText(actual, 80)}, not ${cutText(expected, 80)}`;
}

function writeNotAsSent({ failures, finding, operations }: Told): string {
  const members = new Set(
    failures.map(({ finding: { at }, fields: [field = ''] }) => {
      const parts = star(at).split('/').slice(1);
      const from = parts.indexOf(field);
      return from === -1 ? field : parts.slice(from).join('/');
    }),
  );
  const [member = ''] = members;
  const { actual, expected } = showDifference(valueOf(finding), finding.actual, MOST_OF_VALUE);
  const where = `sent in responses of ${operations}`;
  if (members.size === 1) return `\`${member}\` is not as it was ${where}: ${actual} instead of ${expected}`;
  const fields = new Set(failures.flatMap((each) => each.fields.map((field) => `\`${field}\``)));
  return `${join(fields)} ${fields.size === 1 ? 'is not as it was' : 'are not as they were'} ${where}, such as \`${member}\`: ${actual} instead of ${expected}`;
}

function writeFilter({ failures, finding, fields, actual, does, operations }: Told): string {
  const isFiltered = failures.some(({ scenario, exchange, finding: each }) => {
    const values = [...new URLSearchParams(exchange.request.path.split('?')[1]).values()];
    const isSent = values.some((value) => [value, JSON.stringify(value)].includes(valueOf(each)));
    return scenario.about?.filter !== undefined || each.rule !== 'filter' || isSent;
  });
  if (!isFiltered) return `${does('list')} records with ${fields} ${actual}, not ${valueOf(finding)}`;
  const rules = new Set(failures.map(({ finding: { rule } }) => rule));
  const mistakes = [
    ...(rules.has('filter') || rules.has('absent') ? ['returns records that do not match'] : []),
    ...(rules.has('present') || rules.has('covers') ? ['leaves out records that match'] : []),
  ];
  const where = failures.every(({ place }) => place.exchange > 0) ? ' from the second page on' : '';
  return `The filter by ${fields} of ${operations} ${join(mistakes)}${where}`;
}

function nameForms(failures: readonly Failure[]): string {
  const lacked = failures.flatMap(({ exchange: { request } }) =>
    request.auth === 'lackingScope' ? (request.breaks ?? []).map(({ actual }) => actual) : [],
  );
  const scopes = lacked.flatMap((each) => each.split(' ')).filter((each) => each !== '');
  if (scopes.length > 0) {
    const named = scopes.map((scope) => `\`${scope}\``);
    return `with a token that lacks ${join(named, new Set(lacked).size > 1 ? 'or' : 'and')}`;
  }
  const forms = [...new Set(failures.map(({ exchange }) => exchange.request.auth))];
  const plain = forms.filter((form) => form === 'missing' || form === 'wrong');
  return join((plain.length > 0 ? plain.toSorted() : forms).slice(0, 3).map((form) => AUTH_FORMS[form]));
}

function unusualForms(failures: readonly Failure[]): string {
  return failures.every(({ exchange }) => exchange.request.auth !== 'valid') ? ` ${nameForms(failures)}` : '';
}

function due({ wanted = [], expected }: Failure['finding'], status: '2XX' | '4XX'): string {
  return wanted.findLast((each) => isStatus(each, status)) ?? expected;
}

function nameResponses({ areErrors, statuses, operations }: Told): string {
  return areErrors ? `Errors (${statuses}) are` : `Responses of ${operations} are`;
}

const count = (text: string): string => text.replace(/ records?$/, '');

const MOST_FIELDS = 10;

export function listOperations(failures: readonly Pick<Failure, 'exchange'>[]): string[] {
  return [...new Set(failures.flatMap(({ exchange }) => exchange.operationId ?? []))];
}

/** Of more operations than six, four are named: a service with many forgets the key in all of them. */
export function nameOperations(failures: readonly Pick<Failure, 'exchange'>[]): string {
  const all = listOperations(failures);
  if (all.length === 0) return 'the service';
  return all.length <= 6 ? join(all) : `${all.slice(0, 4).join(', ')} and ${all.length - 4} more operations`;
}

function join(words: Iterable<string>, last: 'and' | 'or' = 'and'): string {
  const all = [...new Set(words)];
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${last} ${all.at(-1)}`;
}

function joinSome(words: readonly string[], most: number): string {
  const rest = words.length - most;
  return join(rest > 1 ? [...words.slice(0, most), `${rest} more`] : words);
}

const LEAST = 3;
const MOST_OF_TRAIT = 40;

/**
 * ` with limit=100`, if all requests that failed have that and none that the operation answered well, at least three of each; else
 * ` for 17 of 1984 requests`; empty where all failed. What scenarios ask for comes first: ` for a record that does not exist`.
 */
export function describeCondition(failures: readonly Failure[], scenarios: readonly ScenarioResult[]): string {
  const asked = describeAsked(failures);
  if (asked !== '') return asked;
  const { failed, served } = compare(failures, scenarios);
  if (served.length === 0) return '';
  if (failed.length >= LEAST && served.length >= LEAST) {
    const condition = findCommon(failed, served, readTraits) ?? describeLacked(failed, served);
    if (condition !== undefined) return ` ${condition}`;
  }
  return ` for ${failed.length} of ${failed.length + served.length} requests`;
}

function compare(failures: readonly Failure[], scenarios: readonly ScenarioResult[]) {
  const failing = new Set(failures.map(({ exchange }) => exchange));
  const failed = [...failing];
  const operations = new Set(failed.map(({ operationId }) => operationId));
  const classOf = ({ request }: ExchangeResult): string =>
    `${request.auth} ${request.breaks !== undefined} ${request.asksUnknown === true}`;
  const classes = new Set(failed.map(classOf));
  const like = scenarios
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter((each) => operations.has(each.operationId) && classes.has(classOf(each)) && each.shared !== true);
  const [{ kind }] = failures as readonly [Failure, ...Failure[]];
  const well = WELL[kind] ?? ['1XX', '2XX', '3XX', '4XX'];
  const statuses = new Set(kind === 'unanswered' ? [] : failed.map(({ response }) => response?.status));
  const served = like.filter(
    (each) =>
      !failing.has(each) &&
      !statuses.has(each.response?.status) &&
      isStatus(each.response?.status, ...well) &&
      each.findings.every(({ at }) => at !== 'status'),
  );
  return { failed, served };
}

function findCommon(failed: readonly ExchangeResult[], served: readonly ExchangeResult[], read: typeof readFields) {
  const others = new Set(served.flatMap((each) => [...read(each)]));
  const [first, ...more] = failed.map(read);
  return [...(first ?? [])].find((trait) => more.every((traits) => traits.has(trait)) && !others.has(trait));
}

const WELL: Readonly<Partial<Record<FailureKind, readonly string[]>>> = {
  'success-status': ['2XX', '3XX'],
  'refusal-status': ['4XX'],
  refused: ['2XX'],
};

function describeAsked(failures: readonly Failure[]): string {
  if (failures.every(isBelowRemoved)) return ' below a record that was removed';
  if (failures.every((each) => wants(each, '404') && asksForAbsent(each))) return ' for a record that does not exist';
  if (failures.every(({ asks }) => asks === 'absentParent')) return ' for a parent that does not exist';
  if (failures.every(({ finding: { wanted } }) => wanted?.length === 1 && wanted[0] === '412'))
    return ' to an If-Match that does not match the record';
  if (!failures.every(isSentAgain)) return '';
  const names = new Set(failures.map(({ scenario }) => scenario.about?.header));
  const [name] = names;
  return ` when it is sent again${name === undefined || names.size > 1 ? '' : ` with the same \`${name}\``}`;
}

const MOST_KEYS = 3;

/**
 * ` for the key 2147483648, and returns 404 for 1999999973`, of requests for what is not there: the keys where an operation failed, and
 * one where it did not. Empty where it failed at all of them, and where other requests failed.
 */
export function describeKeys(failures: readonly Failure[], scenarios: readonly ScenarioResult[]): string {
  const isAbsent = (found: Failure): boolean => asksForAbsent(found) || found.exchange.request.asksUnknown === true;
  if (!failures.every((each) => isAbsent(each) && each.exchange.request.breaks === undefined)) return '';
  const pathOf = ({ request }: ExchangeResult): string => request.path.split('?')[0] ?? '';
  const failed = new Set(failures.map(({ exchange }) => pathOf(exchange)));
  const served = scenarios
    .flatMap(({ steps }) => steps.flatMap(({ asks, exchanges }) => exchanges.map((each) => ({ asks, each }))))
    .filter(({ asks, each: { request } }) => asks === 'absent' || request.asksUnknown === true)
    .map(({ each }) => each)
    .filter((each) => each.request.auth === 'valid' && each.request.breaks === undefined && !failed.has(pathOf(each)))
    .filter(({ response }) => isStatus(response?.status, '4XX'));
  const showKey = (segment = ''): string => cutText(readSegment(segment), MOST_OF_TRAIT);
  const compared = failures.map(({ exchange }) => {
    const own = pathOf(exchange).split('/');
    for (const each of served) {
      const other = pathOf(each).split('/');
      const apart = own.flatMap((part, index) => (part === other[index] ? [] : [index]));
      const [at] = apart;
      if (each.operationId !== exchange.operationId || other.length !== own.length) continue;
      if (apart.length === 1 && at !== undefined)
        return { key: showKey(own[at]), at: showKey(other[at]), status: String(each.response?.status) };
    }
    return undefined;
  });
  const [first] = compared;
  if (first === undefined || compared.includes(undefined)) return '';
  const keys = [...new Set(compared.flatMap((each) => each?.key ?? []))];
  const verb = new Set(failures.map(({ exchange }) => exchange.operationId)).size > 1 ? 'return' : 'returns';
  return ` for the ${keys.length > 1 ? 'keys' : 'key'} ${joinSome(keys, MOST_KEYS)}, and ${verb} ${first.status} for ${first.at}`;
}

function isSentAgain({ before, exchange: { request } }: Failure): boolean {
  return before.some(
    (each) =>
      request.method !== 'GET' &&
      isStatus(each.response?.status, '2XX') &&
      each.request.method === request.method &&
      each.request.path === request.path &&
      each.request.body === request.body,
  );
}

function readTraits(exchange: ExchangeResult): Set<string> {
  const { path, body, credentials = [] } = exchange.request;
  const query = path.split('?')[1];
  const traits = new Set<string>();
  const keys = credentials.filter(({ kind }) => kind === 'query').map(({ at }) => at);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !keys.includes(name));
  for (const [name, value] of parameters) traits.add(`with ${name}=${cutText(value, MOST_OF_TRAIT)}`);
  for (const [name] of parameters) traits.add(`with a ${name}`);
  for (const field of readFields(exchange)) traits.add(field);
  for (const [at, value] of readFacts(body)) {
    traits.add(`with \`${at}\` ${cutText(value, MOST_OF_TRAIT)}`);
    traits.add(`with \`${at}\``);
  }
  return traits;
}

function readFields({ request: { headers } }: ExchangeResult): Set<string> {
  const all = Object.entries(headers);
  const told = 'cookie origin x-forwarded-for accept-language accept-charset accept content-type user-agent'
    .split(' ')
    .flatMap((telling) => all.filter(([name]) => name.toLowerCase() === telling));
  return new Set(told.map(([name, value]) => `with ${name}=${cutText(value, MOST_OF_TRAIT)}`));
}

function describeLacked(failed: readonly ExchangeResult[], served: readonly ExchangeResult[]): string | undefined {
  const namesOf = ({ request: { path, body } }: ExchangeResult): string[] => [
    ...new URLSearchParams(path.split('?')[1]).keys(),
    ...readFacts(body).keys(),
  ];
  const [first, ...others] = served.map((each) => new Set(namesOf(each)));
  const had = new Set(failed.flatMap(namesOf));
  const lacked = [...(first ?? [])].find((at) => others.every((each) => each.has(at)) && !had.has(at));
  return lacked === undefined ? undefined : `without \`${lacked}\``;
}

function readFacts(body: string | undefined): Map<string, string> {
  const read = parseJson(body ?? '');
  const facts = new Map<string, string>();
  const collect = (value: unknown, at: string): void => {
    if (at !== '') facts.set(at, printJson(value));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, each] of Object.entries(value)) collect(each, at === '' ? name : `${at}/${name}`);
  };
  if (read.ok) collect(read.value, '');
  return facts;
}

const MOST_BROKEN = 4;

/** What the requests break, by the first thing of each: `` `name` null and 5, which the contract does not allow``, or ''. */
export function describeBroken(failures: readonly Failure[], { isShort = false } = {}): string {
  const { broken, field, names } = readBroken(failures);
  if (names.length === 0) return '';
  const list = joinSome(names, MOST_BROKEN);
  const named = field === '' ? list : `\`${field}\` ${list}`;
  if (isShort) return named;
  const rules = new Set(broken.map(({ expected = '' }) => expected));
  const [rule = ''] = rules;
  return rule !== '' && rules.size === 1 && field !== ''
    ? `${named}, though it must be ${cutText(rule, 70)}`
    : `${named}, which the contract does not allow`;
}

export function listFurtherBroken(failures: readonly Failure[]): { named: string; failure: Failure }[] {
  const { broken, field, names } = readBroken(failures);
  if (names.length - MOST_BROKEN <= 1) return [];
  return broken
    .filter(({ name }) => names.indexOf(name) >= MOST_BROKEN)
    .map(({ name, failure }) => ({ named: field === '' ? name : `\`${field}\` ${name}`, failure }));
}

function readBroken(failures: readonly Failure[]) {
  const all = failures.flatMap((failure) => {
    const [first] = failure.exchange.request.breaks ?? [];
    return first === undefined ? [] : { failure, first };
  });
  const fields = new Set(all.map(({ first }) => (describePresence(first) === undefined ? pointTo(first) : '')));
  const [field = ''] = fields.size === 1 ? fields : [];
  const broken = all.map(({ failure, first }) => {
    return { failure, name: nameBroken(first, field === '' ? pointTo(first) : ''), expected: first.expected };
  });
  return { broken, field, names: [...new Set(broken.map(({ name }) => name))] };
}

function nameBroken(broken: BrokenOnPurpose, field: string): string {
  const { at, rule, actual } = broken;
  const presence = describePresence(broken);
  if (presence !== undefined) return presence;
  const type = typeOf(actual).replace('text', 'a text');
  if (pointTo(broken) === '') return rule === 'json' ? actual : `${type} as a body`;
  // If a value has the right type, the value says what is wrong with it; otherwise its type. What a query has is text.
  const isShown = actual.length <= 30 && (rule !== 'type' || !at.startsWith('body'));
  const wrong = TOO_LONG[rule] === undefined ? typeOf(actual) : `${type} ${TOO_LONG[rule]}`;
  const value = isShown || /^(?:null|true|false)$/.test(actual) ? actual : `as ${wrong}`;
  return field === '' ? value : `\`${field}\` ${value}`;
}

const pointTo = ({ at }: BrokenOnPurpose): string => at.split('/').slice(1).join('/');

function describePresence(broken: BrokenOnPurpose): string | undefined {
  const whole = broken.at.startsWith('body') ? 'body' : 'request';
  if (broken.rule === 'required') return `a ${whole} without \`${pointTo(broken)}\``;
  return broken.rule.endsWith('Properties') ? `a ${whole} with \`${pointTo(broken)}\`` : undefined;
}

const TOO_LONG: Readonly<Record<string, string>> = {
  maxLength: 'that is too long',
  minLength: 'that is too short',
  maxItems: 'that is too long',
  minItems: 'that is too short',
  pattern: 'that does not match its pattern',
  uniqueItems: 'with equal items',
};
