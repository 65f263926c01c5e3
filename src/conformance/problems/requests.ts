// What the requests of a problem are: what they have in common, and what they break on purpose.
import { cutText, parseJson, printJson } from '../../contract/document/json.js';
import type { ExchangeResult, ScenarioResult } from '../model/result.js';
import type { BrokenOnPurpose } from '../model/sent-request.js';
import type { FailureKind } from './kinds.js';
import { asksForAbsent, isBelowRemoved, isStatus, typeOf, wants, type Failure } from './failure.js';

/** As many requests must fail with it, and as many be served without it. */
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
  const failed = [...new Set(failures.map(({ exchange }) => exchange))];
  const operations = new Set(failed.map(({ operationId }) => operationId));
  const classOf = ({ request }: ExchangeResult): string =>
    `${request.auth} ${request.breaks !== undefined} ${request.asksUnknown === true}`;
  const classes = new Set(failed.map(classOf));
  const like = scenarios
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter((each) => operations.has(each.operationId) && classes.has(classOf(each)) && each.shared !== true);
  const [{ kind }] = failures as readonly [Failure, ...Failure[]];
  const well = WELL[kind] ?? ['1XX', '2XX', '3XX', '4XX'];
  const failing = new Set(failed);
  const statuses = new Set(kind === 'unanswered' ? [] : failed.map(({ response }) => response?.status));
  const served = like.filter(
    (each) =>
      !failing.has(each) &&
      !statuses.has(each.response?.status) &&
      isStatus(each.response?.status, ...well) &&
      each.findings.every(({ at }) => at !== 'status'),
  );
  if (served.length === 0) return '';
  if (failed.length >= LEAST && served.length >= LEAST) {
    const others = new Set(served.flatMap((each) => [...readTraits(each)]));
    const [first, ...more] = failed.map(readTraits);
    const common = [...(first ?? [])].find((trait) => more.every((traits) => traits.has(trait)) && !others.has(trait));
    const lacked = listLacked(failed, served);
    const condition = common ?? lacked;
    if (condition !== undefined) return ` ${condition}`;
  }
  return ` for ${failed.length} of ${failed.length + served.length} requests`;
}

/** Beside a success with a wrong status, what shows that the right one is known is another success. */
const WELL: Readonly<Partial<Record<FailureKind, readonly string[]>>> = {
  'success-status': ['2XX', '3XX'],
  'refusal-status': ['4XX'],
  refused: ['2XX'],
};

/** What all of them ask for on purpose. */
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

/** Whether the scenario has sent the very same before, and was served. */
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

/** What a request has that may be why it fails, in the order in which they are named. */
function readTraits({ request: { path, headers, body, credentials = [] } }: ExchangeResult): Set<string> {
  const [way = '', query = ''] = path.split('?');
  const traits = new Set<string>();
  const key = decodeSafely(way.split('/').at(-1) ?? '');
  if (/^-?\d+$/.test(key)) {
    if (Number(key) > 9.3e18) traits.add('for a key past int64');
    if (key.startsWith('-')) traits.add('for a negative key');
    if (Number(key) > Number.MAX_SAFE_INTEGER) traits.add('for a key past 2^53');
    if (key === '0') traits.add('for the key 0');
  }
  if (ESCAPED.test(way)) traits.add('for a path with a percent escape of a letter or digit');
  if (ESCAPED.test(query)) traits.add('with a percent escape of a letter or digit in the query');
  const keys = credentials.filter(({ kind }) => kind === 'query').map(({ at }) => at);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !keys.includes(name));
  for (const [name, value] of parameters) traits.add(`with ${name}=${cut(value)}`);
  for (const [name] of parameters) traits.add(`with a ${name}`);
  for (const [name, value] of Object.entries(headers))
    if (TELLING.has(name.toLowerCase())) traits.add(`with ${name}=${cut(value)}`);
  for (const [at, value] of readFacts(body)) {
    traits.add(`with \`${at}\` ${cut(value)}`);
    traits.add(`with \`${at}\``);
  }
  return traits;
}

/** The percent escape of a letter or a digit, which need not be written so (RFC 3986 section 2.3). */
const ESCAPED = /%(?:3\d|4[1-9a-f]|5[\da]|6[1-9a-f]|7[\da])/i;
const TELLING: ReadonlySet<string> = new Set(['accept', 'content-type']);

/** A field of the body, or a parameter, that all requests that were served have, and none that failed. */
function listLacked(failed: readonly ExchangeResult[], served: readonly ExchangeResult[]): string | undefined {
  const namesOf = ({ request: { path, body } }: ExchangeResult): string[] => [
    ...new URLSearchParams(path.split('?')[1]).keys(),
    ...readFacts(body).keys(),
  ];
  const [first, ...others] = served.map((each) => new Set(namesOf(each)));
  const had = new Set(failed.flatMap(namesOf));
  const lacked = [...(first ?? [])].find((at) => others.every((each) => each.has(at)) && !had.has(at));
  return lacked === undefined ? undefined : `without \`${lacked}\``;
}

