import type { SentRequest } from '../../../model/exchange.js';

/** An answer as observers see it: every answer of a run, including those to repeated requests. */
export interface SeenExchange {
  sent: SentRequest;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The body, when it is JSON. */
  body: unknown;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  answeredAt: number;
}

/** Whether the request succeeded; the checks judge which success it should have been. */
export function isDone({ status }: Pick<SeenExchange, 'status'>): boolean {
  return status >= 200 && status < 300;
}
