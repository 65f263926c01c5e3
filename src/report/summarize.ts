import type { CoverageResult, ExchangeResult, RunResult, Summary } from '../conformance/result.js';
import type { SourcePlace } from '../errors.js';
import { quote } from './curl.js';
import type { Fault } from './faults.js';

const VERDICTS = ['passed', 'deviated', 'observed', 'inconclusive', 'skipped'] as const satisfies (keyof Summary)[];

/** The run in one line: `98 passed · 1 deviated · ... · contract coverage 94 % · 131 requests in 0.8 s`. */
export function summarize({ summary, coverage, durationMs, interrupted, targetLost }: RunResult): string {
  const verdicts = VERDICTS.filter((name) => name !== 'skipped' || summary.skipped > 0);
  return [
    ...(interrupted ? ['interrupted'] : []),
    ...(targetLost ? ['the target stopped answering'] : []),
    ...verdicts.map((name) => `${summary[name]} ${name}`),
    ...(summary.created === 0 ? [] : [`${summary.created} animals created`]),
    `contract coverage ${percentOf(coverage)} %`,
    `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
  ].join(' · ');
}

/** How much of the contract was exercised, in whole percent; 100 only when nothing is missing. */
export function percentOf({ covered, total }: CoverageResult): number {
  return Math.floor((100 * covered) / Math.max(total, 1));
}

export function summarizeRequest({ request }: ExchangeResult): string {
  const auth = request.auth === 'valid' ? '' : ` (key: ${request.auth})`;
  return `${request.method} ${request.path}${auth}`;
}

export function summarizeAnswer({ response, failure }: ExchangeResult): string {
  return response === undefined ? (failure ?? 'no answer') : String(response.status);
}

/** What was found and where, with a count of the further places in the same answer. */
export function summarizeActual({ finding, morePlaces }: Fault): string {
  return `${finding.actual} at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more`}`;
}

/** Where the broken rule stands; the contract as a whole when nobody knows better. */
export function findPlace(
  { finding, scenario }: Pick<Fault, 'finding' | 'scenario'>,
  { contract }: RunResult,
): SourcePlace {
  return finding.contract ?? scenario.basis.place ?? { file: contract.file };
}

/** The command that shows a fault again. */
export function formatAgain({ scenario }: Pick<Fault, 'scenario'>, { target }: Pick<RunResult, 'target'>): string {
  return `petstore-conformance --target ${quote(target)} --again ${quote(scenario.id)}`;
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
