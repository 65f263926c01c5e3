import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checks as allChecks } from '../conformance/checks/index.js';
import type { RunResult } from '../conformance/model/result.js';
import type { SourcePlace } from '../errors.js';
import { readPackageVersion } from '../package-files.js';
import { spellOut, spellOutAll, spellOutJson } from '../redact/spell-out.js';
import {
  listLeft,
  nameInRepository,
  nameInstalled,
  groupProblems,
  groupKnownProblems,
  type ReportFormat,
  type ReportOptions,
  type ShownProblem,
} from './report-format.js';
import * as say from './summarize.js';

/** What every rule has for its help. */
const HELP =
  'The message of a result says what was sent, what was expected, what was received, and what the contract states. ' +
  'The command after `again` runs the scenario that shows the problem. If one request shows it, a curl command follows.';

/** SARIF 2.1.0 for code scanning: the checks are its rules, the problems its results, at their lines of the contract. */
export const sarifReport: ReportFormat = { name: 'sarif', file: 'conformance.sarif', write: writeSarif };

function writeSarif(result: RunResult, { folder }: ReportOptions): string {
  // Each problem once; one that is known in one scenario and new in another is new.
  const problems = [...groupProblems(result), ...groupKnownProblems(result)].filter(
    ({ problem }, index, all) => all.findIndex((each) => each.problem.id === problem.id) === index,
  );
  const checks = [...new Set(problems.map(({ finding }) => finding.check))];
  const endedAt = new Date(Date.parse(result.startedAt) + result.durationMs).toISOString();
  // Entries of the baseline that fail the run are about configuration, and what the run leaves is told of the run, not of the
  // target (SARIF 2.1.0 sections 3.20.21 and 3.20.22).
  const ofBaseline = say.listBaselineProblems(result).map(({ text, line }) => ({
    level: 'error',
    message: { text: escapeMessage(spellOut(text)) },
    locations: [{ physicalLocation: describePlace(line.place, folder) }],
  }));
  const ofLeft = listLeft(result).map((line) => ({ level: 'note', message: { text: escapeMessage(spellOut(line)) } }));
  const { total, covered, missing } = result.coverage;
  const neverExercised = missing.map(({ id, kind, contract: { file, line, pointer } }) => ({
    id,
    kind,
    file,
    line,
    pointer,
  }));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'petstore-conformance',
            semanticVersion: readPackageVersion(),
            rules: checks.map((check) => describeRule(check)),
          },
        },
        invocations: [
          {
            executionSuccessful: !result.interrupted && !result.targetLost && !result.outOfTime,
            startTimeUtc: result.startedAt,
            endTimeUtc: endedAt,
            ...(ofBaseline.length === 0 ? {} : { toolConfigurationNotifications: ofBaseline }),
            ...(ofLeft.length === 0 ? {} : { toolExecutionNotifications: ofLeft }),
          },
        ],
        // SARIF offers only a property bag for these (SARIF 2.1.0 section 3.8).
        properties: {
          contractCoverage: { total, covered, percent: say.percentOf(result.coverage), neverExercised },
          gaps: spellOutAll(result.gaps),
          ...(result.drift === undefined ? {} : { drift: spellOutAll(result.drift) }),
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map((shown) =>
          describeProblem(shown, checks.indexOf(shown.finding.check), { ...result, folder }),
        ),
      },
    ],
  };
  return `${spellOutJson(JSON.stringify(log, null, 2))}\n`;
}

/** Code scanning shows the description as the title of each alert, and the help below it. */
function describeRule(check: string): object {
  const { title = `The check ${check} of a scenario` } = allChecks.find(({ id }) => id === check) ?? {};
  const text = `${title.slice(0, 1).toUpperCase()}${title.slice(1)}.`;
  return {
    id: check,
    shortDescription: { text },
    help: { text: `${text}\n\n${HELP}` },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['api', 'contract'], precision: 'high' },
  };
}

function describeProblem(
  shown: ShownProblem,
  ruleIndex: number,
  result: RunResult & { folder: string | undefined },
): object {
  const { folder } = result;
  const { finding, problem } = shown;
  const { contract, baseline } = finding;
  const lines = [problem.headline, ...say.listEvidence(shown, result)];
  return {
    ruleId: finding.check,
    ruleIndex,
    level: 'error',
    message: { text: lines.map((line) => escapeMessage(say.cut(spellOut(line), 500))).join('\n') },
    locations: [
      {
        // GitHub refuses the whole file when a single result has no physical location.
        physicalLocation: describePlace(say.findPlace(shown, result), folder),
        ...(contract === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: `#${contract.pointer}` }] }),
      },
    ],
    ...(baseline?.state === 'known' ? { suppressions: [describeSuppression(baseline, folder)] } : {}),
    // GitHub reads the second alone; from the line of the contract, it would take two problems of one rule for one.
    partialFingerprints: { 'petstoreProblem/v2': problem.id, primaryLocationLineHash: problem.id },
  };
}

/** SARIF 2.1.0 section 3.35: accepted outside the code. */
function describeSuppression(
  { reason, expires, place }: NonNullable<ShownProblem['finding']['baseline']>,
  folder: string | undefined,
): object {
  const justification = `${reason} (${expires === 'never' ? 'never expires' : `until ${expires}`})`;
  const location = { physicalLocation: describePlace(place, folder) };
  return { kind: 'external', status: 'accepted', justification, location };
}

function describePlace({ file, line, column }: SourcePlace, folder: string | undefined): object {
  const region = { startLine: line ?? 1, ...(column === undefined ? {} : { startColumn: column }) };
  return { artifactLocation: { uri: formatUri(nameInstalled(file) ?? nameInRepository(file, folder)) }, region };
}

function formatUri(file: string): string {
  if (/^https?:/i.test(file)) return file;
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

/** A text in brackets followed by a parenthesis would be a link (SARIF 2.1.0 section 3.11.6). */
function escapeMessage(text: string): string {
  return text.replaceAll('](', String.raw`\](`);
}
