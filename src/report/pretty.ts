import { styleText } from 'node:util';
import type {
  CoverageResult,
  ExchangeResult,
  GapResult,
  RunResult,
  ScenarioResult,
  Summary,
} from '../conformance/result.js';
import { formatPlace } from '../errors.js';
import { formatCurl } from './curl.js';
import { groupProblems, groupKnownProblems, type Problem } from './problems.js';
import { describeChange, describeProfile, showAnswer, splitGaps } from './gaps.js';
import type { ReportFormat, ReportOptions } from './report.js';
import { spellOutAll } from '../redact/spell-out.js';
import {
  cut,
  formatAgain,
  listBaselineProblems,
  percentOf,
  summarizeActual,
  summarizeCreated,
  summarizeDrift,
  summarizeKnown,
} from './summarize.js';

/** For people: each problem once, with what was sent, expected and found, and how to see it again. */
export const prettyReport: ReportFormat = { name: 'pretty', file: undefined, write: writePretty };

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

function writePretty(raw: RunResult, { color, quiet }: ReportOptions): string {
  // What a target sends must not steer the terminal, nor look like lines of ours.
  const result = spellOutAll(withoutSoundExchanges(raw));
  const style: Style = color ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text;
  const parts = [
    ...groupProblems(result).map((problem) => describeProblem(problem, result, style)),
    ...listBaselineProblems(result).map(({ text, line }) => `${style('red', '✗')} ${formatPlace(line.place)}  ${text}`),
    describeDrift(result, { style, quiet }),
    ...(quiet
      ? []
      : [
          describeKnown(result, style),
          describeInconclusive(result.scenarios, style),
          describeGaps(result.gaps, style),
          describeUncovered(result.coverage),
          describeNotes(result.notes),
        ]),
    describeSummary(result, style),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Nothing is told of them, and their bodies are most of a result. */
function withoutSoundExchanges(result: RunResult): RunResult {
  const scenarios = result.scenarios.map((scenario) => {
    const steps = scenario.steps.map(({ id, exchanges }) => ({ id, exchanges: exchanges.map(withoutSound) }));
    return Object.assign({}, scenario, { steps });
  });
  return { ...result, scenarios };
}

function withoutSound(exchange: ExchangeResult): ExchangeResult {
  if (exchange.findings.length > 0) return exchange;
  const { operationId, request, durationMs } = exchange;
  return { operationId, request: { ...request, headers: {}, body: '' }, durationMs, findings: [] };
}

function describeProblem(problem: Problem, result: RunResult, style: Style): string {
  const { scenario, exchange, finding, moreScenarios } = problem;
  const rows: [string, string][] = [
    ['sent', describeExchange(exchange)],
    ['expected', finding.expected],
    ['actual', summarizeActual(problem)],
    ['contract', describeContract(scenario, finding.contract)],
    ...(moreScenarios.length === 0 ? [] : [['also in', listSome(moreScenarios)] as [string, string]]),
    ['again', formatAgain(problem, result)],
    ['', formatCurl(result.target, exchange)],
  ];
  const head = `${style('red', '✗')} ${style('bold', scenario.id)}   ${scenario.title}`;
  return [head, ...rows.map(([name, value]) => `    ${style('dim', name.padEnd(9))}  ${value}`)].join('\n');
}

function describeExchange({ request, response, failure }: ExchangeResult): string {
  const body = request.body === undefined ? '' : ` ${cut(request.body, 120)}`;
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  const answer = response === undefined ? (failure ?? 'no answer') : `${response.status}${describeBody(response.body)}`;
  return `${request.method} ${request.path}${auth}${body} → ${answer}`;
}

function describeBody(text: string): string {
  if (text === '') return ', no body';
  return `, ${cut(text, 100)}`;
}

function describeContract(scenario: ScenarioResult, rule: Problem['finding']['contract']): string {
  if (rule !== undefined) return `${rule.file}:${rule.line ?? 1}  #${rule.pointer}`;
  const { text, place } = scenario.basis;
  return place === undefined ? text : `${place.file}:${place.line ?? 1}  ${text}`;
}

/** Scenarios that lack the same thing are told together. */
function describeInconclusive(scenarios: readonly ScenarioResult[], style: Style): string {
  const byReason = new Map<string, string[]>();
  for (const { id, verdict, reason = '' } of scenarios) {
    if (verdict === 'inconclusive') byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  }
  const rows = [...byReason].map(([reason, ids]) => `${style('yellow', '?')} ${listSome(ids)}\n    ${reason}`);
  return rows.join('\n');
}

function describeKnown(result: RunResult, style: Style): string {
  const rows = groupKnownProblems(result).flatMap((problem) => {
    const { scenario, finding, moreScenarios } = problem;
    if (finding.baseline === undefined) return [];
    const head = `${style('dim', '~')} ${listSome([scenario.id, ...moreScenarios])}   expected ${finding.expected}, found ${summarizeActual(problem)}`;
    return [head, `    ${summarizeKnown(finding.baseline)}`];
  });
  return rows.join('\n');
}

/** Each gap with what was seen and what shows it; below, what was not seen and why. */
function describeGaps(gaps: readonly GapResult[], style: Style): string {
  if (gaps.length === 0) return '';
  const { seen, unseen } = splitGaps(gaps);
  const rows = [...seen, ...unseen].flatMap(({ id, question, answer, evidence }) => [
    `    ${question}`,
    `        ${style('cyan', `${id}: ${cut(showAnswer(answer), 160)}`)}  ${style('dim', cut(evidence, 160))}`,
  ]);
  const head = `where the contract is silent (${seen.length} of ${gaps.length} observed)`;
  return [style('dim', head), ...rows].join('\n');
}

/** What has changed since the profile; what proves no change is only noted. */
function describeDrift({ drift, gaps }: RunResult, { style, quiet }: { style: Style; quiet: boolean }): string {
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
  const notes = noted.map((note) => `    ${style('dim', `noted, no drift  ${cut(describeChange(note), 200)}`)}`);
  const head = changes.length === 0 ? `nothing has changed since ${file}` : `changed since ${file}`;
  return [head, ...changes, ...notes].join('\n');
}

/** What no exchange exercised: a run that leaves it out says nothing about it. */
function describeUncovered({ missing }: CoverageResult): string {
  const rows = missing.map(({ id, contract }) => `    ${id}  ${contract.file}:${contract.line ?? 1}`);
  return rows.length === 0 ? '' : ['never exercised', ...rows].join('\n');
}

function describeNotes(notes: readonly string[]): string {
  return notes.map((note) => `! ${note}`).join('\n');
}

function describeSummary(
  { summary, drift, coverage, durationMs, interrupted, targetLost, outOfTime }: RunResult,
  style: Style,
): string {
  const counts: [keyof Summary, Parameters<typeof styleText>[0]][] = [
    ['passed', 'green'],
    ['deviated', 'red'],
    ['known', 'dim'],
    ['observed', 'cyan'],
    ['inconclusive', 'yellow'],
    ['skipped', 'dim'],
  ];
  const shown = counts.filter(([name]) => (name !== 'skipped' && name !== 'known') || summary[name] > 0);
  const verdicts = shown.map(([name, color]) =>
    summary[name] === 0 ? `0 ${name}` : style(color, `${summary[name]} ${name}`),
  );
  const covered = `contract coverage ${percentOf(coverage)} %`;
  const sent = `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s`;
  return [
    ...(interrupted ? ['interrupted'] : []),
    ...(targetLost ? ['the target stopped answering'] : []),
    ...(outOfTime ? ['out of time'] : []),
    ...verdicts,
    ...summarizeDrift(drift),
    ...summarizeCreated(summary),
    covered,
    sent,
  ].join(' · ');
}

const MAX_LISTED = 3;

function listSome(ids: readonly string[]): string {
  const rest = ids.length - MAX_LISTED;
  return rest <= 0 ? ids.join(', ') : `${ids.slice(0, MAX_LISTED).join(', ')} and ${rest} more`;
}
