import type { RunResult } from '../conformance/model/result.js';
import { formatPlace } from '../errors.js';
import { spellOut } from '../redact/spell-out.js';
import { formatProof } from './curl.js';
import {
  count,
  groupProblems,
  groupKnownProblems,
  listDoubts,
  listLeft,
  type ReportFormat,
  type ShownProblem,
} from './report-format.js';
import * as say from './summarize.js';

/** For a comment on a pull request or a job summary: a table of problems, with ways to see each again folded below. */
export const markdownReport: ReportFormat = { name: 'markdown', file: 'conformance.md', write: writeMarkdown };

/** GitHub refuses a comment of 65,536 characters. */
const MAX_LENGTH = 60_000;
const MAX_TABLE = 25_000;
const MAX_DETAILS = 45_000;
const MAX_LISTS = 55_000;

function writeMarkdown(result: RunResult): string {
  const problems = groupProblems(result);
  const isStale = problems.length === 0 && say.listBaselineProblems(result).length > 0;
  const title = isStale ? 'the baseline must be changed' : say.countProblems(result);
  const parts = [`### petstore-conformance: ${title}`, code(result.target, 200), ...listDrift(result)];
  const room = (most: number): number => most - parts.reduce((sum, part) => sum + part.length + 2, 0);
  if (problems.length > 0) parts.push(...writeTable(problems, result, room(MAX_TABLE)));
  parts.push(...say.takeWhileFits(problems, (each) => describeProblem(each, result), room(MAX_DETAILS)).parts);
  for (const [name, rows] of listRest(result)) {
    if (rows.length === 0) continue;
    const { parts: shown, left } = say.takeWhileFits(rows, (row) => `- ${code(row, 250)}`, room(MAX_LISTS));
    const items = [...shown, ...(left === 0 ? [] : [`- and ${left} more`])].join('\n');
    parts.push(`<details><summary>${name} (${rows.length})</summary>\n\n${items}\n\n</details>`);
  }
  parts.push(say.summarize(result));
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  if (text.length > MAX_LENGTH) throw new Error(`the markdown report has ${text.length} characters`);
  return text;
}

/** What has changed since the profile; not folded. */
function listDrift({ drift }: RunResult): string[] {
  if (drift === undefined) return [];
  const file = code(say.describeProfile(drift.profile), 200);
  if (drift.changes.length === 0) return [`Nothing has changed since the profile ${file}.`];
  const rows = drift.changes.map((change) => `- ${code(say.describeChange(change), 250)}`);
  return [`Changed since the profile ${file}:`, rows.join('\n')];
}

function writeTable(problems: readonly ShownProblem[], result: RunResult, budget: number): string[] {
  const writeRow = (shown: ShownProblem): string => {
    const { problem, exchange, finding } = shown;
    const place = formatPlace(say.findPlace(shown, result));
    const cells = [
      problem.headline,
      say.summarizeExchange(exchange),
      finding.expected,
      say.summarizeActual(shown),
      place,
    ];
    return `| ${cells.map((cell) => code(cell, 120)).join(' | ')} |`;
  };
  const { parts, left } = say.takeWhileFits(problems, writeRow, budget);
  const head = ['| problem | exchange | expected | actual | contract |', '| --- | --- | --- | --- | --- |'];
  return [[...head, ...parts].join('\n'), left === 0 ? '' : `and ${count(left, 'more problem')}.`];
}

function describeProblem(shown: ShownProblem, result: RunResult): string {
  const { problem, scenario, exchange, finding, moreScenarios } = shown;
  const { request, response } = exchange;
  const rows: [string, string][] = [
    ['scenario', `${scenario.id}: ${scenario.title}`],
    ['sent', `${say.summarizeRequest(exchange)}${request.body === undefined ? '' : ` ${request.body}`}`],
    ['response', `${say.summarizeAnswer(exchange)} ${response?.body ?? ''}`],
    ['expected', finding.expected],
    ['actual', say.summarizeActual(shown)],
    ['contract', `${formatPlace(say.findPlace(shown, result))} ${finding.contract?.pointer ?? scenario.basis.text}`],
    ...(problem.contract?.excerpt?.split('\n') ?? []).map((line): [string, string] => ['', line]),
    ...(moreScenarios.length === 0 ? [] : [['also in', moreScenarios.join(', ')] satisfies [string, string]]),
    ...listDoubts(shown),
    ['again', say.formatAgain(shown, result)],
    ['', formatProof(result, exchange, finding)],
  ];
  const lines = rows.map(([name, value]) => {
    const text = say.cut(spellOut(value), 500);
    return `${name.padEnd(9)} ${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`;
  });
  return `<details><summary>${code(problem.headline, 200)}</summary>\n<pre>\n${lines.join('\n')}\n</pre>\n</details>`;
}

function listRest(result: RunResult): [string, string[]][] {
  const { scenarios, coverage, notes, gaps, drift, contract } = result;
  const known = groupKnownProblems(result).map((shown) => {
    const { scenario, finding } = shown;
    const accepted = finding.baseline === undefined ? '' : `, ${say.summarizeKnown(finding.baseline)}`;
    return `${scenario.id}: expected ${finding.expected}, actual ${say.summarizeActual(shown)}${accepted}`;
  });
  // Hundreds of scenarios may lack one thing.
  const inconclusive = say
    .groupInconclusive(scenarios)
    .map(({ reason, ids }) =>
      ids.length === 1 ? `${ids[0]}: ${reason}` : `${ids.length} scenarios, such as ${ids[0]}: ${reason}`,
    );
  const baseline = say.listBaselineProblems(result).map(({ text, line }) => `${formatPlace(line.place)}: ${text}`);
  return [
    ['baseline entries to change', baseline],
    ['noted, but not a change of the profile', (drift?.notes ?? []).map(say.describeChange)],
    ['known', known],
    ['notes', [...listLeft(result), ...notes, ...(contract.notes ?? [])]],
    ['inconclusive', inconclusive],
    ['where the contract is silent', gaps.map(say.describeGap)],
    ['not covered', coverage.missing.map((each) => `${say.nameUncovered(each)} (${formatPlace(each.contract)})`)],
  ];
}

/** A code element of at most so many characters, whose text is never rendered as markup, a link, a mention or a formula. */
function code(text: string, most: number): string {
  const shown = spellOut(say.cut(text, most));
  return `<code>${shown.replace(/[&<>"'|\\`*_[\]()#@!~:.$^=+{}]/g, (char) => `&#${char.charCodeAt(0)};`)}</code>`;
}
