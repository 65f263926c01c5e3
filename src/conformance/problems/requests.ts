import { cutText, parseJson, printJson } from '../../contract/document/json.js';
import type { ExchangeResult, ScenarioResult } from '../model/result.js';
import type { BrokenOnPurpose } from '../model/exchange.js';
import { type FailureKind, asksForAbsent, isBelowRemoved, isStatus, typeOf, wants, type Failure } from './failure.js';

const LEAST = 3;
const MOST_OF_VALUE = 40;

/**
 * ` with limit=100`, if all requests that failed have that and all that the operation answered well have not, at least three of each;
 * else ` for 17 of 1984 requests`; empty where all failed. What the scenarios ask for is said as it is: ` for a record that does not
 * exist`.
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

/** ` with Accept-Language=fr`, if all requests that failed have that header field and no other has; else empty. */
export function describeClient(failures: readonly Failure[], scenarios: readonly ScenarioResult[]): string {
  const { failed, served } = compare(failures, scenarios);
  const common = Math.min(failed.length, served.length) < LEAST ? undefined : findCommon(failed, served, readFields);
  return common === undefined ? '' : ` ${common}`;
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
 * ` for the key 2147483648, and returns 404 for 1999999973`, of requests for what is not there: which keys were sent where an
 * operation failed, and one where it did not. Empty where it failed at all of them, and where other requests failed.
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
  const compared = failures.map(({ exchange }) => {
    const own = pathOf(exchange).split('/');
    for (const each of served) {
      const other = pathOf(each).split('/');
      const apart = own.flatMap((part, index) => (part === other[index] ? [] : [index]));
      const [at] = apart;
      if (each.operationId !== exchange.operationId || other.length !== own.length) continue;
      if (apart.length === 1 && at !== undefined)
        return { key: readKey(own[at]), at: readKey(other[at]), status: String(each.response?.status) };
    }
    return undefined;
  });
  const [first] = compared;
  if (first === undefined || compared.includes(undefined)) return '';
  const keys = [...new Set(compared.map((each) => each?.key))];
  const shown = keys.length > MOST_KEYS + 1 ? [...keys.slice(0, MOST_KEYS), `${keys.length - MOST_KEYS} more`] : keys;
  const list = [shown.slice(0, -1).join(', '), shown.at(-1)].filter((each) => each !== '').join(' and ');
  const verb = new Set(failures.map(({ exchange }) => exchange.operationId)).size > 1 ? 'return' : 'returns';
  return ` for the ${keys.length > 1 ? 'keys' : 'key'} ${list}, and ${verb} ${first.status} for ${first.at}`;
}

function readKey(segment = ''): string {
  try {
    return cutText(decodeURIComponent(segment), MOST_OF_VALUE);
  } catch {
    return cutText(segment, MOST_OF_VALUE);
  }
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
  for (const [name, value] of parameters) traits.add(`with ${name}=${cutText(value, MOST_OF_VALUE)}`);
  for (const [name] of parameters) traits.add(`with a ${name}`);
  for (const field of readFields(exchange)) traits.add(field);
  for (const [at, value] of readFacts(body)) {
    traits.add(`with \`${at}\` ${cutText(value, MOST_OF_VALUE)}`);
    traits.add(`with \`${at}\``);
  }
  return traits;
}

function readFields({ request: { headers } }: ExchangeResult): Set<string> {
  const all = Object.entries(headers);
  const told = 'cookie origin x-forwarded-for accept-language accept-charset accept content-type user-agent'
    .split(' ')
    .flatMap((telling) => all.filter(([name]) => name.toLowerCase() === telling));
  return new Set(told.map(([name, value]) => `with ${name}=${cutText(value, MOST_OF_VALUE)}`));
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

/**
 * What the requests break on purpose, by the first thing of each: `` `name` null and 5, which the contract does not allow``; empty for
 * requests that break nothing. Without what the contract says instead if it `isShort`.
 */
export function describeBroken(failures: readonly Failure[], { isShort = false } = {}): string {
  const { broken, field, names } = readBroken(failures);
  if (names.length === 0) return '';
  const rest = names.length - MOST_BROKEN;
  const shown = rest > 1 ? [...names.slice(0, MOST_BROKEN), `${rest} more`] : names;
  const list = `${shown.slice(0, -1).join(', ')}${shown.length > 1 ? ' and ' : ''}${shown.at(-1)}`;
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
