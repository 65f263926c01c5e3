import { groupBy } from '../contract/document/plain.js';
import { create, type XMLElement } from 'xmlbuilder';
import type { GapResult, RunResult, ScenarioResult } from '../conformance/model/result.js';
import { formatPlace } from '../errors.js';
import { formatProof } from './curl.js';
import {
  describeChange,
  describeGap,
  describeProfile,
  countConcluded,
  countProblems,
  cut,
  describeLoss,
  describeRule,
  headline,
  formatAgain,
  listBaselineProblems,
  nameUncovered,
  percentOf,
  summarizeActual,
  summarizeAnswer,
  summarizeKnown,
  summarizeRequest,
  summarizeScenario,
} from './summarize.js';
import { listLeft, groupProblems, listAlso, type ShownProblem } from './problems.js';
import { spellOutXml } from '../redact/spell-out.js';
import type { ReportFormat } from './report.js';

/**
 * JUnit XML as CI viewers read it: a suite of the problems, in which each is a failure, then a suite for each scenario
 * file. A viewer counts failures, so a scenario that deviates is none of its own: it is skipped, and names its problem.
 */
export const junitReport: ReportFormat = { name: 'junit', file: 'conformance-junit.xml', write: writeJunit };

const MAX_LIST = 4000;
const MAX_LINE = 500;
const MAX_NAME = 200;
/** The scenario file whose suite contains the gaps. */
const GAPS_FILE = 'gaps';

/** A case as the counts of its suite see it. */
interface Case {
  classname: string;
  name: string;
  ms?: number;
  /** What became of it, if it did not pass: the first line is its message. */
  outcome?: { kind: 'failure' | 'error' | 'skipped'; type?: string; text: string };
  output?: string;
}

interface Suite {
  name: string;
  cases: Case[];
  properties?: [string, string][];
}

