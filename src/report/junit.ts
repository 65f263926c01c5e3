import { create, type XMLElement } from 'xmlbuilder';
import type { GapResult, RunResult, ScenarioResult } from '../conformance/model/result.js';
import { groupBy } from '../contract/document/plain.js';
import { formatPlace } from '../errors.js';
import { spellOutXml } from '../redact/spell-out.js';
import { listLeft, groupProblems, listAlso, type ReportFormat, type ShownProblem } from './report-format.js';
import * as say from './summarize.js';

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

interface Case {
  classname: string;
  name: string;
  ms?: number;
  outcome?: { kind: 'failure' | 'error' | 'skipped'; type?: string; text: string } | undefined;
  output?: string;
}

type Suite = { name: string; cases: Case[]; properties?: [string, string][] };

function writeJunit(result: RunResult): string {
  const problems = groupProblems(result);
  const { drift } = result;
  const since = drift === undefined ? '' : say.describeProfile(drift.profile);
  const suites: Suite[] = [
    { name: 'run', cases: listRunErrors(result) },
    { name: 'problems', cases: nameApart(problems.map((problem) => describeProblem(problem, result))) },
    {
      name: 'baseline',
      cases: say.listBaselineProblems(result).map(({ text, line }) => fail('baseline', formatPlace(line.place), text)),
    },
    {
      name: 'drift',
      cases: (drift?.changes ?? []).map((each) =>
        fail('drift', each.id, `${say.describeChange(each)}, since ${since}`),
      ),
    },
  ].filter(({ cases }) => cases.length > 0);
  for (const [name, scenarios] of groupBy(result.scenarios, ({ id }) => splitId(id)[0])) {
    const cases = scenarios.map((scenario) => describeScenario(scenario, problems));
    suites.push({ name, cases, properties: listProperties(result, name === GAPS_FILE ? result.gaps : []) });
  }
  const root = create('testsuites', { encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  // The suites count the skipped cases; the schema has no place for that here.
  const { skipped: _, ...counts } = countOf(suites.flatMap(({ cases }) => cases));
  root.att({ name: `petstore-conformance: ${say.headline(result)}`, ...counts, time: seconds(result.durationMs) });
  for (const suite of suites) writeSuite(root, suite, result.startedAt);
  return `${spellOutXml(root.end({ pretty: true }))}\n`;
}

function fail(type: string, name: string, text: string): Case {
  return { classname: type, name, outcome: { kind: 'failure', type, text } };
}

function writeSuite(root: XMLElement, { name, cases, properties = [] }: Suite, timestamp: string): void {
  const sum = cases.reduce((total, each) => total + (each.ms ?? 0), 0);
  const suite = root.ele('testsuite', { name, ...countOf(cases), time: seconds(sum), timestamp });
  const rows = properties.length === 0 ? undefined : suite.ele('properties');
  for (const [key, value] of properties) rows?.ele('property', { name: key, value });
  for (const { classname, name: of, ms = 0, outcome, output } of cases) {
    const testcase = suite.ele('testcase', { classname, name: of, time: seconds(ms) });
    if (outcome !== undefined) {
      const { kind, type, text } = outcome;
      const message = text.split('\n')[0] ?? '';
      const element = testcase.ele(kind, { message, ...(type === undefined ? {} : { type }) });
      if (kind !== 'skipped') element.txt(text);
    }
    if (output !== undefined) testcase.ele('system-out').txt(output);
  }
}

/** A run that came to nothing must not look like one that found nothing. */
function listRunErrors(result: RunResult): Case[] {
  const reasons = [
    ...(result.interrupted ? ['the run was interrupted'] : []),
    ...(result.targetLost ? [say.describeLoss(result)] : []),
    ...(say.countConcluded(result).concluded === 0 || result.untested !== undefined ? [say.countProblems(result)] : []),
  ];
  if (reasons.length === 0) return [];
  return [{ classname: 'run', name: 'the run', outcome: { kind: 'error', type: 'run', text: reasons.join('; ') } }];
}

/** By its name, viewers know a problem again in another run, so a value that was met is left out of it. */
function describeProblem(shown: ShownProblem, result: RunResult): Case {
  const { moreScenarios, problem } = shown;
  const also = [
    ...(moreScenarios.length === 0 ? [] : [`also in ${moreScenarios.join(', ')}`]),
    ...listAlso(problem).map((line) => `also ${line}`),
  ];
  const lines = [problem.headline, ...say.listEvidence({ ...shown, moreScenarios: [] }, result, also)];
  const text = lines.map((line) => say.cut(line, MAX_LINE)).join('\n');
  const name = say.cut(problem.headline.replaceAll(/ \("[^"]*"\)/g, ''), MAX_NAME);
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
  const never = coverage.missing.map(say.nameUncovered);
  const long = (name: string, text: string): [string, string] => [name, say.cut(text, MAX_LIST)];
  return [
    ['target', target],
    ['contract', `${contract.title} ${contract.version} (${contract.file})`],
    ['contract coverage', `${say.percentOf(coverage)} % (${coverage.covered} of ${coverage.total})`],
    ...listLeft(result).map((line) => long('leftover', line)),
    ...(never.length === 0 ? [] : [long('not covered', never.join('; '))]),
    ...gaps.map((gap) => long(`gap ${gap.id}`, say.describeGap(gap))),
  ];
}

function describeScenario(scenario: ScenarioResult, problems: readonly ShownProblem[]): Case {
  const { id, title, durationMs: ms, gap } = scenario;
  const [classname, name] = splitId(id);
  const output = gap === undefined ? {} : { output: `${gap.id}: ${gap.choice} (${gap.evidence})` };
  return { classname, name: `${name}: ${title}`, ms, outcome: describeOutcome(scenario, problems), ...output };
}

function describeOutcome(scenario: ScenarioResult, problems: readonly ShownProblem[]): Case['outcome'] {
  const { id, verdict, reason = '', steps } = scenario;
  if (verdict === 'known') {
    const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
    const known = findings.flatMap(({ baseline }) => (baseline === undefined ? [] : [say.summarizeKnown(baseline)]));
    return { kind: 'skipped', text: [...new Set(known)].join('; ') };
  }
  if (verdict === 'inconclusive' || verdict === 'skipped') return { kind: 'skipped', text: `${verdict}: ${reason}` };
  if (verdict !== 'deviated') return undefined;
  const [first, ...others] = problems.filter(({ problem }) => problem.scenarios.includes(id));
  if (first === undefined) return { kind: 'failure', type: 'deviation', text: 'deviates' };
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return { kind: 'skipped', text: `deviates; see problems: ${say.cut(first.problem.headline, MAX_NAME)}${more}` };
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
