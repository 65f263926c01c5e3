import type { RunResult } from '../conformance/model/result.js';
import { formatProof } from './curl.js';
import {
  listLeft,
  groupProblems,
  groupKnownProblems,
  type ShownProblem,
  nameInRepository,
  nameInstalled,
} from './problems.js';
import type { SourcePlace } from '../errors.js';
import {
  describeChange,
  describeGap,
  describeProfile,
  splitGaps,
  cut,
  describeRule,
  findPlace,
  formatAgain,
  formatAgainFlag,
  headline,
  listBaselineProblems,
  nameUncovered,
  percentOf,
  summarize,
  summarizeActual,
  summarizeAnswer,
  summarizeKnown,
  summarizeRequest,
  summarizeScenario,
} from './summarize.js';
import type { ReportFormat, ReportOptions } from './report.js';
import { spellOut } from '../redact/spell-out.js';

/** Workflow commands of GitHub Actions: an annotation for each problem, at its line of the contract, and one about what was never exercised; between the number of problems and the verdict, unless another report in the log has both. */
export const githubReport: ReportFormat = { name: 'github', file: undefined, write: writeAnnotations };

/** GitHub shows so many annotations of a level for a step, and drops the others without a word. */
const MOST_OF_LEVEL = 10;
const MAX_LISTED = 40;

interface Annotation {
  level: 'error' | 'notice';
  place: SourcePlace;
  title: string;
  message: readonly string[];
  /** How to see it again. */
  again?: string;
}

function writeAnnotations(result: RunResult, { folder, isToldBeside, failedBy }: ReportOptions): string {
  const errors = [
    ...listBaselineProblems(result).map(({ text, line }) =>
      makeError(line.place, `the baseline must be changed: ${line.scenario}`, [text]),
    ),
    ...annotateDrift(result),
    ...groupProblems(result).map((problem) => annotate(problem, result)),
  ];
  const known = groupKnownProblems(result).map((problem) => annotate(problem, result));
  const notices = [...noteLeft(result), ...noteGaps(result), ...noteCoverage(result)];
  const ofNotices = [...takeFirst(known, MOST_OF_LEVEL - notices.length, result), ...notices].map((each) =>
    formatCommand(each, folder),
  );
  const lines =
    isToldBeside === true
      ? fold([...writeCommands(errors, result, folder), ...ofNotices])
      : [
          spellOut(headline(result, failedBy)),
          ...writeErrors(errors, result, folder),
          ...ofNotices,
          spellOut(summarize(result, failedBy)),
        ];
  return lines.map((line) => `${line}\n`).join('');
}

/** GitHub shows the messages of annotations in the log too; where it has the problems already, they stand in a group that is folded. */
function fold(commands: readonly string[]): string[] {
  return commands.length === 0 ? [] : ['::group::The annotations', ...commands, '::endgroup::'];
}

function writeCommands(errors: readonly Annotation[], result: RunResult, folder: string | undefined): string[] {
  return takeFirst(errors, MOST_OF_LEVEL, result).map((each) => formatCommand(each, folder));
}

/** The log shows of an annotation its message alone, so its title stands on a line above; what has no annotation has that line. */
function writeErrors(errors: readonly Annotation[], result: RunResult, folder: string | undefined): string[] {
  const titles = errors.map(writeTitle);
  const commands = writeCommands(errors, result, folder);
  if (errors.length === commands.length) return commands.flatMap((command, index) => [titles[index] ?? '', command]);
  const last = commands.length - 1;
  const first = commands.slice(0, last).flatMap((command, index) => [titles[index] ?? '', command]);
  return first.concat(titles.slice(last), commands.slice(last));
}

function writeTitle({ title, again }: Annotation): string {
  return spellOut(`✗ ${cut(title, 200)}${again === undefined ? '' : `  ${again}`}`);
}

/** As many as GitHub shows; if there are more, the last of them names the rest. */
function takeFirst(annotations: readonly Annotation[], most: number, { contract }: RunResult): readonly Annotation[] {
  if (annotations.length <= most) return annotations;
  const rest = annotations.slice(most - 1);
  const [{ level } = { level: 'notice' as const }] = rest;
  const title = `and ${rest.length} more`;
  return [
    ...annotations.slice(0, most - 1),
    { level, place: { file: contract.file }, title, message: listSome(rest.map((each) => each.title)) },
  ];
}

function listSome(rows: readonly string[]): string[] {
  const left = rows.length - MAX_LISTED;
  return left > 0 ? [...rows.slice(0, MAX_LISTED), `and ${left} more`] : [...rows];
}

function makeError(place: SourcePlace, title: string, message: readonly string[]): Annotation {
  return { level: 'error', place, title, message };
}

/** An error for each change since the profile. */
function annotateDrift({ drift, contract }: RunResult): Annotation[] {
  const since = drift === undefined ? '' : describeProfile(drift.profile);
  return (drift?.changes ?? []).map((change) =>
    makeError({ file: contract.file }, `drift at ${change.id}`, [describeChange(change), `since ${since}`]),
  );
}

/** A notice about what of the run's own is still there. */
function noteLeft(result: RunResult): Annotation[] {
  const lines = listLeft(result);
  if (lines.length === 0) return [];
  return [{ level: 'notice', place: { file: result.contract.file }, title: 'leftover', message: listSome(lines) }];
}

/** A notice about what was seen where the contract is silent. */
function noteGaps({ gaps, contract }: RunResult): Annotation[] {
  const { seen } = splitGaps(gaps);
  if (seen.length === 0) return [];
  const title = `where the contract is silent: ${seen.length} of ${gaps.length} observed`;
  return [{ level: 'notice', place: { file: contract.file }, title, message: seen.map(describeGap) }];
}

/** A notice about what was never exercised; none if everything was. */
function noteCoverage({ coverage, contract }: RunResult): Annotation[] {
  if (coverage.missing.length === 0) return [];
  const title = `contract coverage ${percentOf(coverage)} %: ${coverage.covered} of ${coverage.total}`;
  const message = ['not covered:', ...listSome(coverage.missing.map(nameUncovered))];
  return [{ level: 'notice', place: { file: contract.file }, title, message }];
}

function annotate(problem: ShownProblem, result: RunResult): Annotation {
  const { exchange, finding, scenario } = problem;
  const known = finding.baseline?.state === 'known' ? finding.baseline : undefined;
  const message = [
    ...(known === undefined ? [] : [summarizeKnown(known)]),
    summarizeScenario(problem),
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(problem)}`,
    `contract ${describeRule(problem)}`,
    ...(problem.problem.contract?.excerpt?.split('\n') ?? []).map((line) => `  ${line}`),
    `again ${formatAgain(problem, result)}`,
    formatProof(result, exchange, finding),
  ];
  const level = known === undefined ? 'error' : 'notice';
  return {
    level,
    place: findPlace(problem, result),
    title: problem.problem.headline,
    message,
    again: formatAgainFlag(scenario.id),
  };
}

/** A file of an installed package is none of the repository, so an annotation with it would point nowhere. */
function formatCommand({ level, place, title, message }: Annotation, folder: string | undefined): string {
  const file = nameInstalled(place.file) === undefined ? nameInRepository(place.file, folder) : undefined;
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`, `line=${place.line ?? 1}`]),
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
