import { create, type XMLElement } from 'xmlbuilder';
import type { ExchangeResult, GapResult, RunResult, ScenarioResult } from '../conformance/result.js';
import { formatPlace } from '../errors.js';
import { formatCurl } from './curl.js';
import { describeChange, describeGap, describeProfile } from './gaps.js';
import { spellOutXml } from '../redact/spell-out.js';
import type { ReportFormat } from './report.js';
import { cut, findPlace, headline, formatAgain, listBaselineProblems, percentOf, summarizeKnown } from './summarize.js';

/** JUnit XML as CI viewers read it: a suite for each scenario file, a case for each scenario. */
export const junitReport: ReportFormat = { name: 'junit', file: 'conformance-junit.xml', write: writeJunit };

const MAX_LIST = 4000;
/** How much a failure shows of the deviations of its scenario. */
const MAX_LINES = 12;
const MAX_LINE = 500;
/** The scenario file whose suite contains the gaps. */
const GAPS_FILE = 'gaps';

function writeJunit(result: RunResult): string {
  const root = create('testsuites', { encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  // The suites count the skipped cases; the schema has no place for that here.
  const { skipped: _, ...counts } = countOf(result.scenarios);
  root.att({ name: `petstore-conformance: ${headline(result)}`, ...counts, time: seconds(result.durationMs) });
  for (const [name, scenarios] of groupByFile(result.scenarios)) {
    const duration = scenarios.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const suite = root.ele('testsuite', {
      name,
      ...countOf(scenarios),
      time: seconds(duration),
      timestamp: result.startedAt,
    });
    writeProperties(suite, result, name === GAPS_FILE ? result.gaps : []);
    for (const scenario of scenarios) writeCase(suite, scenario, result);
  }
  writeBaseline(root, result);
  writeDrift(root, result);
  return `${spellOutXml(root.end({ pretty: true }))}\n`;
}

/** In JUnit only suites have properties, so each suite repeats those of the run. */
function writeProperties(
  suite: XMLElement,
  { target, contract, coverage }: RunResult,
  gaps: readonly GapResult[],
): void {
  const never = coverage.missing.map(({ id }) => id);
  const rows: [string, string][] = [
    ['target', target],
    ['contract', `${contract.title} ${contract.version} (${contract.file})`],
    ['contract coverage', `${percentOf(coverage)} % (${coverage.covered} of ${coverage.total})`],
    ...(never.length === 0 ? [] : [['never exercised', cut(never.join('; '), MAX_LIST)] as [string, string]]),
  ];
  for (const gap of gaps) rows.push([`gap ${gap.id}`, cut(describeGap(gap), MAX_LIST)]);
  const properties = suite.ele('properties');
  for (const [name, value] of rows) properties.ele('property', { name, value });
}

function writeCase(suite: XMLElement, scenario: ScenarioResult, result: RunResult): void {
  const [file, name] = splitId(scenario.id);
  const testcase = suite.ele('testcase', {
    classname: file,
    name: `${name}: ${scenario.title}`,
    time: seconds(scenario.durationMs),
  });
  if (scenario.verdict === 'deviated') {
    const text = describeDeviations(scenario, result);
    testcase.ele('failure', { message: text.split('\n')[0] ?? '', type: 'deviation' }).txt(text);
  }
  if (scenario.verdict === 'known') {
    testcase.ele('skipped', { message: listKnown(scenario).join('; ') });
  }
  if (scenario.verdict === 'inconclusive' || scenario.verdict === 'skipped') {
    testcase.ele('skipped', { message: `${scenario.verdict}: ${scenario.reason ?? ''}` });
  }
  if (scenario.gap !== undefined) {
    testcase.ele('system-out').txt(`${scenario.gap.id}: ${scenario.gap.choice} (${scenario.gap.evidence})`);
  }
}

function listKnown({ steps }: ScenarioResult): string[] {
  const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
  return [...new Set(findings.flatMap(({ baseline }) => (baseline === undefined ? [] : [summarizeKnown(baseline)])))];
}

/** A case for each line of the baseline that must be changed, since each fails the run. */
function writeBaseline(root: XMLElement, result: RunResult): void {
  const problems = listBaselineProblems(result);
  if (problems.length === 0) return;
  const count = { tests: problems.length, failures: problems.length, errors: 0, skipped: 0 };
  const suite = root.ele('testsuite', { name: 'baseline', ...count, time: '0.000', timestamp: result.startedAt });
  for (const { text, line } of problems) {
    const testcase = suite.ele('testcase', { classname: 'baseline', name: formatPlace(line.place), time: '0.000' });
    testcase.ele('failure', { message: text, type: 'baseline' }).txt(text);
  }
}

/** A case for each gap at which the target differs from the profile. */
function writeDrift(root: XMLElement, { drift, startedAt }: RunResult): void {
  if (drift === undefined) return;
  const { changes, profile } = drift;
  const count = { tests: changes.length, failures: changes.length, errors: 0, skipped: 0 };
  const suite = root.ele('testsuite', { name: 'drift', ...count, time: '0.000', timestamp: startedAt });
  for (const change of changes) {
    const testcase = suite.ele('testcase', { classname: 'drift', name: change.id, time: '0.000' });
    const text = `${describeChange(change)}, since ${describeProfile(profile)}`;
    testcase.ele('failure', { message: text, type: 'drift' }).txt(text);
  }
}

/** What deviates in the scenario that a problem is shown by; the others name that one, so that evidence stands here once. */
function describeDeviations(scenario: ScenarioResult, result: RunResult): string {
  const problems = result.problems.filter(({ scenarios }) => scenarios.includes(scenario.id));
  const isShown = problems.length === 0 || problems.some(({ shown }) => shown.scenario === scenario.id);
  return [
    ...problems.map((each) => each.headline),
    ...(isShown ? listEvidence(scenario, result) : problems.map(({ shown }) => `shown by ${shown.scenario}`)),
    `again ${formatAgain({ scenario }, result)}`,
  ].join('\n');
}

function listEvidence(scenario: ScenarioResult, result: RunResult): string[] {
  const exchanges = scenario.steps.flatMap(({ exchanges: all }) => all);
  const described = exchanges.flatMap((exchange) => describeExchange(exchange, scenario, result));
  const left = described.length - MAX_LINES;
  return [
    ...described.slice(0, MAX_LINES).map((line) => cut(line, MAX_LINE)),
    ...(left > 0 ? [`and ${left} lines more, which the JSON report has`] : []),
  ];
}

function describeExchange(exchange: ExchangeResult, scenario: ScenarioResult, result: RunResult): string[] {
  const deviations = exchange.findings.filter(
    ({ severity, baseline }) => severity === 'deviation' && baseline?.state !== 'known',
  );
  if (deviations.length === 0) return [];
  const lines = deviations.map((finding) => {
    const place = formatPlace(findPlace({ finding, scenario }, result));
    return `${finding.at}: expected ${finding.expected}, but found ${finding.actual} (${place})`;
  });
  return [...lines, `  ${formatCurl(result.target, exchange)}`];
}

function groupByFile(scenarios: readonly ScenarioResult[]): Map<string, ScenarioResult[]> {
  const groups = new Map<string, ScenarioResult[]>();
  for (const scenario of scenarios) {
    const [file] = splitId(scenario.id);
    groups.set(file, [...(groups.get(file) ?? []), scenario]);
  }
  return groups;
}

function splitId(id: string): [string, string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}

function countOf(scenarios: readonly ScenarioResult[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  return {
    tests: scenarios.length,
    failures: scenarios.filter(({ verdict }) => verdict === 'deviated').length,
    errors: 0,
    skipped: scenarios.filter(({ verdict }) => ['inconclusive', 'skipped', 'known'].includes(verdict)).length,
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
