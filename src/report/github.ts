import type { RunResult } from '../conformance/model/result.js';
import type { SourcePlace } from '../errors.js';
import { spellOut } from '../redact/spell-out.js';
import { listLeft, groupProblems, groupKnownProblems, nameInRepository, nameInstalled } from './report-format.js';
import type { ReportFormat, ReportOptions, ShownProblem } from './report-format.js';
import * as say from './summarize.js';

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
  again?: string;
}

function writeAnnotations(result: RunResult, { folder, isToldBeside, failedBy }: ReportOptions): string {
  const place = { file: result.contract.file };
  const { drift } = result;
  const errors: Annotation[] = [
    ...say.listBaselineProblems(result).map(({ text, line }) => ({
      level: 'error' as const,
      place: line.place,
      title: `the baseline must be changed: ${line.scenario}`,
      message: [text],
    })),
    ...(drift?.changes ?? []).map((change) => ({
      level: 'error' as const,
      place,
      title: `drift at ${change.id}`,
      message: [say.describeChange(change), `since ${drift === undefined ? '' : say.describeProfile(drift.profile)}`],
    })),
    ...groupProblems(result).map((problem) => annotate(problem, result)),
  ];
  const known = groupKnownProblems(result).map((problem) => annotate(problem, result));
  const notices = listNotices(result).map(([title, message]): Annotation => ({
    level: 'notice',
    place,
    title,
    message,
  }));
  const format = (each: Annotation): string => formatCommand(each, folder);
  const ofErrors = takeFirst(errors, MOST_OF_LEVEL, result).map(format);
  const ofNotices = [...takeFirst(known, MOST_OF_LEVEL - notices.length, result), ...notices].map(format);
  // GitHub shows the messages of annotations in the log too; where it has the problems already, they stand in a group that is folded.
  const folded = [...ofErrors, ...ofNotices];
  const beside = folded.length === 0 ? [] : ['::group::The annotations', ...folded, '::endgroup::'];
  const alone = [
    spellOut(say.headline(result, failedBy)),
    ...withTitles(ofErrors, errors),
    ...ofNotices,
    spellOut(say.summarize(result, failedBy)),
  ];
  return (isToldBeside === true ? beside : alone).map((line) => `${line}\n`).join('');
}

/** The log shows of an annotation its message alone, so its title stands on a line above; what has no annotation has that line. */
function withTitles(commands: readonly string[], errors: readonly Annotation[]): string[] {
  const titles = errors.map(({ title, again }) =>
    spellOut(`✗ ${say.cut(title, 200)}${again === undefined ? '' : `  ${again}`}`),
  );
  const last = errors.length === commands.length ? commands.length : commands.length - 1;
  const first = commands.slice(0, last).flatMap((command, index) => [titles[index] ?? '', command]);
  return [...first, ...titles.slice(last), ...commands.slice(last)];
}

/** As many as GitHub shows; if there are more, the last of them names the rest. */
function takeFirst(annotations: readonly Annotation[], most: number, { contract }: RunResult): readonly Annotation[] {
  if (annotations.length <= most) return annotations;
  const rest = annotations.slice(most - 1);
  const message = say.listFirst(
    rest.map((each) => each.title),
    MAX_LISTED,
  );
  const level = rest[0]?.level ?? 'notice';
  return [
    ...annotations.slice(0, most - 1),
    { level, place: { file: contract.file }, title: `and ${rest.length} more`, message },
  ];
}

/** What is left behind, what was seen where the contract is silent, and what was never exercised, as far as there is any. */
function listNotices(result: RunResult): [title: string, message: string[]][] {
  const { gaps, coverage } = result;
  const left = say.listFirst(listLeft(result), MAX_LISTED);
  const { seen } = say.splitGaps(gaps);
  const missing = say.listFirst(coverage.missing.map(say.nameUncovered), MAX_LISTED);
  const told: [string, string[]][] = [
    ['leftover', left],
    [`where the contract is silent: ${seen.length} of ${gaps.length} observed`, seen.map(say.describeGap)],
    [
      `contract coverage ${say.percentOf(coverage)} %: ${coverage.covered} of ${coverage.total}`,
      missing.length === 0 ? [] : ['not covered:', ...missing],
    ],
  ];
  return told.filter(([, message]) => message.length > 0);
}

function annotate(problem: ShownProblem, result: RunResult): Annotation {
  const { finding, scenario } = problem;
  const known = finding.baseline?.state === 'known' ? finding.baseline : undefined;
  return {
    level: known === undefined ? 'error' : 'notice',
    place: say.findPlace(problem, result),
    title: problem.problem.headline,
    message: [...(known === undefined ? [] : [say.summarizeKnown(known)]), ...say.listEvidence(problem, result)],
    again: say.formatAgainFlag(scenario.id),
  };
}

/** A file of an installed package is none of the repository, so an annotation with it would point nowhere. */
function formatCommand({ level, place, title, message }: Annotation, folder: string | undefined): string {
  const escape = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const escapeProperty = (text: string): string => escape(spellOut(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const file = nameInstalled(place.file) === undefined ? nameInRepository(place.file, folder) : undefined;
  const where = file === undefined ? '' : `file=${escapeProperty(file)},line=${place.line ?? 1},`;
  const lines = message.map((line) => say.cut(spellOut(line), 500));
  return `::${level} ${where}title=${escapeProperty(say.cut(title, 200))}::${escape(lines.join('\n'))}`;
}
