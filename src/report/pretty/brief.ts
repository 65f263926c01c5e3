import { formatPlace } from '../../errors.js';
import { showDifference } from '../../conformance/judge/show-difference.js';
import type { Problem } from '../../conformance/model/problem.js';
import type { RunResult, ScenarioResult } from '../../conformance/model/result.js';
import { formatProof } from '../curl.js';
import { splitGaps } from '../gaps.js';
import { listAlso, type ShownProblem } from '../problems.js';
import {
  cut,
  describeRule,
  formatAgain,
  formatAgainFlag,
  groupInconclusive,
  nameUncovered,
  summarizeAnswer,
  summarizeRequest,
} from '../summarize.js';
import type { Style } from './style.js';

/** So many problems are told at their full length; of more, so many in three lines each, and so many by their headline. */
const MOST_FULL = 4;
const MOST_TOLD = 10;
const MOST_NAMED = 30;
/** The width of a line on a terminal. */
const LINE = 160;
/** A reason ends with what helps, which must not be cut off. */
const REASON = 240;
/** Of a line with an example and both values, so that neither value is cut where they begin to differ. */
const MOST_OF_EXAMPLE = 120;
const MOST_OF_SHORT = 40;
/** Expected and actual share a line, both cut around their first difference; --verbose and the other reports have them whole. */
const MOST_OF_VALUE = 100;

/** The problems, so that four, or ten, are seen on one screen. */
export function describeBriefly(problems: readonly ShownProblem[], result: RunResult, style: Style): string[] {
  if (problems.length <= MOST_FULL) return problems.map((problem) => describeProblem(problem, result, style));
  const told = problems.slice(0, MOST_TOLD).map((problem) => describeShortly(problem, result, style));
  const named = problems.slice(MOST_TOLD, MOST_TOLD + MOST_NAMED).map((problem) => nameProblem(problem, style));
  const left = problems.length - MOST_TOLD - MOST_NAMED;
  const rest = left > 0 ? [`and ${left} more problems (--verbose or another report lists them)`] : [];
  return [[...told, ...named, ...rest].join('\n')];
}

function nameProblem({ problem }: ShownProblem, style: Style): string {
  const head = `${style('red', '✗')} ${cut(problem.headline, LINE)}  ${style('dim', formatAgainFlag(problem.shown.scenario))}`;
  return [head, ...listAlso(problem).map((text) => `    ${style('dim', 'also'.padEnd(9))}  ${text}`)].join('\n');
}

/** In three lines: what is wrong, where it shows, how to see it again. */
function describeShortly(shown: ShownProblem, result: RunResult, style: Style): string {
  const { problem, finding } = shown;
  const { expected, actual } = showDifference(finding.value ?? problem.expected, problem.actual, MOST_OF_SHORT);
  return writeRows(shown, style, [
    ['where', `${cut(describeExample(shown), MOST_OF_EXAMPLE)}: expected ${expected}, found ${actual}`],
    ...listAlso(problem).map((text): [string, string] => ['also', text]),
    ['again', formatAgain(shown, result)],
  ]);
}

/** In six lines, and one for each failure that it subsumes. */
function describeProblem(shown: ShownProblem, result: RunResult, style: Style): string {
  const { problem, exchange } = shown;
  const { expected, actual } = showDifference(problem.expected, problem.actual, MOST_OF_VALUE);
  const proof = formatProof(result, exchange, shown.finding);
  return writeRows(shown, style, [
    ['where', cut(describeExample(shown), LINE)],
    ['expected', `${expected}, found ${actual}`],
    ['contract', describeContract(shown, style)],
    ...(problem.hides === undefined ? [] : ([['hides', cut(problem.hides, LINE)]] as [string, string][])),
    ...listAlso(problem).map((text): [string, string] => ['also', text]),
    ['again', formatAgain(shown, result)],
    ['', proof],
  ]);
}

function writeRows({ problem }: ShownProblem, style: Style, rows: readonly [string, string][]): string {
  const head = `${style('red', '✗')} ${style('bold', cut(problem.headline, LINE))}`;
  return [head, ...rows.map(([name, value]) => `    ${style('dim', name.padEnd(9))}  ${value}`)].join('\n');
}

function describeExample({ problem, exchange }: ShownProblem): string {
  return `${describeWhere(problem)}, such as ${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`;
}

/** The place of the rule, and what stands there, in one line; without that, its pointer. */
function describeContract(shown: ShownProblem, style: Style): string {
  const { contract } = shown.problem;
  if (contract?.excerpt === undefined) return cut(describeRule(shown), LINE);
  const lines = contract.excerpt.split(/\n|\\u000a/).map((line) => line.trim());
  const place = formatPlace({ file: contract.file, line: contract.line ?? 1 });
  return `${place}  ${style('dim', cut(lines.join(' · '), LINE - place.length))}`;
}

/** `listPets, getPet: 37 answers in 12 scenarios` */
export function describeWhere({ operations, answers, scenarios }: Problem): string {
  const where = operations.length === 0 ? 'paths that the contract does not have' : operations.join(', ');
  const count = `${answers} ${answers === 1 ? 'response' : 'responses'}`;
  return scenarios.length === 1 ? `${where}: ${count}` : `${where}: ${count} in ${scenarios.length} scenarios`;
}

/** What was not concluded: one line for what most scenarios lack, and the number of the others. */
export function summarizeInconclusive(
  scenarios: readonly ScenarioResult[],
  { style, most }: { style: Style; most: number },
): string[] {
  const groups = groupInconclusive(scenarios);
  const lines = groups
    .slice(0, most)
    .map(({ reason, ids }) => `${style('yellow', '?')} ${ids.length} inconclusive: ${cut(reason, REASON)}`);
  const left = groups.slice(most).reduce((sum, { ids }) => sum + ids.length, 0);
  if (left === 0) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more for other reasons (--verbose)`];
}

export function summarizeGaps({ gaps }: RunResult, style: Style): string[] {
  if (gaps.length === 0) return [];
  const { seen } = splitGaps(gaps);
  return [
    style('dim', `where the contract is silent: ${seen.length} of ${gaps.length} gaps observed (--gaps shows them)`),
  ];
}

/** The first notes, and how many more there are. */
export function summarizeNotes(notes: readonly string[], most: number): string[] {
  const left = notes.length - most;
  const lines = notes.slice(0, most).map((note) => `! ${cut(note, LINE)}`);
  return left <= 0
    ? lines
    : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more ${left === 1 ? 'note' : 'notes'} (--verbose)`];
}

export function summarizeUncovered({ missing }: RunResult['coverage']): string[] {
  const first = missing.find(({ sent }) => sent === undefined) ?? missing[0];
  if (first === undefined) return [];
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more (--verbose)`;
  return [cut(`not covered: ${nameUncovered(first)}${more}`, LINE)];
}
