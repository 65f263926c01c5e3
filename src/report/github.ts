import type { RunResult } from '../conformance/result.js';
import { formatProof } from './curl.js';
import type { SourcePlace } from '../errors.js';
import { groupProblems, groupKnownProblems, type ShownProblem } from './problems.js';
import { describeChange, describeGap, describeProfile, splitGaps } from './gaps.js';
import type { ReportFormat } from './report.js';
import { spellOut } from '../redact/spell-out.js';
import {
  cut,
  describeRule,
  findPlace,
  formatAgain,
  headline,
  isInstalled,
  listBaselineProblems,
  percentOf,
  summarize,
  summarizeActual,
  summarizeAnswer,
  summarizeKnown,
  summarizeRequest,
  summarizeScenario,
} from './summarize.js';

/** Workflow commands of GitHub Actions, between the number of problems and the verdict: an annotation for each problem, at its line of the contract, and one about what was never exercised. */
export const githubReport: ReportFormat = { name: 'github', file: undefined, write: writeAnnotations };

const MAX_ANNOTATIONS = 50;
const MAX_LISTED = 40;

function writeAnnotations(result: RunResult): string {
  const annotations = [
    ...listBaselineProblems(result).map(({ text, line }) => formatCommand('error', line.place, line.scenario, [text])),
    ...annotateDrift(result),
    ...groupProblems(result).map((problem) => annotate(problem, result)),
    ...groupKnownProblems(result).map((problem) => annotate(problem, result)),
  ];
  const left = annotations.length - MAX_ANNOTATIONS;
  return [
    spellOut(headline(result)),
    ...annotations.slice(0, MAX_ANNOTATIONS),
    ...(left > 0 ? [`and ${left} more ${left === 1 ? 'problem' : 'problems'} without an annotation`] : []),
    ...noteGaps(result),
    ...noteCoverage(result),
    summarize(result),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** An error for each change since the profile. */
function annotateDrift({ drift, contract }: RunResult): string[] {
  const since = drift === undefined ? '' : describeProfile(drift.profile);
  return (drift?.changes ?? []).map((change) =>
    formatCommand('error', { file: contract.file }, `drift at ${change.id}`, [
      describeChange(change),
      `since ${since}`,
    ]),
  );
}

/** A notice about what was seen where the contract is silent. */
function noteGaps({ gaps, contract }: RunResult): string[] {
  const { seen } = splitGaps(gaps);
  if (seen.length === 0) return [];
  const title = `where the contract is silent: ${seen.length} of ${gaps.length} observed`;
  return [formatCommand('notice', { file: contract.file }, title, seen.map(describeGap))];
}

/** A notice about what was never exercised; none if everything was. */
function noteCoverage({ coverage, contract }: RunResult): string[] {
  if (coverage.missing.length === 0) return [];
  const title = `contract coverage ${percentOf(coverage)} %: ${coverage.covered} of ${coverage.total}`;
  const parts = coverage.missing.map(({ id }) => id);
  const listed = [
    ...parts.slice(0, MAX_LISTED),
    ...(parts.length > MAX_LISTED ? [`and ${parts.length - MAX_LISTED} more`] : []),
  ];
  return [formatCommand('notice', { file: contract.file }, title, ['never exercised:', ...listed])];
}

function annotate(problem: ShownProblem, result: RunResult): string {
  const { exchange, finding } = problem;
  const known = finding.baseline?.state === 'known' ? finding.baseline : undefined;
  const message = [
    ...(known === undefined ? [] : [summarizeKnown(known)]),
    summarizeScenario(problem),
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(problem)}`,
    `contract ${describeRule(problem)}`,
    `again ${formatAgain(problem, result)}`,
    formatProof(result.target, exchange, finding),
  ];
  const level = known === undefined ? 'error' : 'notice';
  return formatCommand(level, findPlace(problem, result), problem.problem.headline, message);
}

function formatCommand(
  level: 'error' | 'notice',
  place: SourcePlace,
  title: string,
  message: readonly string[],
): string {
  const properties = [
    ...(isInstalled(place) ? [] : [`file=${escapeProperty(place.file)}`, `line=${place.line ?? 1}`]),
    `title=${escapeProperty(cut(title, 200))}`,
  ];
  const lines = message.map((line) => cut(spellOut(line), 500));
  return `::${level} ${properties.join(',')}::${escapeMessage(lines.join('\n'))}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(spellOut(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
