import type { Problem as FoundProblem } from '../../conformance/problems/problem.js';
import type { RunResult, ScenarioResult } from '../../conformance/result.js';
import { formatProof } from '../curl.js';
import { splitGaps } from '../gaps.js';
import type { Problem } from '../problems.js';
import { cut, describeRule, formatAgain, summarizeAnswer, summarizeRequest } from '../summarize.js';
import type { Style } from './style.js';

/** How many problems are shown with their evidence, and how many more with only their headline. */
const MOST_TOLD = 8;
const MOST_NAMED = 30;
/** The width of a line on a terminal. */
const LINE = 160;
/** Expected and actual share a line when both are short. */
const SHORT = 50;

/** Each problem in at most six lines; if there are many, only the headlines of the rest. */
export function describeBriefly(problems: readonly Problem[], result: RunResult, style: Style): string[] {
  const told = problems.slice(0, MOST_TOLD).map((problem) => describeProblem(problem, result, style));
  const named = problems.slice(MOST_TOLD, MOST_TOLD + MOST_NAMED).map((problem) => nameProblem(problem, style));
  const left = problems.length - MOST_TOLD - MOST_NAMED;
  const rest = [
    ...named,
    ...(left > 0 ? [`and ${left} more problems, which --verbose and the other reports have`] : []),
  ];
  return rest.length === 0 ? told : [...told, rest.join('\n')];
}

function nameProblem({ problem }: Problem, style: Style): string {
  return `${style('red', '✗')} ${cut(problem.headline, LINE)}  ${style('dim', `--again ${problem.shown.scenario}`)}`;
}

function describeProblem(shown: Problem, result: RunResult, style: Style): string {
  const { problem, exchange } = shown;
  const example = `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`;
  const expected = cut(problem.expected, LINE);
  const actual = cut(problem.actual, LINE);
  const proof = formatProof(result.target, exchange, shown.finding);
  const isShort = expected.length <= SHORT && actual.length <= SHORT;
  const rows: [string, string][] = [
    ['where', cut(`${describeWhere(problem)}, such as ${example}`, LINE)],
    ...(isShort
      ? ([['expected', `${expected}, found ${actual}`]] as [string, string][])
      : ([
          ['expected', expected],
          ['actual', actual],
        ] as [string, string][])),
    ['contract', cut(describeRule(shown), LINE)],
    ...listExcerpt(problem).map((line): [string, string] => ['', style('dim', line)]),
    ['again', formatAgain(shown, result)],
    ...(isShort && proof.length <= 2 * LINE ? ([['', proof]] as [string, string][]) : []),
  ];
  const uncertain = problem.uncertain === undefined ? '' : style('dim', ` (${problem.uncertain})`);
  const head = `${style('red', '✗')} ${style('bold', cut(problem.headline, LINE))}${uncertain}`;
  return [head, ...rows.map(([name, value]) => `    ${style('dim', name.padEnd(9))}  ${value}`)].join('\n');
}

/** The lines of the contract that state the rule. */
function listExcerpt({ contract }: FoundProblem): string[] {
  return contract?.excerpt?.split(/\n|\\u000a/) ?? [];
}

/** `listPets, getPet: 37 answers in 12 scenarios` */
export function describeWhere({ operations, answers, scenarios }: FoundProblem): string {
  const where = operations.length === 0 ? 'paths that the contract does not have' : operations.join(', ');
  const count = `${answers} ${answers === 1 ? 'answer' : 'answers'}`;
  return scenarios.length === 1 ? `${where}: ${count}` : `${where}: ${count} in ${scenarios.length} scenarios`;
}

/** What was not concluded: one line for what most scenarios lack, and the number of the others. */
export function summarizeInconclusive(
  scenarios: readonly ScenarioResult[],
  { style, most }: { style: Style; most: number },
): string[] {
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return [];
  const groups = groupByReason(open);
  const lines = groups
    .slice(0, most)
    .map(({ reason, count }) => `${style('yellow', '?')} ${count} inconclusive: ${cut(reason, LINE)}`);
  const left = groups.slice(most).reduce((sum, { count }) => sum + count, 0);
  if (left === 0) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more for other reasons (--verbose)`];
}

/** Reasons that differ only in numbers and ids are one; the first is shown. */
function groupByReason(open: readonly ScenarioResult[]): { reason: string; count: number }[] {
  const groups = new Map<string, { reason: string; count: number }>();
  for (const { reason = '' } of open) {
    const key = reason.replace(/\d+|"[^"]*"/g, '#');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reason, count: 1 });
    else group.count += 1;
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
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
  return left <= 0 ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more notes (--verbose)`];
}

export function summarizeUncovered({ missing }: RunResult['coverage']): string[] {
  if (missing.length === 0) return [];
  const [first] = missing;
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more (--verbose)`;
  return [cut(`never exercised: ${first?.id ?? ''}${more}`, LINE)];
}
