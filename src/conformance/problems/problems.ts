import { groupBy } from '../../contract/document/plain.js';
import { createHash } from 'node:crypto';
import { isWithin } from '../../contract/operations/match.js';
import { showDifference, spellValue } from '../checks/check.js';
import type { Problem, ScenarioResult } from '../model/result.js';
import {
  listFailures,
  printFingerprint,
  showsWrongKey,
  star,
  KINDS,
  isStatus,
  namesIn,
  resourceOf,
  valueOf,
} from './failure.js';
import type { Failure, FailureKind } from './failure.js';
import { listOperations, nameOperations, writeHeadline, listFurtherBroken } from './headline.js';

export type ExplainedProblem = { problem: Problem; failures: readonly Failure[] };

/** What is wrong with the target, the most important first. Problems that the baseline accepts are kept apart. */
export function findProblems(run: { scenarios: readonly ScenarioResult[] }): Problem[] {
  return explainProblems(run).map(({ problem }) => problem);
}

export function explainProblems({ scenarios }: { scenarios: readonly ScenarioResult[] }): ExplainedProblem[] {
  const byReason = groupBy(listFailures(scenarios), ({ finding: { baseline } }) =>
    baseline?.state === 'known' ? baseline.reason : undefined,
  );
  return [...byReason.values()].flatMap((failures) =>
    groupFailures(failures)
      .toSorted(compareGroups)
      .map((group) => ({
        problem: describeProblem(group, scenarios),
        failures: [...group.failures, ...group.subsumed],
      })),
  );
}

export function countProblems(problems: readonly Problem[]): number {
  return problems.filter(({ baseline }) => baseline?.state !== 'known').length;
}

function describeProblem(group: Group, scenarios: readonly ScenarioResult[]): Problem {
  const shown = pickShown(group);
  const { finding } = shown;
  const all = [...group.failures, ...group.subsumed];
  const example = showDifference(finding.expected, finding.actual);
  const hides = describeHidden(all);
  const also = listAlso(group, shown);
  const { check, rule, at, expected, actual } = finding;
  const [operation, ...others] = listOperations(group.failures);
  const isOfOne = KINDS[shown.kind].scope === 'operation' && operation !== undefined && others.length === 0;
  const ofStatus = at === 'status' ? { expected, actual } : {};
  return {
    id: identify(group.failures[0] as Failure),
    headline: writeHeadline([shown, ...group.failures], scenarios),
    cause: { check, rule, place: star(at), ...(isOfOne ? { operation } : {}), ...ofStatus },
    operations: listOperations(all),
    answers: listExchanges({ failures: all }).size,
    scenarios: [...new Set([shown, ...all].map(({ scenario }) => scenario.id))],
    shown: shown.place,
    expected: spellValue(example.expected),
    actual: spellValue(example.actual),
    ...(finding.contract === undefined ? {} : { contract: finding.contract }),
    ...(hides === undefined ? {} : { hides }),
    ...(also.length === 0 ? {} : { also }),
    ...(finding.baseline === undefined ? {} : { baseline: finding.baseline }),
  };
}

function listAlso({ failures, subsumed }: Group, shown: Failure): NonNullable<Problem['also']> {
  const told = new Set([shown, failures[0] as Failure].map(printFingerprint));
  const byFingerprint = groupBy([...failures, ...subsumed], printFingerprint);
  for (const each of told) byFingerprint.delete(each);
  // What each of these requests breaks says nothing of what their errors have in common.
  const further = shown.kind === 'error-leak' ? [] : listFurtherBroken([shown, ...failures]);
  const accepted = [...new Set(further.map(({ named }) => named))].join(', ');
  const others = [...byFingerprint.values()].map((same) => {
    const [first] = same as [Failure];
    const named = first.fields.map((field) => ` \`${field}\``).join(',');
    const what = `${KINDS[first.kind].checked}${named} of ${nameOperations(same)}`;
    return { id: identify(first), what, answers: listExchanges({ failures: same }).size };
  });
  if (accepted === '') return others;
  const what = `${KINDS[shown.kind].checked}: ${accepted}`;
  const { size: answers } = listExchanges({ failures: further.map(({ failure }) => failure) });
  return [{ id: identify(shown), what, answers }, ...others];
}

function identify(failure: Failure): string {
  return createHash('sha256').update(printFingerprint(failure)).digest('hex').slice(0, 16);
}

