import type { ExchangeResult, ScenarioResult } from '../../model/result.js';
import { wants } from '../statuses.js';

/**
 * The answers to the key in an unusual form that say what the operation says, in place of 401, to no key or a wrong one:
 * they refuse the key, rather than what was asked for.
 */
export function listAsBadKey(scenarios: readonly ScenarioResult[]): ReadonlySet<ExchangeResult> {
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