/** The values of a body, as JSON, by their places. */
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

function cut(value: string): string {
  return cutText(value, MOST_OF_VALUE);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MOST_BROKEN = 4;
const MOST_OF_BROKEN = 30;
const MOST_OF_RULE = 70;

/**
 * What the requests break on purpose, by the first thing of each: `` `name` null and 5, which the contract does not allow``; empty for
 * requests that break nothing. Without what the contract says instead if it `isShort`.
 */
export function describeBroken(failures: readonly Failure[], { isShort = false } = {}): string {
  const { named: all, field, isOfOne } = nameAllBroken(failures);
  if (all.length === 0) return '';
  const names = [...new Set(all.map(({ name }) => name))];
  const rest = names.length - MOST_BROKEN;
  const shown = rest > 1 ? [...names.slice(0, MOST_BROKEN), `${rest} more`] : names;
  const named = `${isOfOne ? `\`${field}\` ` : ''}${shown.slice(0, -1).join(', ')}${shown.length > 1 ? ' and ' : ''}${shown.at(-1)}`;
  if (isShort) return named;
  const rules = new Set(all.map(({ broken: each }) => (fieldOf(each) === '' ? '' : (each.expected ?? ''))));
  const [rule = ''] = rules;
  return rule !== '' && rules.size === 1 && isOfOne
    ? `${named}, though it must be ${cutText(rule, MOST_OF_RULE)}`
    : `${named}, which the contract does not allow`;
}

/** What {@link describeBroken} only counts, with the failure that shows it. */
export function listFurtherBroken(failures: readonly Failure[]): { named: string; failure: Failure }[] {
  const { named, isOfOne, field } = nameAllBroken(failures);
  const names = [...new Set(named.map(({ name }) => name))];
  if (names.length - MOST_BROKEN <= 1) return [];
  return named
    .filter(({ name }) => names.indexOf(name) >= MOST_BROKEN)
    .map(({ name, failure }) => ({ named: isOfOne ? `\`${field}\` ${name}` : name, failure }));
}

interface NamedBroken {
  named: { name: string; broken: BrokenOnPurpose; failure: Failure }[];
  field: string;
  /** Whether all of them break one field, which is named once. */
  isOfOne: boolean;
}

function nameAllBroken(failures: readonly Failure[]): NamedBroken {
  const all = failures.flatMap((failure) =>
    (failure.exchange.request.breaks ?? []).slice(0, 1).map((broken) => ({ broken, failure })),
  );
  const fields = new Set(all.map(({ broken }) => fieldOf(broken)));
  const [field = ''] = fields;
  const isOfOne = fields.size === 1 && field !== '';
  const named = all.map(({ broken, failure }) => {
    const name = nameBroken(broken, isOfOne ? '' : fieldOf(broken));
    return { name, broken, failure };
  });
  return { named, field, isOfOne };
}

function fieldOf(broken: BrokenOnPurpose): string {
  return describePresence(broken) === undefined ? pointTo(broken) : '';
}

function nameBroken(broken: BrokenOnPurpose, field: string): string {
  const { at, rule, actual } = broken;
  const presence = describePresence(broken);
  if (presence !== undefined) return presence;
  if (pointTo(broken) === '') return rule === 'json' ? actual : `${typeOf(actual).replace('text', 'a text')} as a body`;
  // If a value has the right type, the value says what is wrong with it; otherwise its type. What a query has is text.
  const isShown = actual.length <= MOST_OF_BROKEN && (rule !== 'type' || !at.startsWith('body'));
  const type =
    TOO_LONG[rule] === undefined ? typeOf(actual) : `${typeOf(actual).replace('text', 'a text')} ${TOO_LONG[rule]}`;
  const value = isShown || /^(?:null|true|false)$/.test(actual) ? actual : `as ${type}`;
  return field === '' ? value : `\`${field}\` ${value}`;
}

function pointTo({ at }: BrokenOnPurpose): string {
  return at.split('/').slice(1).join('/');
}

/** A field is missing, or should be. */
function describePresence(broken: BrokenOnPurpose): string | undefined {
  const whole = broken.at.startsWith('body') ? 'body' : 'request';
  if (broken.rule === 'required') return `a ${whole} without \`${pointTo(broken)}\``;
  return broken.rule.endsWith('Properties') ? `a ${whole} with \`${pointTo(broken)}\`` : undefined;
}

/** What is wrong with a value of the right type that is too long to be shown. */
const TOO_LONG: Readonly<Record<string, string>> = {
  maxLength: 'that is too long',
  minLength: 'that is too short',
  maxItems: 'that is too long',
  minItems: 'that is too short',
  pattern: 'that does not match its pattern',
  uniqueItems: 'with equal items',
};
