import type { RunResult } from '../conformance/model/result.js';
import { formatPlace } from '../errors.js';
import { formatProof } from './curl.js';
import { groupProblems, groupKnownProblems, listDoubts, type ShownProblem, listLeft } from './problems.js';
import {
  describeChange,
  describeGap,
  describeProfile,
  countProblems,
  cut,
  findPlace,
  formatAgain,
  groupInconclusive,
  listBaselineProblems,
  nameUncovered,
  summarize,
  summarizeActual,
  summarizeAnswer,
  summarizeKnown,
  summarizeRequest,
  type Lacking,
  takeWhileFits,
} from './summarize.js';
import type { ReportFormat } from './report.js';
import { spellOut } from '../redact/spell-out.js';

/** For a comment on a pull request or a job summary: a table of problems, with ways to see each again folded below. */
export const markdownReport: ReportFormat = { name: 'markdown', file: 'conformance.md', write: writeMarkdown };

/** GitHub refuses a comment of 65,536 characters. */
const MAX_LENGTH = 60_000;
const MAX_TABLE = 25_000;
const MAX_DETAILS = 45_000;
const MAX_LISTS = 55_000;

function writeMarkdown(result: RunResult): string {
  const problems = groupProblems(result);
  const isStale = problems.length === 0 && listBaselineProblems(result).length > 0;
  const title = isStale ? 'the baseline must be changed' : countProblems(result);
  const parts = [`### petstore-conformance: ${title}`, escapeText(cut(result.target, 200)), ...listDrift(result)];
  const lengthOf = (): number => parts.reduce((sum, part) => sum + part.length + 2, 0);
  if (problems.length > 0) parts.push(...writeTable(problems, result, MAX_TABLE - lengthOf()));
  parts.push(...takeWhileFits(problems, (problem) => describeProblem(problem, result), MAX_DETAILS - lengthOf()).parts);
  for (const [name, rows] of listRest(result)) {
    if (rows.length > 0) parts.push(writeList(name, rows, MAX_LISTS - lengthOf()));
  }
  parts.push(summarize(result));
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  if (text.length > MAX_LENGTH) throw new Error(`the markdown report has ${text.length} characters`);
  return text;
}

/** What has changed since the profile; not folded. */
function listDrift({ drift }: RunResult): string[] {
  if (drift === undefined) return [];
  const file = escapeText(cut(describeProfile(drift.profile), 200));
  if (drift.changes.length === 0) return [`Nothing has changed since the profile ${file}.`];
  const rows = drift.changes.map((change) => `- ${escapeText(cut(describeChange(change), 250))}`);
  return [`Changed since the profile ${file}:`, rows.join('\n')];
}

function writeTable(problems: readonly ShownProblem[], result: RunResult, budget: number): string[] {
  const writeRow = (problem: ShownProblem): string =>
    `| ${[
      problem.problem.headline,
      `${summarizeRequest(problem.exchange)} → ${summarizeAnswer(problem.exchange)}`,
      problem.finding.expected,
      summarizeActual(problem),
      formatPlace(findPlace(problem, result)),
    ]
      .map((cell) => escapeText(cut(cell, 120)))
      .join(' | ')} |`;
  const { parts, left } = takeWhileFits(problems, writeRow, budget);
  const head = ['| problem | exchange | expected | actual | contract |', '| --- | --- | --- | --- | --- |'];
  return [[...head, ...parts].join('\n'), left === 0 ? '' : `and ${left} more ${plural(left, 'problem')}.`];
}

function describeProblem(problem: ShownProblem, result: RunResult): string {
  const { scenario, exchange, finding, moreScenarios } = problem;
  const rows: [string, string][] = [
    ['scenario', `${scenario.id}: ${scenario.title}`],
    ['sent', `${summarizeRequest(exchange)}${exchange.request.body === undefined ? '' : ` ${exchange.request.body}`}`],
    ['response', `${summarizeAnswer(exchange)} ${exchange.response?.body ?? ''}`],
    ['expected', finding.expected],
    ['actual', summarizeActual(problem)],
    ['contract', `${formatPlace(findPlace(problem, result))} ${finding.contract?.pointer ?? scenario.basis.text}`],
    ...(problem.problem.contract?.excerpt?.split('\n') ?? []).map((line): [string, string] => ['', line]),
    ...(moreScenarios.length === 0 ? [] : [['also in', moreScenarios.join(', ')] as [string, string]]),
    ...listDoubts(problem),
    ['again', formatAgain(problem, result)],
    ['', formatProof(result, exchange, finding)],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(9)} ${escapeHtml(cut(spellOut(value), 500))}`);
  const summary = `<summary>${escapeText(cut(problem.problem.headline, 200))}</summary>`;
  return `<details>${summary}\n<pre>\n${lines.join('\n')}\n</pre>\n</details>`;
}

function listRest(result: RunResult): [string, string[]][] {
  const { scenarios, coverage, notes, gaps, drift } = result;
  return [
    [
      'baseline entries to change',
      listBaselineProblems(result).map(({ text, line }) => `${formatPlace(line.place)}: ${text}`),
    ],
    ['noted, but not a change of the profile', (drift?.notes ?? []).map(describeChange)],
    ['known', groupKnownProblems(result).map((problem) => describeKnown(problem))],
    ['notes', [...listLeft(result), ...notes, ...(result.contract.notes ?? [])]],
    ['inconclusive', groupInconclusive(scenarios).map(describeLacking)],
    ['where the contract is silent', gaps.map(describeGap)],
    ['not covered', coverage.missing.map((each) => `${nameUncovered(each)} (${formatPlace(each.contract)})`)],
  ];
}

/** Hundreds of scenarios may lack one thing. */
function describeLacking({ reason, ids }: Lacking): string {
  const [first = ''] = ids;
  return ids.length === 1 ? `${first}: ${reason}` : `${ids.length} scenarios, such as ${first}: ${reason}`;
}

function describeKnown(problem: ShownProblem): string {
  const { scenario, finding } = problem;
  const known = finding.baseline === undefined ? '' : `, ${summarizeKnown(finding.baseline)}`;
  return `${scenario.id}: expected ${finding.expected}, actual ${summarizeActual(problem)}${known}`;
}

function writeList(name: string, rows: readonly string[], budget: number): string {
  const { parts, left } = takeWhileFits(rows, (row) => `- ${escapeText(cut(row, 250))}`, budget);
  const more = left === 0 ? [] : [`- and ${left} more`];
  const head = `<details><summary>${name} (${rows.length})</summary>`;
  return `${head}\n\n${[...parts, ...more].join('\n')}\n\n</details>`;
}

/** A code element whose text is never rendered as markup, a link, a mention or a formula. */
function escapeText(text: string): string {
  const escaped = spellOut(text).replace(/[&<>"'|\\`*_[\]()#@!~:.$^=+{}]/g, (char) => `&#${char.charCodeAt(0)};`);
  return `<code>${escaped}</code>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
