import { styleText } from 'node:util';
import { showDifference } from '../conformance/checks/check.js';
import type { ExchangeResult, RunResult, GapResult, Problem } from '../conformance/model/result.js';
import { groupBy } from '../contract/document/plain.js';
import { formatPlace } from '../errors.js';
import { spellOutAll } from '../redact/spell-out.js';
import { formatProof } from './curl.js';
import { count, listLeft, groupProblems, groupKnownProblems, listDoubts, listAlso } from './report-format.js';
import type { ReportFormat, ReportOptions, ShownProblem } from './report-format.js';
import * as say from './summarize.js';

/**
 * For people with ten seconds: how many problems there are, where each appears, what the contract says and
 * how to see it again, and one line for each other result of the run. `verbose` shows everything in full.
 */
export const prettyReport: ReportFormat = { name: 'pretty', file: undefined, write: writePretty };

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;
type Row = [name: string, text: string];

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
/** So many oddities of the document are told in a line each. */
const MOST_OF_CONTRACT = 4;
const MAX_LISTED = 3;

function writePretty(raw: RunResult, options: ReportOptions): string {
  // Text from a target must not steer the terminal, or look like our own lines.
  const result = spellOutAll(withoutSoundExchanges(raw));
  const { quiet, failedBy, verbose = false, gaps = false } = options;
  const style: Style = options.color
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text;
  const { problems } = result.summary;
  const color = problems > 0 || failedBy !== undefined ? 'red' : 'green';
  const shown = groupProblems(result);
  const rest = verbose ? tellRest(result, style) : summarizeRest(result, gaps, style);
  const parts = [
    // If nothing follows, the summary says the same.
    quiet && problems === 0 ? '' : style([color, 'bold'], say.headline(result, failedBy)),
    ...(verbose ? shown.map((each) => describeInFull(each, result, style)) : describeBriefly(shown, result, style)),
    ...say
      .listBaselineProblems(result)
      .map(({ text, line }) => `${style('red', '✗')} ${formatPlace(line.place)}  ${text}`),
    describeDrift(result, style, quiet),
    ...(quiet ? [] : [...rest, ...listLeft(result).map((line) => `! ${line}`)]),
    style(color, say.summarize(result, failedBy)),
  ].filter((part) => part !== '');
  // A few lines need no space between them.
  const isShort = !verbose && !gaps && result.problems.length === 0;
  return `${parts.join(isShort ? '\n' : '\n\n')}\n`;
}

/** Exchanges without findings are not shown, and their bodies are most of a result. */
function withoutSoundExchanges(result: RunResult): RunResult {
  const withoutSound = (exchange: ExchangeResult): ExchangeResult => {
    if (exchange.findings.length > 0) return exchange;
    const { operationId, request, durationMs } = exchange;
    return { operationId, request: { ...request, headers: {}, body: '' }, durationMs, findings: [] };
  };
  const scenarios = result.scenarios.map((scenario) => {
    const steps = scenario.steps.map((step) => ({ ...step, exchanges: step.exchanges.map(withoutSound) }));
    return Object.assign({}, scenario, { steps });
  });
  return { ...result, scenarios };
}

function tellRest(result: RunResult, style: Style): string[] {
  const open = result.scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  const inconclusive = [...groupBy(open, ({ reason = '' }) => reason)].map(
    ([reason, same]) => `${style('yellow', '?')} ${listSome(same.map(({ id }) => id))}\n    ${reason}`,
  );
  const uncovered = result.coverage.missing.map(
    (each) => `    ${say.nameUncovered(each)}  ${each.contract.file}:${each.contract.line ?? 1}`,
  );
  const notes = [...result.notes, ...(result.contract.notes ?? [])];
  return [
    describeKnown(result, style),
    inconclusive.join('\n'),
    describeGaps(result.gaps, style),
    uncovered.length === 0 ? '' : ['not covered', ...uncovered].join('\n'),
    notes.map((note) => `! ${note}`).join('\n'),
  ];
}

