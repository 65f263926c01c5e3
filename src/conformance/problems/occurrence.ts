import type { ExchangeResult, Finding, ScenarioResult } from '../result.js';
import type { ShownFinding } from './problem.js';

/** A deviation with all that it was found in. */
export interface Occurrence {
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  place: ShownFinding;
  /** Whether the service had refused to create a pet by the time it answered. */
  isAfterRefusal: boolean;
}

export function listOccurrences(scenarios: readonly ScenarioResult[]): Occurrence[] {
  const firstRefusal = findFirstRefusal(scenarios);
  return scenarios.flatMap((scenario) =>
    scenario.steps.flatMap((step) =>
      step.exchanges.flatMap((exchange, index) => {
        const isAfterRefusal = (exchange.startedAt ?? '') >= firstRefusal;
        return exchange.findings.flatMap((finding, position) => {
          const place = { scenario: scenario.id, step: step.id, exchange: index, finding: position };
          return finding.severity === 'deviation' ? [{ scenario, exchange, finding, place, isAfterRefusal }] : [];
        });
      }),
    ),
  );
}

/** When the first creation was sent that was refused, ISO 8601; empty where that is not known. */
function findFirstRefusal(scenarios: readonly ScenarioResult[]): string {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  return exchanges
    .filter(({ request, response }) => request.method !== 'GET' && (response?.status ?? 0) >= 400)
    .reduce((first, { startedAt = '' }) => (first === '' || startedAt < first ? startedAt : first), '');
}

/** Whose answers they are, in the order in which they came; what the contract does not have is named by its request. */
export function listOperations(occurrences: readonly Occurrence[]): string[] {
  return [...new Set(occurrences.flatMap(({ exchange }) => exchange.operationId ?? []))];
}

export function nameOperations(occurrences: readonly Occurrence[]): string {
  const operations = listOperations(occurrences);
  return operations.length === 0 ? 'the service' : joinWords(operations, 'and');
}

/**
 * Those that say whose answer is wrong: a value that is not as it was sent, else one that is not as when the pet was
 * created; where two other answers differ, either may be the wrong one.
 */
export function listFirm(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  for (const check of ['echo', 'same-pet']) {
    const firm = occurrences.filter(({ finding }) => finding.check === check);
    if (firm.length > 0) return firm;
  }
  return occurrences;
}

/** `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