function writeJunit(result: RunResult): string {
  const problems = groupProblems(result);
  const suites: Suite[] = [
    { name: 'run', cases: listRunErrors(result) },
    { name: 'problems', cases: nameApart(problems.map((problem) => describeProblem(problem, result))) },
    { name: 'baseline', cases: listBaseline(result) },
    { name: 'drift', cases: listDrift(result) },
  ].filter(({ cases }) => cases.length > 0);
  for (const [name, scenarios] of groupBy(result.scenarios, ({ id }) => splitId(id)[0])) {
    const cases = scenarios.map((scenario) => describeScenario(scenario, problems));
    suites.push({ name, cases, properties: listProperties(result, name === GAPS_FILE ? result.gaps : []) });
  }
  const root = create('testsuites', { encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  // The suites count the skipped cases; the schema has no place for that here.
  const { skipped: _, ...counts } = countOf(suites.flatMap(({ cases }) => cases));
  root.att({ name: `petstore-conformance: ${headline(result)}`, ...counts, time: seconds(result.durationMs) });
  for (const suite of suites) writeSuite(root, suite, result.startedAt);
  return `${spellOutXml(root.end({ pretty: true }))}\n`;
}

function writeSuite(root: XMLElement, { name, cases, properties = [] }: Suite, timestamp: string): void {
  const ms = cases.reduce((sum, each) => sum + (each.ms ?? 0), 0);
  const suite = root.ele('testsuite', { name, ...countOf(cases), time: seconds(ms), timestamp });
  const rows = properties.length === 0 ? undefined : suite.ele('properties');
  for (const [key, value] of properties) rows?.ele('property', { name: key, value });
  for (const each of cases) writeCase(suite, each);
}

function writeCase(suite: XMLElement, { classname, name, ms = 0, outcome, output }: Case): void {
  const testcase = suite.ele('testcase', { classname, name, time: seconds(ms) });
  if (outcome !== undefined) {
    const { kind, type, text } = outcome;
    const message = text.split('\n')[0] ?? '';
    const element = testcase.ele(kind, { message, ...(type === undefined ? {} : { type }) });
    if (kind !== 'skipped') element.txt(text);
  }
  if (output !== undefined) testcase.ele('system-out').txt(output);
}

/** A run that came to nothing must not look like one that found nothing. */
function listRunErrors(result: RunResult): Case[] {
  const reasons = [
    ...(result.interrupted ? ['the run was interrupted'] : []),
    ...(result.targetLost ? [describeLoss(result)] : []),
    ...(countConcluded(result).concluded === 0 || result.untested !== undefined ? [countProblems(result)] : []),
  ];
  if (reasons.length === 0) return [];
  return [{ classname: 'run', name: 'the run', outcome: { kind: 'error', type: 'run', text: reasons.join('; ') } }];
}

/** By its name, viewers know a problem again in another run, so a value that was met is left out of it. */
function describeProblem(problem: ShownProblem, result: RunResult): Case {
  const { exchange, finding, moreScenarios } = problem;
  const { headline: what, contract } = problem.problem;
  const lines = [
    what,
    summarizeScenario({ ...problem, moreScenarios: [] }),
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(problem)}`,
    `contract ${describeRule(problem)}`,
    ...(contract?.excerpt?.split('\n') ?? []).map((line) => `  ${line}`),
    ...(moreScenarios.length === 0 ? [] : [`also in ${moreScenarios.join(', ')}`]),
    ...listAlso(problem.problem).map((line) => `also ${line}`),
    `again ${formatAgain(problem, result)}`,
    formatProof(result, exchange, finding),
  ];
  const text = lines.map((line) => cut(line, MAX_LINE)).join('\n');
  const name = cut(what.replaceAll(/ \("[^"]*"\)/g, ''), MAX_NAME);
  return { classname: 'problems', name, outcome: { kind: 'failure', type: 'deviation', text } };
}

/** Viewers take two cases with the same name for one. */
function nameApart(cases: readonly Case[]): Case[] {
  const counts = new Map<string, number>();
  return cases.map((each) => {
    const count = (counts.get(each.name) ?? 0) + 1;
    counts.set(each.name, count);
    return count === 1 ? each : { ...each, name: `${each.name} (${count})` };
  });
}

/** In JUnit only suites have properties, so each suite of scenarios repeats those of the run. */
function listProperties(result: RunResult, gaps: readonly GapResult[]): [string, string][] {
  const { target, contract, coverage } = result;
  const never = coverage.missing.map(nameUncovered);
  return [
    ['target', target],
    ['contract', `${contract.title} ${contract.version} (${contract.file})`],
    ['contract coverage', `${percentOf(coverage)} % (${coverage.covered} of ${coverage.total})`],
    ...listLeft(result).map((line): [string, string] => ['leftover', cut(line, MAX_LIST)]),
    ...(never.length === 0 ? [] : [['not covered', cut(never.join('; '), MAX_LIST)] as [string, string]]),
    ...gaps.map((gap): [string, string] => [`gap ${gap.id}`, cut(describeGap(gap), MAX_LIST)]),
  ];
}

function describeScenario(scenario: ScenarioResult, problems: readonly ShownProblem[]): Case {
  const { id, title, durationMs: ms, gap } = scenario;
  const [classname, name] = splitId(id);
  const outcome = describeOutcome(scenario, problems);
  return {
    classname,
    name: `${name}: ${title}`,
    ms,
    ...(outcome === undefined ? {} : { outcome }),
    ...(gap === undefined ? {} : { output: `${gap.id}: ${gap.choice} (${gap.evidence})` }),
  };
}

function describeOutcome(scenario: ScenarioResult, problems: readonly ShownProblem[]): Case['outcome'] {
  const { verdict, reason = '' } = scenario;
  if (verdict === 'known') return { kind: 'skipped', text: listKnown(scenario).join('; ') };
  if (verdict === 'inconclusive' || verdict === 'skipped') return { kind: 'skipped', text: `${verdict}: ${reason}` };
  if (verdict !== 'deviated') return undefined;
  const shown = problems.filter(({ problem }) => problem.scenarios.includes(scenario.id));
  const more = shown.length > 1 ? ` and ${shown.length - 1} more` : '';
  const [first] = shown;
  if (first !== undefined)
    return { kind: 'skipped', text: `deviates; see problems: ${cut(first.problem.headline, MAX_NAME)}${more}` };
  return { kind: 'failure', type: 'deviation', text: 'deviates' };
}

function listKnown({ steps }: ScenarioResult): string[] {
  const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
  return [...new Set(findings.flatMap(({ baseline }) => (baseline === undefined ? [] : [summarizeKnown(baseline)])))];
}

/** A case for each line of the baseline that must be changed, since each fails the run. */
function listBaseline(result: RunResult): Case[] {
  return listBaselineProblems(result).map(({ text, line }) => ({
    classname: 'baseline',
    name: formatPlace(line.place),
    outcome: { kind: 'failure', type: 'baseline', text },
  }));
}

/** A case for each gap at which the target differs from the profile. */
function listDrift({ drift }: RunResult): Case[] {
  const since = drift === undefined ? '' : describeProfile(drift.profile);
  return (drift?.changes ?? []).map((change) => ({
    classname: 'drift',
    name: change.id,
    outcome: { kind: 'failure', type: 'drift', text: `${describeChange(change)}, since ${since}` },
  }));
}

function splitId(id: string): [string, string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}

function countOf(cases: readonly Case[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const count = (wanted: string): number => cases.filter(({ outcome }) => outcome?.kind === wanted).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
