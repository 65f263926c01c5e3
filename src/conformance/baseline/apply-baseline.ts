import type { Baseline } from './baseline.js';
import { identifyProblem, joinProblemParts } from '../problems/identify-problem.js';
import type { BaselineLine, BaselineResult, ExchangeResult, Finding, ScenarioResult } from '../result.js';

/** A baseline for lookup by scenario and problem. */
export type KnownDeviations = ReadonlyMap<string, KnownDeviation>;

interface KnownDeviation {
  line: BaselineLine;
  expired: boolean;
}

/** Indexes a baseline for lookup; `today` is a day in UTC, `YYYY-MM-DD`. */
export function listKnown({ entries }: Baseline, today: string): KnownDeviations {
  const known = entries.flatMap((entry) =>
    entry.scenarios.map(({ id, place }) => {
      const { scenarios: _, ...problem } = entry;
      const line: BaselineLine = { scenario: id, ...problem, place };
      const expired = entry.expires !== 'never' && entry.expires < today;
      return [keyOf(id, joinProblemParts(entry)), { line, expired }] as const;
    }),
  );
  return new Map(known);
}

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
  const found = known.get(keyOf(scenario, identifyProblem(exchange, finding)));
  if (found === undefined) return finding;
  const { reason, expires, place } = found.line;
  return { ...finding, baseline: { state: found.expired ? 'expired' : 'known', reason, expires, place } };
}

/**
 * What became of each line of a baseline. A line is fixed if its scenario passed
 * or was observed; a scenario that deviates in another way may have ended
 * before it reached this one, and says nothing about it.
 */
export function summarizeBaseline(
  file: string,
  known: KnownDeviations,
  results: readonly ScenarioResult[],
): BaselineResult {
  const summary: BaselineResult = { file, known: [], expired: [], fixed: [], unseen: [] };
  const seen = new Set(results.flatMap(listMarked));
  for (const [key, { line, expired }] of known) {
    const verdict = results.find(({ id }) => id === line.scenario)?.verdict;
    if (seen.has(key)) summary[expired ? 'expired' : 'known'].push(line);
    else if (verdict === 'passed' || verdict === 'observed') summary.fixed.push(line);
    else summary.unseen.push(line);
  }
  return summary;
}

function listMarked({ id, steps }: ScenarioResult): string[] {
  return steps.flatMap(({ exchanges }) =>
    exchanges.flatMap((exchange) =>
      exchange.findings
        .filter(({ baseline }) => baseline !== undefined)
        .map((finding) => keyOf(id, identifyProblem(exchange, finding))),
    ),
  );
}