function describeHidden(failures: readonly Failure[]): string | undefined {
  const blocked = failures.filter(({ scenario, place }) => scenario.blockedAt === place.step);
  const titles = new Map(blocked.map(({ scenario }) => [scenario.id, scenario.title]));
  const [title] = titles.values();
  if (title === undefined) return undefined;
  const others = titles.size - 1;
  const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'scenario' : 'scenarios'} more`;
  return `because of this, "${title}"${more} could not be completed`;
}

function pickShown({ failures }: Group): Failure {
  const weigh = (each: Failure): number => {
    const isAbout = each.kind.startsWith('key-') === showsWrongKey(each.exchange.request.auth);
    return closeness(each) + (isAbout ? 2 : 0);
  };
  return failures.reduce((best, each) => (weigh(each) > weigh(best) ? each : best));
}

function closeness({ scenario: { basis }, exchange, finding: { contract, wanted = [] } }: Failure): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  const isOfResponse = [`${exchange.response?.status ?? ''}`, ...wanted].some((status) =>
    restsOn.endsWith(`/${exchange.request.method.toLowerCase()}/responses/${status}`),
  );
  return isWithin(restsOn, contract.pointer) || isOfResponse ? 1 : 0;
}

// What of all failures is one problem, and what belongs to another problem because of where it comes from. Nothing is dropped: each
// problem lists what it subsumes.

export type Group = { failures: Failure[]; subsumed: Failure[] };

export function groupFailures(failures: readonly Failure[]): Group[] {
  const causes = findCauses(failures);
  const own = groupBy(
    failures.filter((each) => !causes.has(each)),
    printFingerprint,
  );
  const groups = [...own.values()].map((same) => ({ failures: same, subsumed: [] }));
  const joined: Group[] = [];
  for (const group of groups) {
    const same = joined.find((each) => isAlike(each, group));
    if (same === undefined) joined.push(group);
    else same.failures.push(...group.failures);
  }
  const alike = groupBy(joined, ({ failures: [first] }) => {
    // What each operation accepts of invalid requests is a rule of its own.
    if (first === undefined || (first.kind === 'accepted' && first.exchange.request.breaks !== undefined)) return {};
    return JSON.stringify([first.kind, first.fields, first.detail.replace(/ ?(?:error|success)$/, '')]);
  });
  // Rule 3: the same kind at three operations or more is one problem of the service.
  const merged = [...alike.values()].flatMap((same) => {
    const all = same.flatMap((group) => group.failures);
    const operations = new Set(all.map(({ exchange }) => exchange.operationId));
    return same.length === 1 || operations.size < 3 ? same : [{ failures: all, subsumed: [] }];
  });
  const of = new Map(merged.flatMap((group) => group.failures.map((each) => [each, group] as const)));
  for (const [effect, cause] of causes) of.get(cause)?.subsumed.push(effect);
  return merged;
}

const OF_STATUS: readonly FailureKind[] = ['success-status', 'refusal-status', 'refused', 'error-as-success'];
const OF_KEY: readonly FailureKind[] = ['key-accepted', 'scope-accepted', 'key-status', 'key-refused'];
/** By how much of a response depends on it: a failure subsumes those of later lines in the same exchange. */
const DEPTHS: readonly (readonly FailureKind[])[] = [
  ['unanswered', 'crash'],
  ['accepted', ...OF_STATUS, ...OF_KEY],
  ['not-json'],
  ['no-body'],
  ['body-type', 'wrong-record', 'envelope'],
  ['missing-fields', 'field-value', 'undefined-field'],
];
const DEPTH_OF = new Map(DEPTHS.flatMap((kinds, depth) => kinds.map((kind) => [kind, depth] as const)));

type Kinds = ReadonlySet<FailureKind>;
const APART: Kinds = new Set(['key-echo', 'write-only', 'envelope', 'other', 'flaky']);
const OF_FORM: Kinds = new Set(['content-type', 'no-body', 'error-shape', 'body-type']);

function findCauses(failures: readonly Failure[]): Map<Failure, Failure> {
  const ofExchange = groupBy(failures, ({ exchange }) => exchange);
  const written = failures.filter(({ kind, exchange }) => exchange.request.method !== 'GET' && WRONG_WRITES.has(kind));
  const passed = failures.filter(({ kind }) => kind === 'key-accepted');
  const shown = failures.filter(({ kind }) => kind === 'field-value' || kind === 'key-twice');
  const causes = new Map<Failure, Failure>();
  for (const each of failures) {
    const cause =
      ofExchange.get(each.exchange)?.find((other) => isDeeper(each, other)) ??
      written.find((other) => isOfWrittenRecord(each, other)) ??
      shown.find((other) => isOfShownValue(each, other)) ??
      written.find((other) => isOfSentValue(each, other)) ??
      passed.find((other) => isPastKey(each, other));
    if (cause !== undefined) causes.set(each, cause);
  }
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
  const [depth = DEPTHS.length, above = DEPTHS.length] = [DEPTH_OF.get(effect.kind), DEPTH_OF.get(cause.kind)];
  if (above >= depth || APART.has(effect.kind)) return false;
  if (cause.kind === 'success-status') return isStatus(cause.status, '204', '205', '3XX');
  if (cause.kind === 'not-json') return OF_FORM.has(effect.kind);
  if (cause.kind === 'unanswered' && cause.exchange.response !== undefined)
    return OF_FORM.has(effect.kind) || effect.kind === 'not-json';
  if (above < 4) return true;
  if (effect.kind === 'header' || effect.kind === 'content-type') return false;
  if (cause.kind === 'envelope') return effect.finding.actual === 'absent';
  if (cause.kind === 'wrong-record') return effect.kind === 'not-as-sent';
  // Of many items, each failure shows the first ones; but an item that is no record says nothing of those beside it.
  const isOfOne = cause.kind === 'body-type';
  const [place = '', around = ''] = [effect, cause].map(({ finding: { at } }) => (isOfOne ? at : star(at)));
  if (around === 'body' || isWithin(around, place)) return true;
  if (!isWithin(place, around)) return false;
  // A wrong `tags/0` makes `tags` another. Of a whole list it says only what is read from it: its keys, and what it is filtered by.
  const [field] = namesIn(cause.finding.at);
  const { key, filter } = effect.scenario.about ?? {};
  return namesIn(effect.finding.at).length > 0 || field === undefined || field === key || field === filter;
}

const WRONG_WRITES: Kinds = new Set(['accepted', 'key-accepted', 'scope-accepted', 'crash', 'leaked']);

/** Rule 2: a record that the scenario has written before, by a request that failed. */
function isOfWrittenRecord({ exchange, before, kind }: Failure, cause: Failure): boolean {
  if (!before.includes(cause.exchange) || kind === 'key-accepted' || kind === 'accepted') return false;
  const [path = '', written = ''] = [exchange, cause.exchange].map(({ request }) => request.path.split('?')[0] ?? '');
  return path === written || path.startsWith(`${written}/`) || written.startsWith(`${path}/`);
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
    if (sent.slice(-place.length).join('/') !== place.slice(-sent.length).join('/')) return false;
    return rule === 'required' ? finding.rule === rule : [finding.actual, valueOf(finding)].includes(actual);
  });
}

/** Rule 2: a key that another request showed and that was accepted meets what every request meets: no such record, an invalid body. */
function isPastKey({ kind, exchange: { request, operationId } }: Failure, { exchange: cause }: Failure): boolean {
  if (kind !== 'key-status' || (request.breaks === undefined && request.asksUnknown !== true)) return false;
  return cause.request.auth === request.auth || cause.operationId === operationId;
}

const OF_FIELDS: Kinds = new Set([
  'missing-fields',
  'field-value',
  'undefined-field',
  'header',
  'not-as-sent',
  'changed',
]);

function isAlike(one: Group, other: Group): boolean {
  const [first, second] = [one.failures[0] as Failure, other.failures[0] as Failure];
  if (first.kind !== second.kind || first.detail !== second.detail) return false;
  if (first.kind === 'accepted') {
    const brokenOf = ({ failures }: Group) =>
      new Set(failures.flatMap(({ exchange: { request } }) => request.breaks?.[0]?.at ?? []));
    const [fields, others] = [brokenOf(one), brokenOf(other)];
    const resources = new Set([...one.failures, ...other.failures].map(({ scenario }) => resourceOf(scenario)));
    return resources.size === 1 && fields.size > 0 && others.size > 0 && areNested(fields, others);
  }
  if (!OF_FIELDS.has(first.kind)) return false;
  // An update that changes nothing shows in each field that a request of its own changes.
  const nameAll = ({ failures }: Group): string => listOperations(failures).toSorted().join(' ');
  return nameAll(one) === nameAll(other) || areNested(listExchanges(one), listExchanges(other));
}

function listExchanges({ failures }: Pick<Group, 'failures'>): Set<unknown> {
  return new Set(failures.map(({ exchange }) => exchange));
}

export function compareGroups(one: Group, other: Group): number {
  const severityOf = ({ failures: [first] }: Group): number => (first === undefined ? 0 : KINDS[first.kind].severity);
  return (
    severityOf(one) - severityOf(other) ||
    countElsewhere(other) - countElsewhere(one) ||
    other.failures.length - one.failures.length
  );
}

function countElsewhere(group: Group): number {
  const own = listExchanges(group);
  return group.subsumed.filter(({ exchange }) => !own.has(exchange)).length;
}

function areNested(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return [...few].every((each) => many.has(each));
}
