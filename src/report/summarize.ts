import { basename } from 'node:path';
import type * as Result from '../conformance/model/result.js';
import { NOT_OBSERVED, type ProfileAnswer } from '../contract/gaps/profile.js';
import { formatPlace, type SourcePlace } from '../errors.js';
import { formatProof, quote } from './curl.js';
import { count, type ShownProblem } from './report-format.js';

type RunResult = Result.RunResult;

/** The number of problems: `3 problems`, `no problem in 338 scenarios`, `no problem in 338 scenarios; --min-coverage fails the run`. */
export function countProblems(result: RunResult, failedBy?: string): string {
  const { summary, scenarios, baseline, requestLimit, untested, resources } = result;
  if (summary.problems > 0) return count(summary.problems, 'problem');
  const end = failedBy === undefined ? '' : `; ${failedBy} fails the run`;
  const all =
    requestLimit === undefined || requestLimit.leftOut === 0
      ? count(scenarios.length, 'scenario')
      : `${summary.requests} of about ${requestLimit.wanted} requests`;
  if (untested !== undefined)
    return `${resources === undefined ? `no resource was tested in ${all}` : countTested(resources)}${end}`;
  const { concluded, wanted } = countConcluded({ summary });
  if (concluded === 0) return `nothing was concluded of ${all}${end}`;
  const kind = summary.known > 0 || baseline !== undefined ? 'no new problem' : 'no problem';
  return `${kind}${2 * concluded < wanted ? `, but no conclusion in ${wanted - concluded} of` : ' in'} ${all}${end}`;
}

/** So much of why no resource was tested stands in the first line. */
const LONGEST_WHY = 300;

