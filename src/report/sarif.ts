import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoverageResult, RunResult } from '../conformance/result.js';
import type { SourcePlace } from '../errors.js';
import { groupProblems, groupKnownProblems, type ShownProblem } from './problems.js';
import type { ReportFormat } from './report.js';
import { spellOut, spellOutAll, spellOutJson } from '../redact/spell-out.js';
import {
  cut,
  describeRule as nameRule,
  findPlace,
  formatAgain,
  isInstalled,
  listBaselineProblems,
  percentOf,
  summarizeActual,
  summarizeAnswer,
  summarizeRequest,
  summarizeScenario,
} from './summarize.js';

/** SARIF 2.1.0 for code scanning: the checks are its rules, the problems its results, at their lines of the contract. */
export const sarifReport: ReportFormat = { name: 'sarif', file: 'conformance.sarif', write: writeSarif };

function writeSarif(result: RunResult): string {
  const problems = listProblems(result);
  const checks = [...new Set(problems.map(({ finding }) => finding.check))];
  const endedAt = new Date(Date.parse(result.startedAt) + result.durationMs).toISOString();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'petstore-conformance', rules: checks.map(describeRule) } },
        invocations: [
          {
            executionSuccessful: !result.interrupted && !result.targetLost && !result.outOfTime,
            startTimeUtc: result.startedAt,
            endTimeUtc: endedAt,
            ...describeBaseline(result),
          },
        ],
        properties: {
          contractCoverage: describeCoverage(result.coverage),
          gaps: spellOutAll(result.gaps),
          ...(result.drift === undefined ? {} : { drift: spellOutAll(result.drift) }),
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => describeProblem(problem, checks.indexOf(problem.finding.check), result)),
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
function describeBaseline(result: RunResult): object {
  const notifications = listBaselineProblems(result).map(({ text, line }) => ({
    level: 'error',
    message: { text: escapeMessage(spellOut(text)) },
    locations: [{ physicalLocation: describePlace(line.place) }],
  }));
  return notifications.length === 0 ? {} : { toolConfigurationNotifications: notifications };
}

/** SARIF 2.1.0 section 3.35: accepted outside the code. */
function describeSuppression({ finding: { baseline } }: ShownProblem): object {
  if (baseline?.state !== 'known') return {};
  const justification = `${baseline.reason} (${baseline.expires === 'never' ? 'for good' : `until ${baseline.expires}`})`;
  return {
    suppressions: [
      {
        kind: 'external',
        status: 'accepted',
        justification,
        location: { physicalLocation: describePlace(baseline.place) },
      },
    ],
  };
}

function describeRule(check: string): object {
  return {
    id: check,
    shortDescription: { text: `The check ${check} of petstore-conformance.` },
    defaultConfiguration: { level: 'error' },
  };
}

function describeProblem(problem: ShownProblem, ruleIndex: number, result: RunResult): object {
  const { exchange, finding } = problem;
  const lines = [
    problem.problem.headline,
    summarizeScenario(problem),
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(problem)}`,
    `contract ${nameRule(problem)}`,
    `again ${formatAgain(problem, result)}`,
  ];
  const logical = finding.contract === undefined ? [] : [{ fullyQualifiedName: `#${finding.contract.pointer}` }];
  const place = findPlace(problem, result);
  const location = {
    ...(isInstalled(place) ? {} : { physicalLocation: describePlace(place) }),
    ...(logical.length === 0 ? {} : { logicalLocations: logical }),
  };
  return {
    ruleId: finding.check,
    ruleIndex,
    level: 'error',
    message: { text: lines.map((line) => escapeMessage(cut(spellOut(line), 500))).join('\n') },
    locations: Object.keys(location).length === 0 ? [] : [location],
    ...describeSuppression(problem),
    partialFingerprints: { 'petstoreProblem/v2': problem.problem.id },
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

function describePlace({ file, line, column }: SourcePlace): object {
  const region = { startLine: line ?? 1, ...(column === undefined ? {} : { startColumn: column }) };
  return { artifactLocation: { uri: formatUri(file) }, region };
}

function formatUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

/** A text in brackets followed by a parenthesis would be a link (SARIF 2.1.0 section 3.11.6). */
function escapeMessage(text: string): string {
  return text.replaceAll('](', String.raw`\](`);
}
