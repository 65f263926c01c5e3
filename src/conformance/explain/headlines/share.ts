import type { ExchangeResult, ScenarioResult } from '../../model/result.js';
import type { Group } from '../group.js';
import { listOperations } from '../occurrence.js';
import { requests } from './parts.js';
import { describeRefused } from './refused.js';

/**
 * What separates the requests that a service failed at or refused from those of their kind that it answered well; empty
 * where nothing does. What some of these have too is there by chance.
 */
export function describeCondition(group: Group, scenarios: readonly ScenarioResult[]): string {
  const common = requests(group);
  const isByChance = common !== '' && listWell(group, scenarios).some((each) => isLike(each, group, common));
  return isByChance || common === '' ? describeRefused(group.occurrences, scenarios) : common;
}

/** {@link describeCondition} of failures; where there is none, how many of all requests failed. */
export function describeFailing(group: Group, scenarios: readonly ScenarioResult[]): string {
  const condition = describeCondition(group, scenarios);
  if (condition !== '' || listWell(group, scenarios).length === 0) return condition;
  const asked = listAsked(group, scenarios);
  const failed = asked.filter(({ response }) => String(response?.status) === group.occurrences[0]?.finding.actual);
  return ` for ${failed.length} of ${asked.length} requests`;
}

/** How many requests there were of a group's operations. */
export function countAsked(group: Group, scenarios: readonly ScenarioResult[]): number {
  return listAsked(group, scenarios).length;
}

function listAsked({ occurrences }: Group, scenarios: readonly ScenarioResult[]): ExchangeResult[] {
  const operations = new Set(listOperations(occurrences));
  return scenarios
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter((each) => operations.has(each.operationId ?? '') && each.shared !== true);
}

/** The requests of the same operation, equally valid, that were answered as the contract says. */
function listWell({ occurrences }: Group, scenarios: readonly ScenarioResult[]): ExchangeResult[] {
  const [operation, ...others] = listOperations(occurrences);
  if (others.length > 0 || !occurrences.every(({ exchange }) => isValid(exchange))) return [];
  return scenarios
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter((each) => each.operationId === operation && isValid(each) && each.shared !== true && isWell(each));
}

function isValid({ request }: ExchangeResult): boolean {
  return request.breaks === undefined && (request.auth === 'valid' || request.auth === 'lowerCaseField');
}

function isWell({ response, findings }: ExchangeResult): boolean {
  return response !== undefined && response.status < 500 && findings.every(({ at }) => at !== 'status');
}

/** Whether a request has what is said of those that failed. */
function isLike(exchange: ExchangeResult, group: Group, common: string): boolean {
  const [first] = group.occurrences;
  if (first === undefined) return false;
  return requests({ ...group, occurrences: [...group.occurrences, { ...first, exchange }] }) === common;
}