/** The first line of a report: `3 problems in Petstore 1.0.0 at http://127.0.0.1:4010/v1`. */
export function headline(result: RunResult, failedBy?: string): string {
  const { contract, target, shard, summary, untested } = result;
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.of}`;
  const about = `${contract.title} ${contract.version} at ${target}${part}`;
  if (summary.problems > 0) return `${countProblems(result)} in ${about}`;
  const failed = failedBy === undefined ? '' : `; ${failedBy} fails the run`;
  const why = untested === undefined ? '' : `: ${cut(untested, LONGEST_WHY)}`;
  return `${countProblems(result)} of ${about}${failed}${why}`;
}

/** `1 of 12 resources tested` */
export function countTested({ tested, untested }: Result.ResourcesResult): string {
  return `${tested.length} of ${count(tested.length + untested.length, 'resource')} tested`;
}

const VERDICTS = ['passed', 'deviated', 'known', 'observed', 'inconclusive', 'skipped'] as const;

/** Shown only if there are any. */
export const RARE: readonly string[] = ['known', 'skipped'];

/** The run in one line: `3 problems · 12 of 110 scenarios deviate · 98 passed · ... · contract coverage 94 % · 131 requests in 0.8 s`. */
export function summarize(result: RunResult, failedBy?: string): string {
  const { summary, scenarios, drift, shard, requestLimit, resources, untested } = result;
  // There are fewer problems than deviating scenarios, so both numbers are shown.
  const showsProblems = summary.problems > 0;
  const verdicts = VERDICTS.filter((name) =>
    name === 'deviated' ? !showsProblems : !RARE.includes(name) || summary[name] > 0,
  );
  // Without a problem, the first words say how many resources were tested if that is not all of them.
  const isTested = untested !== undefined && !showsProblems;
  return [
    countProblems(result, failedBy),
    showsProblems && `${summary.deviated} of ${count(scenarios.length, 'scenario deviates', 'scenarios deviate')}`,
    resources !== undefined && resources.untested.length > 0 && !isTested && countTested(resources),
    shard !== undefined && `shard ${shard.index} of ${shard.of}`,
    result.interrupted && 'interrupted',
    result.targetLost && describeLoss(result),
    result.outOfTime && 'out of time',
    requestLimit !== undefined &&
      requestLimit.leftOut > 0 &&
      `${requestLimit.leftOut} left out by --max-requests ${requestLimit.most}`,
    ...verdicts.map((name) => `${summary[name]} ${name}`),
    drift !== undefined && `${count(drift.changes.length, 'change')} since the profile`,
    ...summarizeCreated(summary),
    `contract coverage ${percentOf(result.coverage)} %`,
    `${summary.requests} requests in ${(result.durationMs / 1000).toFixed(1)} s`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** Why the target was given up, in words: `the target stopped answering`. */
export function describeLoss({ lostBecause = 'the target does not respond' }: RunResult): string {
  return lostBecause;
}

/** How many scenarios reached a conclusion, of those that could. Scenarios left out on purpose, or without meaning here, do not count. */
export function countConcluded({ summary }: Pick<RunResult, 'summary'>): { concluded: number; wanted: number } {
  const concluded = summary.passed + summary.deviated + summary.known + summary.observed;
  return { concluded, wanted: concluded + summary.inconclusive };
}

/** So many kinds are named. */
const MOST_KINDS = 3;

/** What the run created at the target, if anything, in the contract's words. */
export function summarizeCreated({ created, createdOf }: Result.Summary): string[] {
  if (created === 0) return [];
  const kinds = (createdOf ?? [{ one: 'pet', many: 'pets', count: created }]).toSorted((a, b) => b.count - a.count);
  const named = kinds.slice(0, MOST_KINDS).map((kind) => count(kind.count, kind.one, kind.many));
  const rest = kinds.slice(MOST_KINDS).reduce((sum, kind) => sum + kind.count, 0);
  const all = rest === 0 ? named : [...named, `${rest} others`];
  return [`${[all.slice(0, -1).join(', '), all.at(-1)].filter((part) => part !== '').join(' and ')} created`];
}

/** Scenarios without a conclusion that lacked the same thing. */
export type Lacking = { reason: string; ids: string[] };

/** By what they lacked, the most first; reasons that differ only in the step, in numbers and in ids are one. */
export function groupInconclusive(scenarios: readonly Result.ScenarioResult[]): Lacking[] {
  const groups = new Map<string, Lacking>();
  for (const { id, verdict, reason: whole = '' } of scenarios) {
    if (verdict !== 'inconclusive') continue;
    // Without the scenario that it builds on, or the step: many then have one reason.
    const reason = whole.replace(/^it depends on \S+: /, '').replace(/^step \S+: /, '');
    const key = reason.replace(/\d+|"[^"]*"/g, '#');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reason, ids: [id] });
    else group.ids.push(id);
  }
  return [...groups.values()].toSorted((a, b) => b.ids.length - a.ids.length);
}

/** How much of the contract was exercised, in whole percent; 100 only when nothing is missing. */
export function percentOf({ covered, total }: Result.CoverageResult): number {
  return Math.floor((100 * covered) / Math.max(total, 1));
}

/** A part of the contract that was not exercised; one that was sent all the same says so. */
export function nameUncovered({ id, sent }: Result.CoverageResult['missing'][number]): string {
  return sent === true ? `${id} (sent, but no response could be checked for it)` : id;
}

/** The scenario that shows a problem, and the number of others: `pets/limit[1]: limit=1 gives at most one pet (and 2 scenarios more)`. */
export function summarizeScenario({ scenario, moreScenarios }: ShownProblem): string {
  const more = moreScenarios.length === 0 ? '' : ` (and ${count(moreScenarios.length, 'scenario')} more)`;
  return `${scenario.id}: ${scenario.title}${more}`;
}

/** `GET /pets (key: missing) → 200` */
export function summarizeExchange(exchange: Result.ExchangeResult): string {
  return `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`;
}

export function summarizeRequest({ request }: Result.ExchangeResult): string {
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  return `${request.method} ${request.path}${auth}`;
}

const LONGEST_ADDRESS = 80;

export function summarizeAnswer({ response, failure }: Result.ExchangeResult): string {
  if (response === undefined) return failure ?? 'no response';
  const { status, headers } = response;
  const to = status >= 300 && status < 400 ? headers['location'] : undefined;
  return to === undefined ? String(status) : `${status} to ${cut(to.replace(/[?#].*$/s, ''), LONGEST_ADDRESS)}`;
}

/** What was found and where, with the number of further places in the same answer. */
export function summarizeActual({ finding, morePlaces }: ShownProblem): string {
  return `${finding.actual} at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more`}`;
}

/** Where the rule is, by place and pointer or words: `spec/petstore.openapi.yaml:45  #/paths/~1pets/get`. */
export function describeRule({ scenario, finding, problem }: ShownProblem): string {
  const rule = problem.contract ?? finding.contract;
  const { text, place } = rule === undefined ? scenario.basis : { text: `#${rule.pointer}`, place: rule };
  return place === undefined ? text : `${formatPlace({ file: place.file, line: place.line ?? 1 })}  ${text}`;
}

/** The evidence of a problem, a line each; what is told `beside` the example stands before the command that shows it again. */
export function listEvidence(shown: ShownProblem, result: RunResult, beside: readonly string[] = []): string[] {
  const { exchange, finding, problem } = shown;
  return [
    summarizeScenario(shown),
    summarizeExchange(exchange),
    `expected ${finding.expected}`,
    `actual ${summarizeActual(shown)}`,
    `contract ${describeRule(shown)}`,
    ...(problem.contract?.excerpt?.split('\n') ?? []).map((line) => `  ${line}`),
    ...beside,
    `again ${formatAgain(shown, result)}`,
    formatProof(result, exchange, finding),
  ];
}

/** Where the broken rule is; the contract as a whole if that is unknown. */
export function findPlace({ finding, scenario }: ShownProblem, { contract }: RunResult): SourcePlace {
  return finding.contract ?? scenario.basis.place ?? { file: contract.file };
}

/** The command that shows a problem again. */
export function formatAgain(
  { scenario }: Pick<ShownProblem, 'scenario'>,
  { target, command = `petstore-conformance --target ${quote(target)}` }: Pick<RunResult, 'target' | 'command'>,
): string {
  return `${command} ${formatAgainFlag(scenario.id)}`;
}

/** Quoted, since ids have brackets, which some shells take for a pattern of file names. */
export function formatAgainFlag(scenario: string): string {
  return `--again ${quote(scenario)}`;
}

/** `known until 2030-12-31: ticket 12 (known.yaml:7:9)`. */
export function summarizeKnown({ reason, expires, place }: Required<Result.Finding>['baseline']): string {
  return `known${expires === 'never' ? '' : ` until ${expires}`}: ${reason} (${formatPlace(place)})`;
}

/** The entries of a baseline that fail a run, each with the line to change. */
export function listBaselineProblems({ baseline }: RunResult): { text: string; line: Result.BaselineLine }[] {
  const { expired = [], fixed = [] } = baseline ?? {};
  const name = ({ scenario, check, rule, at }: Result.BaselineLine): string =>
    `${scenario} (${check}, ${rule}, at ${at})`;
  return [
    ...expired.map((line) => ({
      text: `expired on ${line.expires}, but still deviates: ${name(line)}: ${line.reason}`,
      line,
    })),
    ...fixed.map((line) => ({ text: `no longer deviates; ${describeRemoval(line)}: ${name(line)}`, line })),
  ];
}

function describeRemoval({ place, entry }: Result.BaselineLine): string {
  if (entry === undefined) return 'remove its entry';
  const { firstLine, lastLine } = entry;
  return `remove the entry ${basename(place.file)}:${firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`}`;
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The first rows, and a row that counts the others; `tell` says how: `and 3 more`. */
export function listFirst(
  rows: readonly string[],
  most: number,
  tell = (left: number) => `and ${left} more`,
): string[] {
  return rows.length <= most ? [...rows] : [...rows.slice(0, most), tell(rows.length - most)];
}

/** Writes the items of a list that fit into a number of characters, and counts the rest. */
export function takeWhileFits<T, P extends string | { text: string }>(
  items: readonly T[],
  write: (item: T, index: number) => P,
  budget: number,
): { parts: P[]; left: number } {
  const parts: P[] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const part = write(item, index);
    used += (typeof part === 'string' ? part : part.text).length + 2;
    if (used > budget) break;
    parts.push(part);
  }
  return { parts, left: items.length - parts.length };
}

/** One line for an answer. */
export function showAnswer(answer: ProfileAnswer): string {
  if (typeof answer !== 'object') return String(answer);
  return answer.length === 0 ? 'none seen' : answer.join(', ');
}

/** The file of a profile, and what it says of itself. */
export function describeProfile({ file, target, date }: Result.DriftResult['profile']): string {
  const origin = [target, date].filter((part) => part !== undefined).join(', ');
  return origin === '' ? file : `${file} (${origin})`;
}

/** `list-order: oldest-first, now newest-first` */
export function describeChange({ id, before, now }: Result.GapChange): string {
  return `${id}: ${showAnswer(before)}, now ${showAnswer(now)}`;
}

/** `In which order ...? list-order: newest-first (what shows it)` */
export function describeGap({ id, question, answer, evidence }: Result.GapResult): string {
  return `${question} ${id}: ${showAnswer(answer)} (${evidence})`;
}

/** Separates the gaps with an answer from those without. */
export function splitGaps(gaps: readonly Result.GapResult[]): { seen: Result.GapResult[]; unseen: Result.GapResult[] } {
  return {
    seen: gaps.filter(({ answer }) => answer !== NOT_OBSERVED),
    unseen: gaps.filter(({ answer }) => answer === NOT_OBSERVED),
  };
}
