import { styleText } from 'node:util';
import type {
  ExchangeResult,
  RunResult,
  CoverageResult,
  GapResult,
  ScenarioResult,
  Problem,
} from '../conformance/model/result.js';
import { formatPlace } from '../errors.js';
import { spellOutAll } from '../redact/spell-out.js';
import { listLeft, groupProblems, groupKnownProblems, listDoubts, type ShownProblem, listAlso } from './problems.js';
import type { ReportFormat, ReportOptions } from './report.js';
import {
  headline,
  listBaselineProblems,
  summarize,
  cut,
  formatAgain,
  nameUncovered,
  summarizeActual,
  summarizeKnown,
  describeChange,
  describeProfile,
  showAnswer,
  splitGaps,
  describeRule,
  formatAgainFlag,
  groupInconclusive,
  summarizeAnswer,
  summarizeRequest,
} from './summarize.js';
import { groupBy } from '../contract/document/plain.js';
import { formatProof } from './curl.js';
import { showDifference } from '../conformance/checks/show.js';

/**
 * For people with ten seconds: how many problems there are, where each appears, what the contract says and
 * how to see it again, and one line for each other result of the run. `verbose` shows everything in full.
 */
export const prettyReport: ReportFormat = { name: 'pretty', file: undefined, write: writePretty };

function writePretty(raw: RunResult, options: ReportOptions): string {
  // Text from a target must not steer the terminal, or look like our own lines.
  const result = spellOutAll(withoutSoundExchanges(raw));
  const style: Style = options.color
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text;
  const { problems } = result.summary;
  const color = problems > 0 || options.failedBy !== undefined ? 'red' : 'green';
  const parts = [
    // If nothing follows, the summary says the same.
    options.quiet && problems === 0 ? '' : style([color, 'bold'], headline(result, options.failedBy)),
    ...listProblems(result, options, style),
    ...listBaselineProblems(result).map(({ text, line }) => `${style('red', '✗')} ${formatPlace(line.place)}  ${text}`),
    describeDrift(result, { style, quiet: options.quiet }),
    ...(options.quiet
      ? []
      : options.verbose === true
        ? tellRest(result, style)
        : summarizeRest(result, options, style)),
    ...(options.quiet ? [] : listLeft(result).map((line) => `! ${line}`)),
    style(color, summarize(result, options.failedBy)),
  ].filter((part) => part !== '');
  // A few lines need no space between them.
  const isShort = options.verbose !== true && options.gaps !== true && result.problems.length === 0;
  return `${parts.join(isShort ? '\n' : '\n\n')}\n`;
}

function listProblems(result: RunResult, { verbose }: ReportOptions, style: Style): string[] {
  const problems = groupProblems(result);
  if (verbose !== true) return describeBriefly(problems, result, style);
  return problems.map((problem) => describeInFull(problem, result, style));
}

function tellRest(result: RunResult, style: Style): string[] {
  return [
    describeKnown(result, style),
    describeInconclusive(result.scenarios, style),
    describeGaps(result.gaps, style),
    describeUncovered(result.coverage),
    describeNotes([...result.notes, ...(result.contract.notes ?? [])]),
  ];
}

/** So many oddities of the document are told in a line each. */
const MOST_OF_CONTRACT = 4;

/** One line for each remaining result that is worth one. */
function summarizeRest(result: RunResult, { gaps }: ReportOptions, style: Style): string[] {
  const lines = [
    ...summarizeInconclusive(result.scenarios, { style, most: 1 }),
    ...summarizeNotes(result.notes, 1),
    ...summarizeNotes(result.contract.notes ?? [], MOST_OF_CONTRACT),
    ...summarizeUncovered(result.coverage),
    ...(gaps === true ? [] : summarizeGaps(result, style)),
  ];
  return [describeKnown(result, style), lines.join('\n'), gaps === true ? describeGaps(result.gaps, style) : ''];
}

/** The report does not show them, and their bodies are most of a result. */
function withoutSoundExchanges(result: RunResult): RunResult {
  const scenarios = result.scenarios.map((scenario) => {
    const steps = scenario.steps.map((step) => ({ ...step, exchanges: step.exchanges.map(withoutSound) }));
    return Object.assign({}, scenario, { steps });
  });
  return { ...result, scenarios };
}

function withoutSound(exchange: ExchangeResult): ExchangeResult {
  if (exchange.findings.length > 0) return exchange;
  const { operationId, request, durationMs } = exchange;
  return { operationId, request: { ...request, headers: {}, body: '' }, durationMs, findings: [] };
}

