import type { Baseline } from './baseline.js';
import { identifyProblem, joinProblemParts } from './identify-problem.js';
import type { BaselineLine, BaselineResult, ExchangeResult, Finding, ScenarioResult } from '../../model/result.js';

/** A baseline for lookup by scenario and problem. */
export type KnownDeviations = ReadonlyMap<string, KnownDeviation>;

interface KnownDeviation {
  line: BaselineLine;
  expired: boolean;
}

/** Indexes a baseline for lookup; `today` is a day in UTC, `YYYY-MM-DD`. */
export function listKnown({ entries }: Pick<Baseline, 'entries'>, today: string): KnownDeviations {
  const known = entries.flatMap((entry) =>
    entry.scenarios.flatMap(({ id, place }) => {
      const { scenarios: _, shows, ...problem } = entry;
      const line: BaselineLine = { scenario: id, ...problem, place };
      const deviation = { line, expired: entry.expires !== 'never' && entry.expires < today };
      const keys =
        shows === undefined
          ? [keyOf(id, joinProblemParts(entry))]
          : shows.map((parts) => keyOf(ANYWHERE, joinProblemParts(parts)));
      return keys.map((key) => [key, deviation] as const);
    }),
  );
  // If two problems show in the same way, the first counts.
  return new Map(known.toReversed());
}

/** In place of a scenario's id: whichever scenario shows it. */
const ANYWHERE = '*';

function keyOf(scenario: string, problem: string): string {
  return `${scenario} ${problem}`;
}

/** Marks known deviations in a scenario's result; if all are known, the verdict is `known`. */
export function markKnown(result: ScenarioResult, known: KnownDeviations): ScenarioResult {
  if (result.verdict !== 'deviated') return result;
  const mark = (exchange: ExchangeResult): ExchangeResult => ({
    ...exchange,
    findings: exchange.findings.map((finding) => markFinding(finding, exchange, result.id, known)),
  });
  const steps = result.steps.map((step) => ({ ...step, exchanges: step.exchanges.map(mark) }));
  const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
  const isAllKnown = findings.every(
    ({ severity, baseline }) => severity !== 'deviation' || baseline?.state === 'known',
  );
  return { ...result, verdict: isAllKnown ? 'known' : 'deviated', steps };
}

function markFinding(finding: Finding, exchange: ExchangeResult, scenario: string, known: KnownDeviations): Finding {
  if (finding.severity !== 'deviation') return finding;
  const problem = identifyProblem(exchange, finding);
  const found = known.get(keyOf(scenario, problem)) ?? known.get(keyOf(ANYWHERE, problem));
  if (found === undefined) return finding;
  const { reason, expires, place } = found.line;
  return { ...finding, baseline: { state: found.expired ? 'expired' : 'known', reason, expires, place } };
}

/**
 * What became of each line of a baseline. A line is fixed if its scenario passed or was observed. A scenario that
 * deviates in another way may have ended before it reached this one, and says nothing about it. A shard calls no line
 * fixed, since another shard may show it.
 */
export function summarizeBaseline(
  file: string,
  known: KnownDeviations,
  results: readonly ScenarioResult[],
  { isShard = false }: { isShard?: boolean } = {},
): BaselineResult {
  const summary: BaselineResult = { file, known: [], expired: [], fixed: [], unseen: [] };
  const marked = new Set(results.flatMap(listMarked));
  const seen = new Set([...known].flatMap(([key, deviation]) => (marked.has(key) ? [deviation] : [])));
  for (const deviation of new Set([...known.values()].toReversed())) {
    const { line, expired } = deviation;
    if (seen.has(deviation)) summary[expired ? 'expired' : 'known'].push(line);
    else if (!isShard && isSound(line, results)) summary.fixed.push(line);
    else summary.unseen.push(line);
  }
  return summary;
}

/** Whether the scenario that would show a known deviation found nothing. */
export function isSound({ scenario }: BaselineLine, results: readonly ScenarioResult[]): boolean {
  const verdict = results.find(({ id }) => id === scenario)?.verdict;
  return verdict === 'passed' || verdict === 'observed';
}

function listMarked({ id, steps }: ScenarioResult): string[] {
  return steps.flatMap(({ exchanges }) =>
    exchanges.flatMap((exchange) =>
      exchange.findings
        .filter(({ baseline }) => baseline !== undefined)
        .flatMap((finding) => [id, ANYWHERE].map((where) => keyOf(where, identifyProblem(exchange, finding)))),
    ),
  );
}