function summarizeRest(result: RunResult, showsGaps: boolean, style: Style): string[] {
  const { scenarios, notes, contract, coverage, gaps } = result;
  const [lacking, ...others] = say.groupInconclusive(scenarios);
  const open =
    lacking === undefined
      ? []
      : [`${style('yellow', '?')} ${lacking.ids.length} inconclusive: ${say.cut(lacking.reason, REASON)}`];
  const left = others.reduce((sum, { ids }) => sum + ids.length, 0);
  const { missing } = coverage;
  const first = missing.find(({ sent }) => sent === undefined) ?? missing[0];
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more (--verbose)`;
  const silent = `where the contract is silent: ${say.splitGaps(gaps).seen.length} of ${gaps.length} gaps observed (--gaps shows them)`;
  const lines = [
    ...andMore(open, left, 'for other reasons'),
    ...summarizeNotes(notes, 1),
    ...summarizeNotes(contract.notes ?? [], MOST_OF_CONTRACT),
    ...(first === undefined ? [] : [say.cut(`not covered: ${say.nameUncovered(first)}${more}`, LINE)]),
    ...(showsGaps || gaps.length === 0 ? [] : [style('dim', silent)]),
  ];
  return [describeKnown(result, style), lines.join('\n'), showsGaps ? describeGaps(gaps, style) : ''];
}

function summarizeNotes(notes: readonly string[], most: number): string[] {
  const left = notes.length - most;
  const lines = notes.slice(0, most).map((note) => `! ${say.cut(note, LINE)}`);
  return andMore(lines, left, left === 1 ? 'note' : 'notes');
}

function andMore(lines: readonly string[], left: number, of: string): string[] {
  return left <= 0 ? [...lines] : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} · and ${left} more ${of} (--verbose)`];
}