/** A problem in full. */
function describeInFull(problem: ShownProblem, result: RunResult, style: Style): string {
  const { scenario, exchange, finding, moreScenarios, morePlaces } = problem;
  const rows: [string, string][] = [
    ['where', describeWhere(problem.problem)],
    ['scenario', `${scenario.id}  ${scenario.title}`],
    ['sent', describeExchange(exchange)],
    ['expected', problem.problem.expected],
    ['actual', `${problem.problem.actual} at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more`}`],
    ['contract', describeBasis(scenario, finding.contract)],
    ...(moreScenarios.length === 0 ? [] : [['also in', listSome(moreScenarios)] as [string, string]]),
    ...listDoubts(problem),
    ['again', formatAgain(problem, result)],
    ['', formatProof(result, exchange, finding)],
  ];
  const head = `${style('red', '✗')} ${style('bold', problem.problem.headline)}`;
  return [head, ...rows.map(([name, value]) => `    ${style('dim', name.padEnd(9))}  ${value}`)].join('\n');
}

function describeExchange({ request, response, failure }: ExchangeResult): string {
  const body = request.body === undefined ? '' : ` ${cut(request.body, 120)}`;
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  const answer =
    response === undefined ? (failure ?? 'no response') : `${response.status}${describeBody(response.body)}`;
  return `${request.method} ${request.path}${auth}${body} → ${answer}`;
}

function describeBody(text: string): string {
  if (text === '') return ', no body';
  return `, ${cut(text, 100)}`;
}

function describeBasis(scenario: ScenarioResult, rule: ShownProblem['finding']['contract']): string {
  if (rule !== undefined) return `${rule.file}:${rule.line ?? 1}  #${rule.pointer}`;
  const { text, place } = scenario.basis;
  return place === undefined ? text : `${place.file}:${place.line ?? 1}  ${text}`;
}

/** Scenarios that lack the same thing are grouped. */
function describeInconclusive(scenarios: readonly ScenarioResult[], style: Style): string {
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  const rows = [...groupBy(open, ({ reason = '' }) => reason)].map(
    ([reason, same]) => `${style('yellow', '?')} ${listSome(same.map(({ id }) => id))}\n    ${reason}`,
  );
  return rows.join('\n');
}

function describeKnown(result: RunResult, style: Style): string {
  const rows = groupKnownProblems(result).flatMap((problem) => {
    const { scenario, finding, moreScenarios } = problem;
    if (finding.baseline === undefined) return [];
    const head = `${style('dim', '~')} ${listSome([scenario.id, ...moreScenarios])}   expected ${finding.expected}, found ${summarizeActual(problem)}`;
    return [head, `    ${summarizeKnown(finding.baseline)}`];
  });
  return rows.join('\n');
}

/** Each gap with what was seen and the evidence; below, what was not seen and why. */
function describeGaps(gaps: readonly GapResult[], style: Style): string {
  if (gaps.length === 0) return '';
  const { seen, unseen } = splitGaps(gaps);
  const rows = [...seen, ...unseen].flatMap(({ id, question, answer, evidence }) => [
    `    ${question}`,
    `        ${style('cyan', `${id}: ${cut(showAnswer(answer), 160)}`)}  ${style('dim', cut(evidence, 160))}`,
  ]);
  const head = `where the contract is silent (${seen.length} of ${gaps.length} observed)`;
  return [style('dim', head), ...rows].join('\n');
}

/** What has changed since the profile; differences that prove no change are only noted. */
function describeDrift({ drift, gaps }: RunResult, { style, quiet }: { style: Style; quiet: boolean }): string {
  if (drift === undefined) return '';
  const file = describeProfile(drift.profile);
  const changes = drift.changes.flatMap((change) => [
    `${style('red', '≠')} ${style('bold', describeChange(change))}`,
    ...gaps
      .filter(({ id }) => id === change.id)
      .map(({ question, evidence }) => `    ${question}  ${cut(evidence, 160)}`),
  ]);
  if (quiet && changes.length === 0) return '';
  const noted = quiet ? [] : drift.notes;
  const notes = noted.map((note) => `    ${style('dim', `noted, no change  ${cut(describeChange(note), 200)}`)}`);
  const head = changes.length === 0 ? `nothing has changed since ${file}` : `changed since ${file}`;
  return [head, ...changes, ...notes].join('\n');
}

/** What no exchange exercised: the run says nothing about it. */
function describeUncovered({ missing }: CoverageResult): string {
  const rows = missing.map((each) => `    ${nameUncovered(each)}  ${each.contract.file}:${each.contract.line ?? 1}`);
  return rows.length === 0 ? '' : ['not covered', ...rows].join('\n');
}

function describeNotes(notes: readonly string[]): string {
  return notes.map((note) => `! ${note}`).join('\n');
}

const MAX_LISTED = 3;

function listSome(ids: readonly string[]): string {
  const rest = ids.length - MAX_LISTED;
  return rest <= 0 ? ids.join(', ') : `${ids.slice(0, MAX_LISTED).join(', ')} and ${rest} more`;
}

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

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
function describeBriefly(problems: readonly ShownProblem[], result: RunResult, style: Style): string[] {
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
function summarizeInconclusive(
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

function summarizeGaps({ gaps }: RunResult, style: Style): string[] {
  if (gaps.length === 0) return [];
  const { seen } = splitGaps(gaps);
  return [
    style('dim', `where the contract is silent: ${seen.length} of ${gaps.length} gaps observed (--gaps shows them)`),
  ];
}

/** The first notes, and how many more there are. */
function summarizeNotes(notes: readonly string[], most: number): string[] {
  const left = notes.length - most;
  const lines = notes.slice(0, most).map((note) => `! ${cut(note, LINE)}`);
  return left <= 0
    ? lines
    : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more ${left === 1 ? 'note' : 'notes'} (--verbose)`];
}

function summarizeUncovered({ missing }: RunResult['coverage']): string[] {
  const first = missing.find(({ sent }) => sent === undefined) ?? missing[0];
  if (first === undefined) return [];
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more (--verbose)`;
  return [cut(`not covered: ${nameUncovered(first)}${more}`, LINE)];
}
