// What of all failures is one problem, and what belongs to another problem because of where it comes from. Nothing is dropped: each
// problem lists what it subsumes.
import { groupBy } from '../../contract/document/plain.js';
import { isWithin } from '../../contract/operations/match.js';
import type { ExchangeResult } from '../model/result.js';
import { isStatus, namesIn, printFingerprint, resourceOf, star, valueOf, type Failure } from './failure.js';
import { KINDS, type FailureKind } from './kinds.js';

/** Failures of one fingerprint, or of several that are one, and those that they subsume. */
export interface Group {
  failures: Failure[];
  subsumed: Failure[];
}

export function groupFailures(failures: readonly Failure[]): Group[] {
  const causes = findCauses(failures);
  const groups = new Map<string, Group>();
  const own = failures.filter((each) => !causes.has(each));
  for (const each of own) {
    const key = printFingerprint(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { failures: [each], subsumed: [] });
    else group.failures.push(each);
  }
  const merged = mergeOfService(mergeFields([...groups.values()]));
  const of = new Map(merged.flatMap((group) => group.failures.map((each) => [each, group] as const)));
  for (const [effect, cause] of causes) of.get(cause)?.subsumed.push(effect);
  return merged;
}

/** How much of a message depends on it: a failure subsumes deeper ones of the same exchange. */
const DEPTH: Readonly<Partial<Record<FailureKind, number>>> = {
  unanswered: 0,
  crash: 0,
  'error-as-success': 1,
  'key-accepted': 1,
  'scope-accepted': 1,
  accepted: 1,
  'key-status': 1,
  'key-refused': 1,
  'success-status': 1,
  'refusal-status': 1,
  refused: 1,
  'not-json': 2,
  'no-body': 3,
  'body-type': 4,
  'wrong-record': 4,
  envelope: 4,
  'stored-rejected': 4,
  'missing-fields': 5,
  'field-value': 5,
  'undefined-field': 5,
};
const DEEPEST = 6;
const depthOf = ({ kind }: Failure): number => DEPTH[kind] ?? DEEPEST;

/** What does not depend on the status or the body. */
const APART: ReadonlySet<FailureKind> = new Set(['key-echo', 'write-only', 'envelope', 'other', 'flaky']);

/** What a body lacks that is no JSON, or is of another type as a whole. */
const OF_FORM: ReadonlySet<FailureKind> = new Set(['content-type', 'no-body', 'error-shape', 'body-type']);

/** The failure that subsumes each failure that is subsumed. */
function findCauses(failures: readonly Failure[]): Map<Failure, Failure> {
  const ofExchange = groupBy(failures, ({ exchange }) => exchange);
  const written = failures.filter(isWrongWrite);
  const passed = failures.filter(({ kind }) => kind === 'key-accepted');
  const shownIn = groupBy(
    failures.filter(({ kind }) => kind === 'field-value' || kind === 'key-twice'),
    ({ scenario }) => scenario,
  );
  const ofScenario = groupBy(written, ({ scenario }) => scenario);
  const causes = new Map<Failure, Failure>();
  for (const each of failures) {
    const cause =
      ofExchange.get(each.exchange)?.find((other) => isDeeper(each, other)) ??
      ofScenario.get(each.scenario)?.find((other) => isOfWrittenRecord(each, other)) ??
      shownIn.get(each.scenario)?.find((other) => isOfShownValue(each, other)) ??
      written.find((other) => isOfSentValue(each, other)) ??
      passed.find((other) => isPastKey(each, other));
    if (cause !== undefined) causes.set(each, cause);
  }
  // A chain ends at what nothing subsumes.
  for (const [effect, cause] of causes) {
    let root = cause;
    const seen = new Set([effect]);
    while (causes.has(root) && !seen.has(root)) {
      seen.add(root);
      root = causes.get(root) as Failure;
    }
    causes.set(effect, root);
  }
  return causes;
}

