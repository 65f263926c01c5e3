// What a deviation says of statuses, whatever words tell it.
import type { ExchangeResult, Finding } from '../model/result.js';

type Judged = Readonly<{ finding: Pick<Finding, 'wanted'> }>;
type Exchange = Readonly<{ response?: ExchangeResult['response'] | undefined }>;
type Answered = Readonly<{ exchange: Exchange; refusedWith?: string | undefined }>;

/** Whether one of these was expected; of a class: `2XX`. */
export function wants({ finding: { wanted = [] } }: Judged, ...statuses: readonly string[]): boolean {
  return wanted.some((each) => statuses.some((status) => isOf(each, status)));
}

/** Whether nothing but these was. */
export function wantsOnly({ finding: { wanted = [] } }: Judged, ...statuses: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((each) => statuses.some((status) => isOf(each, status)));
}

/** The status of an answer, or what it means as a refusal; empty if none came. */
export function saidStatus({ exchange, refusedWith }: Answered): string {
  return refusedWith ?? String(exchange.response?.status ?? '');
}

/** Whether an answer says one of these: `404`, `2XX`. */
export function says(answer: Answered, ...statuses: readonly string[]): boolean {
  return statuses.some((status) => isOf(saidStatus(answer), status));
}

/** Whether it has one of these, whatever it means. */
export function has(exchange: Exchange, ...statuses: readonly string[]): boolean {
  return says({ exchange }, ...statuses);
}

function isOf(status: string, pattern: string): boolean {
  return pattern.endsWith('XX') ? status.startsWith(pattern.slice(0, 1)) : status === pattern;
}
