import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checks as allChecks } from '../conformance/checks/index.js';
import type { CoverageResult, RunResult } from '../conformance/model/result.js';
import type { SourcePlace } from '../errors.js';
import { formatProof } from './curl.js';
import {
  listLeft,
  nameInRepository,
  nameInstalled,
  groupProblems,
  groupKnownProblems,
  type ShownProblem,
} from './problems.js';
import { readPackageVersion } from '../package-files.js';
import type { ReportFormat, ReportOptions } from './report.js';
import { spellOut, spellOutAll, spellOutJson } from '../redact/spell-out.js';
import {
  cut,
  describeRule as nameRule,
  findPlace,
  formatAgain,
  listBaselineProblems,
  percentOf,
  summarizeActual,
  summarizeAnswer,
  summarizeRequest,
  summarizeScenario,
} from './summarize.js';

/** What every rule has for its help. */
const HELP =
  'The message of a result says what was sent, what was expected, what was received, and what the contract states. ' +
  'The command after `again` runs the scenario that shows the problem. If one request shows it, a curl command follows.';

/** SARIF 2.1.0 for code scanning: the checks are its rules, the problems its results, at their lines of the contract. */
export const sarifReport: ReportFormat = { name: 'sarif', file: 'conformance.sarif', write: writeSarif };

function writeSarif(result: RunResult, { folder }: ReportOptions): string {
  const problems = listProblems(result);
  const checks = [...new Set(problems.map(({ finding }) => finding.check))];
  const endedAt = new Date(Date.parse(result.startedAt) + result.durationMs).toISOString();
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
            ...describeBaseline(result, folder),
            ...describeLeft(result),
          },
        ],
        properties: {
          contractCoverage: describeCoverage(result.coverage),
          gaps: spellOutAll(result.gaps),
          ...(result.drift === undefined ? {} : { drift: spellOutAll(result.drift) }),
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) =>
          describeProblem(problem, { ruleIndex: checks.indexOf(problem.finding.check), result, folder }),
        ),
      },
    ],
  };
  return `${spellOutJson(JSON.stringify(log, null, 2))}\n`;
}

/** Each problem once; one that is known in one scenario and new in another is new. */
function listProblems(result: RunResult): ShownProblem[] {
  const problems = new Map<string, ShownProblem>();
  for (const problem of [...groupProblems(result), ...groupKnownProblems(result)]) {
    const { id } = problem.problem;
    if (!problems.has(id)) problems.set(id, problem);
  }
  return [...problems.values()];
}

/** Entries of the baseline that fail the run: notifications about configuration, not the target (SARIF 2.1.0 section 3.20.21). */
function describeBaseline(result: RunResult, folder: string | undefined): object {
  const notifications = listBaselineProblems(result).map(({ text, line }) => ({
    level: 'error',
    message: { text: escapeMessage(spellOut(text)) },
    locations: [{ physicalLocation: describePlace(line.place, folder) }],
  }));
  return notifications.length === 0 ? {} : { toolConfigurationNotifications: notifications };
}

/** What the run leaves is told of the run, not of the target (SARIF 2.1.0 section 3.20.22). */
function describeLeft(result: RunResult): object {
  const notifications = listLeft(result).map((line) => ({
    level: 'note',
    message: { text: escapeMessage(spellOut(line)) },
  }));
  return notifications.length === 0 ? {} : { toolExecutionNotifications: notifications };
}

/** SARIF 2.1.0 section 3.35: accepted outside the code. */
function describeSuppression({ finding: { baseline } }: ShownProblem, folder: string | undefined): object {
  if (baseline?.state !== 'known') return {};
  const justification = `${baseline.reason} (${baseline.expires === 'never' ? 'never expires' : `until ${baseline.expires}`})`;
  return {
    suppressions: [
      {
        kind: 'external',
        status: 'accepted',
        justification,
        location: { physicalLocation: describePlace(baseline.place, folder) },
      },
    ],
  };
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

interface Context {
  ruleIndex: number;
  result: RunResult;
  folder: string | undefined;
}

function describeProblem(problem: ShownProblem, { ruleIndex, result, folder }: Context): object {
  const { exchange, finding } = problem;
  const { id, headline, contract } = problem.problem;
  const lines = [
    headline,
    summarizeScenario(problem),
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(problem)}`,
    `contract ${nameRule(problem)}`,
    ...(contract?.excerpt?.split('\n') ?? []).map((line) => `  ${line}`),
    `again ${formatAgain(problem, result)}`,
    formatProof(result, exchange, finding),
  ];
  const logical = finding.contract === undefined ? [] : [{ fullyQualifiedName: `#${finding.contract.pointer}` }];
  return {
    ruleId: finding.check,
    ruleIndex,
    level: 'error',
    message: { text: lines.map((line) => escapeMessage(cut(spellOut(line), 500))).join('\n') },
    locations: [
      {
        // GitHub refuses the whole file when a single result has no physical location.
        physicalLocation: describePlace(findPlace(problem, result), folder),
        ...(logical.length === 0 ? {} : { logicalLocations: logical }),
      },
    ],
    ...describeSuppression(problem, folder),
    // GitHub reads the second alone; from the line of the contract, it would take two problems of one rule for one.
    partialFingerprints: { 'petstoreProblem/v2': id, primaryLocationLineHash: id },
  };
}

/** SARIF offers only a property bag for this (SARIF 2.1.0 section 3.8). */
function describeCoverage(coverage: CoverageResult): object {
  const { total, covered, missing } = coverage;
  const neverExercised = missing.map(({ id, kind, contract: { file, line, pointer } }) => ({
    id,
    kind,
    file,
    line,
    pointer,
  }));
  return { total, covered, percent: percentOf(coverage), neverExercised };
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