/** Rule 1: what depends on a part of the response that is wrong as a whole: no JSON, another status, an item of another type. */
function isDeeper(effect: Failure, cause: Failure): boolean {
  const [depth, above] = [depthOf(effect), depthOf(cause)];
  if (above >= depth || APART.has(effect.kind)) return false;
  if (cause.kind === 'success-status') return isStatus(cause.status, '204', '205', '3XX');
  // A body that is no JSON was read as it was meant; what is wrong with its values is so besides.
  if (cause.kind === 'not-json') return OF_FORM.has(effect.kind);
  // Of a body that was cut short, what came was read.
  if (cause.kind === 'unanswered' && cause.exchange.response !== undefined)
    return OF_FORM.has(effect.kind) || effect.kind === 'not-json';
  if (above < 4) return true;
  if (effect.kind === 'header' || effect.kind === 'content-type') return false;
  // What is wrong within an envelope is so without it.
  if (cause.kind === 'envelope') return effect.finding.actual === 'absent';
  // A record that should not be there is wrong as it was when it was rejected. Of several, the first has its place in the finding.
  if (cause.kind === 'stored-rejected') {
    const { at: place, more = 0 } = cause.finding;
    const record = place.slice(0, Math.max(0, place.lastIndexOf('/')));
    const shown = effect.finding.at;
    return record !== '' && (more === 0 ? isWithin(record, shown) : isWithin(star(record), star(shown)));
  }
  // Of another record, every field is another.
  if (cause.kind === 'wrong-record') return effect.kind === 'not-as-sent';
  // Of many items, each failure shows the first ones; but an item that is no record says nothing of those beside it.
  const at =
    cause.kind === 'body-type'
      ? (each: Failure): string => each.finding.at
      : (each: Failure): string => star(each.finding.at);
  const [place, around] = [at(effect), at(cause)];
  if (around === 'body' || isWithin(around, place)) return true;
  if (!isWithin(place, around)) return false;
  // A wrong `tags/0` makes `tags` another. Of a whole list it says only what is read from it: its keys, and what it is filtered by.
  const [field] = namesIn(cause.finding.at);
  const { key, filter } = effect.scenario.about ?? {};
  return namesIn(effect.finding.at).length > 0 || field === undefined || field === key || field === filter;
}

/** A write that was carried out, or begun, though it should have been rejected. */
function isWrongWrite({ kind, exchange }: Failure): boolean {
  return exchange.request.method !== 'GET' && WRONG_WRITES.has(kind);
}
const WRONG_WRITES: ReadonlySet<FailureKind> = new Set([
  'accepted',
  'key-accepted',
  'scope-accepted',
  'crash',
  'leaked',
]);

/** Rule 2: a record that the scenario has written before, by a request that failed. */
function isOfWrittenRecord({ exchange, before, kind }: Failure, cause: Failure): boolean {
  if (!before.includes(cause.exchange) || kind === 'key-accepted' || kind === 'accepted') return false;
  const [path, written] = [exchange, cause.exchange].map(pathOf) as [string, string];
  return path === written || path.startsWith(`${written}/`) || written.startsWith(`${path}/`);
}

function pathOf({ request }: ExchangeResult): string {
  return request.path.split('?')[0] ?? '';
}

/** Rule 2: a value was expected, or a key asked for, since an earlier response had it, which was wrong there. */
function isOfShownValue({ before, finding }: Failure, cause: Failure): boolean {
  if (cause.kind === 'key-twice') return before.includes(cause.exchange);
  const isOfField = namesIn(finding.at).at(-1) === namesIn(cause.finding.at).at(-1);
  return isOfField && before.includes(cause.exchange) && valueOf(finding) === cause.finding.actual;
}

/** Rule 2: a value that a request sent, which should have been rejected for that very value. */
function isOfSentValue({ exchange, finding, scenario }: Failure, cause: Failure): boolean {
  if (cause.exchange === exchange || (cause.exchange.startedAt ?? '') > (exchange.startedAt ?? '')) return false;
  if (resourceOf(cause.scenario) !== resourceOf(scenario)) return false;
  const place = namesIn(finding.at);
  return (cause.exchange.request.breaks ?? []).some(({ at, rule, actual }) => {
    const sent = namesIn(at);
    if (sent.length === 0 || place.length === 0) return false;
    const isThere = sent.slice(-place.length).join('/') === place.slice(-sent.length).join('/');
    return (
      isThere && (rule === 'required' ? finding.rule === rule : [finding.actual, valueOf(finding)].includes(actual))
    );
  });
}

