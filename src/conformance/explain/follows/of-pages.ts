import type { ExchangeResult } from '../../model/result.js';
import type { Group } from '../group.js';
import { isFiltered, isOfFetch, type Occurrence } from '../occurrence.js';
import { each, isOfSameAnswer } from './follows.js';

/** A pet that is missing from a list, rather than one that cannot be fetched. */
export function isOfList(found: Occurrence): boolean {
  return !isOfFetch(found);
}

/**
 * A page lacks no more pets than lists do that are seen to have lost some; what filtered lists lost, others may have, and
 * what the page lacks is not lost where a longer list of the same filter has it.
 */
export function isOfLost({ finding, ...page }: Occurrence, { occurrences }: Group): boolean {
  const [wanted, found] = [finding.expected, finding.actual].map((text) => Number.parseInt(text, 10));
  if (hasLonger(page, wanted ?? 0)) return false;
  const lost = Math.max(
    0,
    ...occurrences
      .filter((other) => isOfList(other) && (isFiltered(page) || !isFiltered(other)))
      .map(({ exchange }) => countFound(exchange, 'contains', 'covers')),
  );
  return (wanted ?? 0) - (found ?? 0) <= lost;
}

/** A filtered list with others in place of its own lacks no more than it has of them, unless it is mostly of others. */
export function isOfLeak(lost: Occurrence, cause: Group): boolean {
  if (!isOfSameAnswer(lost, cause)) return false;
  const others = countFound(lost.exchange, 'filter');
  return countFound(lost.exchange, lost.finding.check) <= others || countListed(lost.exchange) <= 2 * others;
}

/** How many records the body of an answer names. */
function countListed({ response }: Occurrence['exchange']): number {
  return response?.body.match(/"id"\s*:/g)?.length ?? 0;
}

/** The status that a list was asked for. */
function readFilter({ exchange }: Pick<Occurrence, 'exchange'>): string | undefined {
  return /[?&]status=([^&]*)/.exec(exchange.request.path)?.[1];
}

/** Whether the scenario of a page has a list of the same filter with so many pets. */
function hasLonger(page: Pick<Occurrence, 'exchange' | 'scenario'>, count: number): boolean {
  return page.scenario.steps
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => exchange.operationId === 'listPets' && readFilter({ exchange }) === readFilter(page))
    .some((exchange) => countListed(exchange) >= count);
}

/** How many findings of some checks an answer has. */
export function countFound({ findings }: Pick<ExchangeResult, 'findings'>, ...checks: string[]): number {
  return findings
    .filter(({ check, rule }) => checks.includes(check) && rule !== 'surplus')
    .reduce((sum, { more = 0 }) => sum + 1 + more, 0);
}

/**
 * A limit that is not kept where it is asked for says nothing of pages without one; nor of a short page of a length that
 * is none of a page that is too long.
 */
export function isOfLimit(page: Occurrence, { sign, occurrences }: Group): boolean {
  const asks = /[?&]limit=/.test(page.exchange.request.path);
  if (sign.detail === undefined) return occurrences.some((long) => readFilter(long) === readFilter(page));
  return (sign.detail === 'asked') === asks && occurrences.some((long) => areAsLong(long, page));
}

function areAsLong(...pages: readonly [Occurrence, Occurrence]): boolean {
  const [one, other] = pages.map(({ finding: { actual } }) => Number.parseInt(actual, 10));
  return one === other;
}

/** If neither the limit nor its default is kept, pages of this filter are made in another way altogether. */
export const ofOtherPages = each(
  ['lost'],
  (found, { sign, occurrences }) =>
    sign.detail === undefined && isOfList(found) && occurrences.some((long) => readFilter(long) === readFilter(found)),
);
