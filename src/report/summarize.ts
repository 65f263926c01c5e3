import type { ExchangeResult, RunResult, Summary } from '../conformance/result.js';
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
    `contract coverage ${Math.floor((100 * coverage.covered) / Math.max(coverage.total, 1))} %`,
    `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
  ].join(' · ');
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
export function findPlace({ finding, scenario }: Fault, { contract }: RunResult): SourcePlace {
  return finding.contract ?? scenario.basis.place ?? { file: contract.file };
}

/** The command that shows a fault again. */
export function formatAgain({ scenario }: Fault, { target }: RunResult): string {
  return `petstore-conformance --target ${quote(target)} --again ${quote(scenario.id)}`;
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/gu;

/** Spells out, as JSON does, what would break a line or hide what stands there. */
export function spellOut(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