/** Rule 2: a key that another request showed and that was accepted meets what every request meets: no such record, an invalid body. */
function isPastKey({ kind, exchange: { request, operationId } }: Failure, { exchange: cause }: Failure): boolean {
  if (kind !== 'key-status' || (request.breaks === undefined && request.asksUnknown !== true)) return false;
  return cause.request.auth === request.auth || cause.operationId === operationId;
}

/** Kinds of which several fields are one problem, where the same responses or operations show them. */
const OF_FIELDS: ReadonlySet<FailureKind> = new Set([
  'missing-fields',
  'field-value',
  'undefined-field',
  'header',
  'not-as-sent',
  'changed',
]);

/** What fails alike in several fields of the same responses, or operations, is one problem; so are requests that several operations accept for the same fields. */
function mergeFields(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const same = merged.find((each) => isAlike(each, group));
    if (same === undefined) merged.push(group);
    else same.failures.push(...group.failures);
  }
  return merged;
}

function isAlike(one: Group, other: Group): boolean {
  const [first, second] = [one.failures[0] as Failure, other.failures[0] as Failure];
  if (first.kind !== second.kind || first.detail !== second.detail) return false;
  if (first.kind === 'accepted') {
    const [fields, others] = [one, other].map(listBroken) as [Set<string>, Set<string>];
    const isOfOne =
      new Set([...one.failures, ...other.failures].map(({ scenario }) => resourceOf(scenario))).size === 1;
    return isOfOne && fields.size > 0 && others.size > 0 && areNested(fields, others);
  }
  if (!OF_FIELDS.has(first.kind)) return false;
  const [exchanges, others] = [one, other].map(({ failures }) => new Set(failures.map(({ exchange }) => exchange)));
  // An update that changes nothing shows in each field that a request of its own changes.
  const isOfSame = nameOperations(one.failures) === nameOperations(other.failures);
  return isOfSame || areNested(exchanges ?? new Set(), others ?? new Set());
}

function nameOperations(failures: readonly Failure[]): string {
  return [...new Set(failures.map(({ exchange }) => exchange.operationId ?? ''))].toSorted().join(' ');
}

/** What the requests of a group break on purpose. */
function listBroken({ failures }: Group): Set<string> {
  return new Set(failures.flatMap(({ exchange }) => (exchange.request.breaks ?? []).slice(0, 1).map(({ at }) => at)));
}

/** Rule 3: the same kind at three operations or more is one problem of the service. */
const LEAST_OF_SERVICE = 3;

function mergeOfService(groups: readonly Group[]): Group[] {
  const alike = groupBy(groups, ({ failures: [first] }) => {
    // What each operation accepts of invalid requests is a rule of its own.
    if (first === undefined || (first.kind === 'accepted' && first.exchange.request.breaks !== undefined)) return {};
    return JSON.stringify([first.kind, first.fields, first.detail.replace(/ ?(?:error|success)$/, '')]);
  });
  return [...alike.values()].flatMap((same) => {
    const operations = new Set(same.flatMap(({ failures }) => failures.map(({ exchange }) => exchange.operationId)));
    if (same.length === 1 || operations.size < LEAST_OF_SERVICE) return same;
    return [{ failures: same.flatMap(({ failures }) => failures), subsumed: [] }];
  });
}

/** The most important first: by severity, then by how much they subsume, then by how many responses show them. */
export function compareGroups(one: Group, other: Group): number {
  return (
    severityOf(one) - severityOf(other) ||
    countElsewhere(other) - countElsewhere(one) ||
    other.failures.length - one.failures.length
  );
}

function severityOf({ failures: [first] }: Group): number {
  return first === undefined ? 0 : KINDS[first.kind].severity;
}

/** How many it subsumes in responses that do not show it themselves. */
function countElsewhere({ failures, subsumed }: Group): number {
  const own = new Set(failures.map(({ exchange }) => exchange));
  return subsumed.filter(({ exchange }) => !own.has(exchange)).length;
}

/** Whether one has all of the other. */
function areNested(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return [...few].every((each) => many.has(each));
}
