import { DEFAULTS } from '../../conformance/engine/run.js';
import { DEFAULT_CONCURRENCY } from '../../conformance/product/run-conformance.js';
import type { ConformanceOptions } from '../../conformance/model/options.js';
import type { RunResult } from '../../conformance/model/result.js';

/** So many rounds follow a first try that finds nothing, with as many tries at a time as a run has scenarios at a time. */
const MOST_ROUNDS = 5;

export interface Repeated {
  /** The first try that shows the problem, or else the first of all. */
  result: RunResult;
  /** Whether each request of that try had a connection of its own. */
  isFresh: boolean;
  tries: number;
  requests: number;
}

/** Repeats what a run was told to show again until it shows; all tries together keep the limits of one run. */
export async function repeatAgain(
  first: RunResult,
  run: (connections: Pick<ConformanceOptions, 'freshConnections'>) => Promise<RunResult>,
  options: ConformanceOptions,
): Promise<Repeated> {
  const atOnce = options.rate === undefined ? (options.concurrency ?? DEFAULT_CONCURRENCY) : 1;
  const tried = [first];
  const fresh = new Set<RunResult>();
  for (
    let round = 0;
    round < MOST_ROUNDS &&
    tried.every(
      (result) => !shows(result) && result.summary.inconclusive + result.summary.skipped === 0 && !isCutOff(result),
    ) &&
    hasRoom(tried, atOnce, options);
    round++
  ) {
    // Every other round reuses connections, as a run does; in the others, each request has one of its own.
    const freshConnections = round % 2 === 0;
    const results = await Promise.all(Array.from({ length: atOnce }, () => run({ freshConnections })));
    tried.push(...results);
    if (freshConnections) for (const each of results) fresh.add(each);
  }
  const requests = tried.reduce((sum, { summary }) => sum + summary.requests, 0);
  const result = tried.find(shows) ?? first;
  return { result, isFresh: fresh.has(result), tries: tried.length, requests };
}

const isCutOff = ({ interrupted, targetLost, outOfTime }: RunResult): boolean => interrupted || targetLost || outOfTime;
const shows = ({ summary }: RunResult): boolean => summary.deviated + summary.known > 0;

function hasRoom(
  tried: readonly RunResult[],
  atOnce: number,
  { maxCreates = DEFAULTS.maxCreates, maxRequests = Infinity, maxTimeMs = DEFAULTS.maxTimeMs }: ConformanceLimits,
): boolean {
  const next = tried.length + atOnce;
  const share = (count: (result: RunResult) => number): number =>
    (next / tried.length) * tried.reduce((sum, each) => sum + count(each), 0);
  return (
    share(({ summary }) => summary.created) <= maxCreates &&
    share(({ summary }) => summary.requests) <= maxRequests &&
    share(({ durationMs }) => durationMs) <= maxTimeMs
  );
}

type ConformanceLimits = Pick<ConformanceOptions, 'maxCreates' | 'maxRequests' | 'maxTimeMs'>;

/** How often it was tried, for whoever was told of a problem and must not take one look for the proof that it is gone. */
export function describeTries({ result, isFresh, tries, requests }: Repeated): string | undefined {
  if (shows(result))
    return tries === 1
      ? undefined
      : `Reproduced within ${tries} attempts (${requests} requests), ${isFresh ? 'with a new connection for each request' : 'with reused connections'}, but not in the first: it is flaky, or it needs concurrent traffic${isFresh ? ' or new connections' : ''}.`;
  if (isCutOff(result) || result.summary.inconclusive > 0) return undefined;
  const many =
    tries === 1
      ? '1 attempt'
      : `${tries} attempts with reused and with new connections (${requests} requests; the report has the first attempt)`;
  return `Not reproduced in ${many}; it may need concurrent traffic, as in a whole run.`;
}
