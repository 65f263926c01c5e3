import { styleText } from 'node:util';
import type { ExchangeResult, RunResult } from '../conformance/model/result.js';
import { formatPlace } from '../errors.js';
import { spellOutAll } from '../redact/spell-out.js';
import {
  describeBriefly,
  summarizeGaps,
  summarizeInconclusive,
  summarizeNotes,
  summarizeUncovered,
} from './pretty/brief.js';
import {
  describeDrift,
  describeGaps,
  describeInconclusive,
  describeKnown,
  describeNotes,
  describeProblem,
  describeUncovered,
} from './pretty/full.js';
import type { Style } from './pretty/style.js';
import { listLeft } from './left.js';
import { groupProblems } from './problems.js';
import type { ReportFormat, ReportOptions } from './report.js';
import { headline, listBaselineProblems, summarize } from './summarize.js';

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
  return problems.map((problem) => describeProblem(problem, result, style));
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
