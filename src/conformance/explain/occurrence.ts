import type { ExchangeResult, Finding, ScenarioResult, StepResult } from '../model/result.js';
import { listAsBadKey } from './follows/as-bad-key.js';
import { listRefusals } from './follows/error-as-success.js';
import { findLacking } from './follows/now-and-then.js';
import type { ShownFinding } from '../model/problem.js';

/** A deviation with everything around it. */
export interface Occurrence {
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  place: ShownFinding;
  /** What its step asks for. */
  asks: StepResult['asks'];
  /** Whether it lacks what the same operation is known to show now and then. */
  isNowAndThen: boolean;
  /**
   * The status that a refusal means: the one in its Error body, where the service gives errors as successes; 401, where it
   * is what the service says to a key that is none.
   */
  refusedWith?: string | undefined;
}

export function listOccurrences(scenarios: readonly ScenarioResult[]): Occurrence[] {
  const refusals = listRefusals(scenarios);
  const asBadKey = listAsBadKey(scenarios);
  const lacks = findLacking(scenarios);
  return scenarios.flatMap((scenario) =>
    scenario.steps.flatMap((step) =>
      step.exchanges.flatMap((exchange, index) => {
        return exchange.findings.flatMap((finding, position) => {
          const place = { scenario: scenario.id, step: step.id, exchange: index, finding: position };
          if (finding.severity !== 'deviation') return [];
          const said = asBadKey.has(exchange) ? '401' : refusals.get(exchange);
          const refusedWith = finding.at === 'status' ? said : undefined;
          return [
            {
              scenario,
              exchange,
              finding,
              place,
              asks: step.asks,
              isNowAndThen: lacks(exchange, finding),
              refusedWith,
            },
          ];
        });
      }),
    ),
  );
}

/** The resource that a scenario is about; none has an empty name. */
export function resourceOf({ about }: Pick<ScenarioResult, 'about'>): string {
  return about?.resource ?? '';
}

/**
 * The operations whose answers these are, in the order of the answers; a request that the contract does not have is
 * named by its method and path.
 */
export function listOperations(occurrences: readonly Occurrence[]): string[] {
  return [...new Set(occurrences.flatMap(({ exchange }) => exchange.operationId ?? []))];
}

export function nameOperations(occurrences: readonly Occurrence[]): string {
  const operations = listOperations(occurrences);
  if (operations.length === 0) return 'the service';
  if (operations.length <= MOST_NAMED) return joinWords(operations, 'and');
  return `${operations.slice(0, SOME).join(', ')} and ${operations.length - SOME} more operations`;
}

/** Of more operations than these, so many are named: a service with many forgets the key in all of them. */
const MOST_NAMED = 6;
const SOME = 4;

/** `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
