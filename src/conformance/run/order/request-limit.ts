import type { Send } from '../../wire/http/send-politely.js';
import type { Scenario } from '../../model/scenario.js';
import { foreseeRequests } from './estimate-requests.js';

/** How many requests a run may send. */
export interface RequestLimit {
  /** The scenarios for which too few requests were left. */
  leftOut: Set<Scenario>;
  /** About how many requests the whole run would have sent. */
  foreseeAll(): number;
  /** Whether enough is left for a scenario beside those that run. */
  fits(scenario: Scenario, running: Iterable<Scenario>): boolean;
  /** Whether a request was asked for that could not be sent any more. */
  isUsedUp(): boolean;
  /** Stops sending at the limit; what it no longer sends counts as interrupted. */
  keep(send: Send): Send;
}

export function createRequestLimit(most = Number.POSITIVE_INFINITY, countSent: () => number): RequestLimit {
  let allowed = 0;
  const leftOut = new Set<Scenario>();
  const foresee = (scenarios: Iterable<Scenario>): number =>
    [...scenarios].reduce((sum, each) => sum + foreseeRequests(each), 0);
  return {
    leftOut,
    foreseeAll: () => countSent() + foresee(leftOut),
    fits: (scenario, running) => countSent() + foresee([...running, scenario]) <= most,
    isUsedUp: () => allowed > most,
    keep: (send) => async (request, onPutOff) => {
      // Requests that were allowed but have not gone out yet are not counted as sent.
      allowed = Math.max(allowed, countSent()) + 1;
      if (allowed > most) return { kind: 'unanswered', reason: 'interrupted', detail: USED_UP, durationMs: 0 };
      return send(request, onPutOff);
    },
  };
}

const USED_UP = 'the run has reached its limit of requests';

/** Why a scenario is left out of a limited run. */
export function describeUsedUp(): string {
  return `${USED_UP}; raise --max-requests`;
}
