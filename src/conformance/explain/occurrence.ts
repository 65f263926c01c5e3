import type { ExchangeResult, Finding, ScenarioResult } from '../model/result.js';
import { listAsBadKey } from './follows/as-bad-key.js';
import { listAsUnknown } from './follows/as-unknown.js';
import { listRefusals } from './follows/error-as-success.js';
import { findLacking } from './follows/now-and-then.js';
import type { ShownFinding } from '../model/problem.js';

/** A deviation with everything around it. */
export interface Occurrence {
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  place: ShownFinding;
  /** Whether the service had refused to create a pet before it answered. */
  isAfterRefusal: boolean;
  /** Whether it says of a pet that exists that there is none, in a way other than 404. */
  isAsUnknown: boolean;
  /** Whether it lacks what the same operation is known to show now and then. */
  isNowAndThen: boolean;
  /**
   * The status that a refusal means: the one in its Error body, where the service gives errors as successes; 401, where it
   * is what the service says to a key that is none.
   */
  refusedWith?: string | undefined;
}

export function listOccurrences(scenarios: readonly ScenarioResult[]): Occurrence[] {
  const firstRefusal = findFirstRefusal(scenarios);
  const asUnknown = listAsUnknown(scenarios);
  const refusals = listRefusals(scenarios);
  const asBadKey = listAsBadKey(scenarios);
  const lacks = findLacking(scenarios);
  return scenarios.flatMap((scenario) =>
    scenario.steps.flatMap((step) =>
      step.exchanges.flatMap((exchange, index) => {
        const isAfterRefusal = (exchange.startedAt ?? '') >= firstRefusal;
        return exchange.findings.flatMap((finding, position) => {
          const place = { scenario: scenario.id, step: step.id, exchange: index, finding: position };
          if (finding.severity !== 'deviation') return [];
          const isAsUnknown = asUnknown.has(exchange) && ABOUT_THE_PET.has(finding.check);
          const said = asBadKey.has(exchange) ? '401' : refusals.get(exchange);
          const refusedWith = finding.at === 'status' ? said : undefined;
          return [
            {
              scenario,
              exchange,
              finding,
              place,
              isAfterRefusal,
              isAsUnknown,
              isNowAndThen: lacks(exchange, finding),
              refusedWith,
            },
          ];
        });
      }),
    ),
  );
}

/** What these find is due to what is answered, rather than to how that is written. */
const ABOUT_THE_PET: ReadonlySet<string> = new Set(['status', 'body', 'expected-body', 'equals', 'listed']);

/** A pet that cannot be fetched, rather than one that is missing from a list. */
export function isOfFetch({ finding, isAsUnknown }: Occurrence): boolean {
  return finding.at === 'status' || isAsUnknown;
}

/** Whether a list was asked for by status. */
export function isFiltered({ exchange }: Pick<Occurrence, 'exchange'>): boolean {
  return exchange.request.path.includes('status=');
}

/** When the first refused creation was sent, ISO 8601; empty if that is unknown. */
function findFirstRefusal(scenarios: readonly ScenarioResult[]): string {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  return exchanges
    .filter(({ request, response }) => request.method !== 'GET' && (response?.status ?? 0) >= 400)
    .reduce((first, { startedAt = '' }) => (first === '' || startedAt < first ? startedAt : first), '');
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

/**
 * The deviations that show which answer is wrong: a value that differs from the one sent, else one that differs from
 * the created pet. If two other answers differ, either may be wrong.
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
