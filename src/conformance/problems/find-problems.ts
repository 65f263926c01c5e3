import { createHash } from 'node:crypto';
import { isWithin } from '../../contract/paths.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../result.js';
import { joinProblemParts, readProblemParts } from './identify-problem.js';
import type { Problem, ShownFinding } from './problem.js';

/** A deviation with all that it was found in. */
interface Occurrence {
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  place: ShownFinding;
}

/** What is wrong with the target, in the order in which it was found. What the baseline accepts stands apart from the rest. */
export function findProblems({ scenarios }: { scenarios: readonly ScenarioResult[] }): Problem[] {
  const groups = new Map<string, Occurrence[]>();
  for (const occurrence of scenarios.flatMap(listDeviations)) {
    const { baseline } = occurrence.finding;
    const cause = joinProblemParts(readProblemParts(occurrence.exchange, occurrence.finding));
    const key = baseline?.state === 'known' ? `${cause} ${baseline.reason}` : cause;
    groups.set(key, [...(groups.get(key) ?? []), occurrence]);
  }
  return [...groups.values()].map(describeProblem);
}

/** How many of them fail a run. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.filter(({ baseline }) => baseline?.state !== 'known').length;
}

function listDeviations(scenario: ScenarioResult): Occurrence[] {
  return scenario.steps.flatMap((step) =>
    step.exchanges.flatMap((exchange, index) =>
      exchange.findings.flatMap((finding, position) => {
        const place = { scenario: scenario.id, step: step.id, exchange: index, finding: position };
        return finding.severity === 'deviation' ? [{ scenario, exchange, finding, place }] : [];
      }),
    ),
  );
}

function describeProblem(occurrences: readonly Occurrence[]): Problem {
  const shown = pickShown(occurrences);
  const { finding, exchange, place } = shown;
  const { at, operation, ...cause } = readProblemParts(exchange, finding);
  const scenarios = new Set([shown.scenario.id, ...occurrences.map(({ scenario }) => scenario.id)]);
  return {
    id: createHash('sha256')
      .update(joinProblemParts({ at, operation, ...cause }))
      .digest('hex')
      .slice(0, 16),
    headline: `${operation ?? exchange.request.path}: expected ${finding.expected} at ${at}, found ${finding.actual}`,
    cause: { ...withoutAbsent(cause), place: at, ...(operation === undefined ? {} : { operation }) },
    operations: [...new Set(occurrences.flatMap((each) => each.exchange.operationId ?? []))],
    answers: new Set(occurrences.map((each) => each.exchange)).size,
    scenarios: [...scenarios],
    shown: place,
    expected: finding.expected,
    actual: finding.actual,
    ...(finding.contract === undefined ? {} : { contract: finding.contract }),
    ...(finding.baseline === undefined ? {} : { baseline: finding.baseline }),
  };
}

function withoutAbsent({ check, rule, expected, actual }: Omit<ReturnType<typeof readProblemParts>, 'at'>): {
  check: string;
  rule: string;
  expected?: string;
  actual?: string;
} {
  return { check, rule, ...(expected === undefined ? {} : { expected }), ...(actual === undefined ? {} : { actual }) };
}

/** The first that stands in a scenario which is most about the rule. */
function pickShown(occurrences: readonly Occurrence[]): Occurrence {
  return occurrences.reduce((best, each) => (closeness(each) > closeness(best) ? each : best));
}

/** How much a scenario is about the rule that was broken: it rests on that very place of the contract (2), on one around it (1), on another (0). */
function closeness({ scenario: { basis }, finding: { contract } }: Occurrence): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  return isWithin(restsOn, contract.pointer) ? 1 : 0;
}
