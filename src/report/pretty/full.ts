import { groupBy } from '../../contract/group-by.js';
import type {
  CoverageResult,
  ExchangeResult,
  GapResult,
  RunResult,
  ScenarioResult,
} from '../../conformance/model/result.js';
import { formatProof } from '../curl.js';
import { describeChange, describeProfile, showAnswer, splitGaps } from '../gaps.js';
import { groupKnownProblems, listDoubts, type ShownProblem } from '../problems.js';
import type { Style } from './style.js';
import { describeWhere } from './brief.js';
import { cut, formatAgain, nameUncovered, summarizeActual, summarizeKnown } from '../summarize.js';

/** A problem in full. */
export function describeProblem(problem: ShownProblem, result: RunResult, style: Style): string {
  const { scenario, exchange, finding, moreScenarios, morePlaces } = problem;
  const rows: [string, string][] = [
    ['where', describeWhere(problem.problem)],
    ['scenario', `${scenario.id}  ${scenario.title}`],
    ['sent', describeExchange(exchange)],
    ['expected', problem.problem.expected],
    ['actual', `${problem.problem.actual} at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more`}`],
    ['contract', describeContract(scenario, finding.contract)],
    ...(moreScenarios.length === 0 ? [] : [['also in', listSome(moreScenarios)] as [string, string]]),
    ...listDoubts(problem),
    ['again', formatAgain(problem, result)],
    ['', formatProof(result, exchange, finding)],
  ];
  const head = `${style('red', '✗')} ${style('bold', problem.problem.headline)}`;
  return [head, ...rows.map(([name, value]) => `    ${style('dim', name.padEnd(9))}  ${value}`)].join('\n');
}

function describeExchange({ request, response, failure }: ExchangeResult): string {
  const body = request.body === undefined ? '' : ` ${cut(request.body, 120)}`;
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  const answer =
    response === undefined ? (failure ?? 'no response') : `${response.status}${describeBody(response.body)}`;
  return `${request.method} ${request.path}${auth}${body} → ${answer}`;
}

function describeBody(text: string): string {
  if (text === '') return ', no body';
  return `, ${cut(text, 100)}`;
}

function describeContract(scenario: ScenarioResult, rule: ShownProblem['finding']['contract']): string {
  if (rule !== undefined) return `${rule.file}:${rule.line ?? 1}  #${rule.pointer}`;
  const { text, place } = scenario.basis;
  return place === undefined ? text : `${place.file}:${place.line ?? 1}  ${text}`;
}

/** Scenarios that lack the same thing are grouped. */
export function describeInconclusive(scenarios: readonly ScenarioResult[], style: Style): string {
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  const rows = [...groupBy(open, ({ reason = '' }) => reason)].map(
    ([reason, same]) => `${style('yellow', '?')} ${listSome(same.map(({ id }) => id))}\n    ${reason}`,
  );
  return rows.join('\n');
}

export function describeKnown(result: RunResult, style: Style): string {
  const rows = groupKnownProblems(result).flatMap((problem) => {
    const { scenario, finding, moreScenarios } = problem;
    if (finding.baseline === undefined) return [];
    const head = `${style('dim', '~')} ${listSome([scenario.id, ...moreScenarios])}   expected ${finding.expected}, found ${summarizeActual(problem)}`;
    return [head, `    ${summarizeKnown(finding.baseline)}`];
  });
  return rows.join('\n');
}

/** Each gap with what was seen and the evidence; below, what was not seen and why. */
export function describeGaps(gaps: readonly GapResult[], style: Style): string {
  if (gaps.length === 0) return '';
  const { seen, unseen } = splitGaps(gaps);
  const rows = [...seen, ...unseen].flatMap(({ id, question, answer, evidence }) => [
    `    ${question}`,
    `        ${style('cyan', `${id}: ${cut(showAnswer(answer), 160)}`)}  ${style('dim', cut(evidence, 160))}`,
  ]);
  const head = `where the contract is silent (${seen.length} of ${gaps.length} observed)`;
  return [style('dim', head), ...rows].join('\n');
}

/** What has changed since the profile; differences that prove no change are only noted. */
export function describeDrift({ drift, gaps }: RunResult, { style, quiet }: { style: Style; quiet: boolean }): string {
  if (drift === undefined) return '';
  const file = describeProfile(drift.profile);
  const changes = drift.changes.flatMap((change) => [
    `${style('red', '≠')} ${style('bold', describeChange(change))}`,
    ...gaps
      .filter(({ id }) => id === change.id)
      .map(({ question, evidence }) => `    ${question}  ${cut(evidence, 160)}`),
  ]);
  if (quiet && changes.length === 0) return '';
  const noted = quiet ? [] : drift.notes;
  const notes = noted.map((note) => `    ${style('dim', `noted, no change  ${cut(describeChange(note), 200)}`)}`);
  const head = changes.length === 0 ? `nothing has changed since ${file}` : `changed since ${file}`;
  return [head, ...changes, ...notes].join('\n');
}

/** What no exchange exercised: the run says nothing about it. */
export function describeUncovered({ missing }: CoverageResult): string {
  const rows = missing.map((each) => `    ${nameUncovered(each)}  ${each.contract.file}:${each.contract.line ?? 1}`);
  return rows.length === 0 ? '' : ['not covered', ...rows].join('\n');
}

export function describeNotes(notes: readonly string[]): string {
  return notes.map((note) => `! ${note}`).join('\n');
}

const MAX_LISTED = 3;

export function listSome(ids: readonly string[]): string {
  const rest = ids.length - MAX_LISTED;
  return rest <= 0 ? ids.join(', ') : `${ids.slice(0, MAX_LISTED).join(', ')} and ${rest} more`;
}