function describeInFull(shown: ShownProblem, result: RunResult, style: Style): string {
  const { problem, scenario, exchange, finding, moreScenarios, morePlaces } = shown;
  const { request, response, failure } = exchange;
  const body = request.body === undefined ? '' : ` ${say.cut(request.body, 120)}`;
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  const came = response?.body === '' ? 'no body' : say.cut(response?.body ?? '', 100);
  const answer = response === undefined ? (failure ?? 'no response') : `${response.status}, ${came}`;
  const { text, place } =
    finding.contract === undefined ? scenario.basis : { text: `#${finding.contract.pointer}`, place: finding.contract };
  return writeRows(problem.headline, style, [
    ['where', describeWhere(problem)],
    ['scenario', `${scenario.id}  ${scenario.title}`],
    ['sent', `${request.method} ${request.path}${auth}${body} → ${answer}`],
    ['expected', problem.expected],
    ['actual', `${problem.actual} at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more`}`],
    ['contract', place === undefined ? text : `${place.file}:${place.line ?? 1}  ${text}`],
    ...(moreScenarios.length === 0 ? [] : [['also in', listSome(moreScenarios)] satisfies Row]),
    ...listDoubts(shown),
    ['again', say.formatAgain(shown, result)],
    ['', formatProof(result, exchange, finding)],
  ]);
}

function describeKnown(result: RunResult, style: Style): string {
  const rows = groupKnownProblems(result).flatMap((problem) => {
    const { scenario, finding, moreScenarios } = problem;
    if (finding.baseline === undefined) return [];
    const head = `${style('dim', '~')} ${listSome([scenario.id, ...moreScenarios])}   expected ${finding.expected}, found ${say.summarizeActual(problem)}`;
    return [head, `    ${say.summarizeKnown(finding.baseline)}`];
  });
  return rows.join('\n');
}

function describeGaps(gaps: readonly GapResult[], style: Style): string {
  if (gaps.length === 0) return '';
  const { seen, unseen } = say.splitGaps(gaps);
  const rows = [...seen, ...unseen].flatMap(({ id, question, answer, evidence }) => [
    `    ${question}`,
    `        ${style('cyan', `${id}: ${say.cut(say.showAnswer(answer), 160)}`)}  ${style('dim', say.cut(evidence, 160))}`,
  ]);
  return [style('dim', `where the contract is silent (${seen.length} of ${gaps.length} observed)`), ...rows].join('\n');
}

/** What has changed since the profile; differences that prove no change are only noted. */
function describeDrift({ drift, gaps }: RunResult, style: Style, quiet: boolean): string {
  if (drift === undefined || (quiet && drift.changes.length === 0)) return '';
  const file = say.describeProfile(drift.profile);
  const changes = drift.changes.flatMap((change) => [
    `${style('red', '≠')} ${style('bold', say.describeChange(change))}`,
    ...gaps
      .filter(({ id }) => id === change.id)
      .map(({ question, evidence }) => `    ${question}  ${say.cut(evidence, 160)}`),
  ]);
  const noted = (quiet ? [] : drift.notes).map((note) => `noted, no change  ${say.cut(say.describeChange(note), 200)}`);
  const head = changes.length === 0 ? `nothing has changed since ${file}` : `changed since ${file}`;
  return [head, ...changes, ...noted.map((text) => `    ${style('dim', text)}`)].join('\n');
}

function listSome(ids: readonly string[]): string {
  const rest = ids.length - MAX_LISTED;
  return rest <= 0 ? ids.join(', ') : `${ids.slice(0, MAX_LISTED).join(', ')} and ${rest} more`;
}

/** The problems, so that four, or ten, are seen on one screen. */
function describeBriefly(problems: readonly ShownProblem[], result: RunResult, style: Style): string[] {
  if (problems.length <= MOST_FULL) return problems.map((problem) => describeProblem(problem, result, style));
  const told = problems.slice(0, MOST_TOLD).map((problem) => describeShortly(problem, result, style));
  const named = problems.slice(MOST_TOLD, MOST_TOLD + MOST_NAMED).map(({ problem }) => {
    const again = style('dim', say.formatAgainFlag(problem.shown.scenario));
    const head = `${style('red', '✗')} ${say.cut(problem.headline, LINE)}  ${again}`;
    return [head, ...listAlso(problem).map((text) => formatRow(['also', text], style))].join('\n');
  });
  const left = problems.length - MOST_TOLD - MOST_NAMED;
  const rest = left > 0 ? [`and ${left} more problems (--verbose or another report lists them)`] : [];
  return [[...told, ...named, ...rest].join('\n')];
}

function describeShortly(shown: ShownProblem, result: RunResult, style: Style): string {
  const { problem, finding } = shown;
  const { expected, actual } = showDifference(finding.value ?? problem.expected, problem.actual, MOST_OF_SHORT);
  return writeRows(say.cut(problem.headline, LINE), style, [
    ['where', `${say.cut(describeExample(shown), MOST_OF_EXAMPLE)}: expected ${expected}, found ${actual}`],
    ...listAlso(problem).map((text): Row => ['also', text]),
    ['again', say.formatAgain(shown, result)],
  ]);
}

function describeProblem(shown: ShownProblem, result: RunResult, style: Style): string {
  const { problem, exchange } = shown;
  const { expected, actual } = showDifference(problem.expected, problem.actual, MOST_OF_VALUE);
  return writeRows(say.cut(problem.headline, LINE), style, [
    ['where', say.cut(describeExample(shown), LINE)],
    ['expected', `${expected}, found ${actual}`],
    ['contract', describeContract(shown, style)],
    ...(problem.hides === undefined ? [] : [['hides', say.cut(problem.hides, LINE)] satisfies Row]),
    ...listAlso(problem).map((text): Row => ['also', text]),
    ['again', say.formatAgain(shown, result)],
    ['', formatProof(result, exchange, shown.finding)],
  ]);
}

function writeRows(headline: string, style: Style, rows: readonly Row[]): string {
  return [`${style('red', '✗')} ${style('bold', headline)}`, ...rows.map((row) => formatRow(row, style))].join('\n');
}

function formatRow([name, text]: Row, style: Style): string {
  return `    ${style('dim', name.padEnd(9))}  ${text}`;
}

function describeExample({ problem, exchange }: ShownProblem): string {
  return `${describeWhere(problem)}, such as ${say.summarizeExchange(exchange)}`;
}

function describeContract(shown: ShownProblem, style: Style): string {
  const { contract } = shown.problem;
  if (contract?.excerpt === undefined) return say.cut(say.describeRule(shown), LINE);
  const lines = contract.excerpt.split(/\n|\\u000a/).map((line) => line.trim());
  const place = formatPlace({ file: contract.file, line: contract.line ?? 1 });
  return `${place}  ${style('dim', say.cut(lines.join(' · '), LINE - place.length))}`;
}

/** `listPets, getPet: 37 answers in 12 scenarios` */
export function describeWhere({ operations, answers, scenarios }: Problem): string {
  const where = operations.length === 0 ? 'paths that the contract does not have' : operations.join(', ');
  const many = scenarios.length === 1 ? '' : ` in ${scenarios.length} scenarios`;
  return `${where}: ${count(answers, 'response')}${many}`;
}
