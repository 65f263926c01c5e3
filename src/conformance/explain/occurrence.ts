import type { ExchangeResult, Finding, ScenarioResult, StepResult } from '../model/result.js';
import { listRefusals } from './follows/error-as-success.js';
import { findLacking } from './follows/now-and-then.js';
import type { ShownFinding } from '../model/problem.js';
import { wants } from './statuses.js';

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

/**
 * The answers to the key in an unusual form that say what the operation says, in place of 401, to no key or a wrong one:
 * they refuse the key, rather than what was asked for.
 */
function listAsBadKey(scenarios: readonly ScenarioResult[]): ReadonlySet<ExchangeResult> {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const refusals = new Set(exchanges.filter(isOfBadKey).map(readAnswer));
  const inOtherForm = exchanges.filter(({ request }) => !PLAIN.has(request.auth));
  return new Set(inOtherForm.filter((each) => !isDue(each, '401') && refusals.has(readAnswer(each))));
}

/** A key that lacks a scope is refused for that. */
const PLAIN: ReadonlySet<string> = new Set(['valid', 'missing', 'wrong', 'lackingScope']);

function isOfBadKey(each: ExchangeResult): boolean {
  const isBad = each.request.auth === 'missing' || each.request.auth === 'wrong';
  return isBad && (each.response?.status ?? 0) >= 400 && isDue(each, '401');
}

/** Whether an answer should have had a status, and has another. */
function isDue({ findings }: ExchangeResult, status: string): boolean {
  return findings.some((finding) => wants({ finding }, status));
}

/** Messages may name what was asked for. */
function readAnswer({ operationId, response }: ExchangeResult): string {
  return `${operationId} ${response?.status} ${response?.body.replace(/\d+/g, '*')}`;
}
