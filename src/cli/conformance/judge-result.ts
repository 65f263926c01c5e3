import type { RunResult } from '../../conformance/model/result.js';
import { count } from '../../report/report-format.js';
import { countConcluded, countTested, groupInconclusive, percentOf } from '../../report/summarize.js';
import { formatPlace } from '../../errors.js';
import { EXIT_DEVIATED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE, EXIT_WELL } from '../terminal.js';
import type { ConformanceSettings } from './settings.js';

export type Demands = Pick<ConformanceSettings, 'failOn' | 'minCoverage' | 'minConcluded' | 'writeBaseline'>;

/** How a run ended: its exit code, and why it is not 0 if the problems in the report do not say so. */
export interface RunEnd {
  code: number;
  /** Full sentences. */
  why?: string;
  /** What made it fail, for the summary: `--min-coverage`. */
  failedBy?: string;
}

export function judgeResult(result: RunResult, settings: Demands): RunEnd {
  const { summary, coverage, baseline, drift, interrupted, targetLost, outOfTime } = result;
  const { failOn, minCoverage = 0, writeBaseline: written } = settings;
  if (interrupted) return { code: EXIT_INTERRUPTED };
  if (result.credentialsExpired === true)
    return {
      code: EXIT_USAGE,
      why: `${result.lostBecause ?? 'the credential expired'}; a login or a command can renew it (credentials).`,
    };
  const { expired = [], fixed = [] } = baseline ?? {};
  const isWrong = summary.deviated > 0 || fixed.length > 0;
  // A deviation just recorded as known is not new; people decide when it expires.
  const isAccepted = written !== undefined && !targetLost && !outOfTime && expired.length === 0;
  // All that is wrong is that no response came: of a target that is gone, this says no more than that it is gone.
  const isOnlySilence = result.problems
    .filter((problem) => problem.baseline?.state !== 'known')
    .every(({ cause: { check, rule } }) => check === 'answered' && rule !== 'incomplete');
  if (isWrong && !isAccepted && !(targetLost && fixed.length === 0 && isOnlySilence))
    return { code: EXIT_DEVIATED, ...describeBaseline(result) };
  if (targetLost) return { code: EXIT_UNAVAILABLE };
  if (drift !== undefined && drift.changes.length > 0)
    return fail(
      '--profile',
      `${count(drift.changes.length, 'gap', 'gaps')} changed since the profile ${drift.profile.file}, which fails the run (--profile).`,
    );
  if (failOn === 'inconclusive' && summary.inconclusive > 0)
    return fail(
      '--fail-on inconclusive',
      `${count(summary.inconclusive, 'scenario is', 'scenarios are')} inconclusive, which fails the run (--fail-on inconclusive). The most frequent reason: ${groupInconclusive(result.scenarios)[0]?.reason ?? ''}.`,
    );
  if (result.shard === undefined && 100 * coverage.covered < minCoverage * coverage.total)
    return fail(
      '--min-coverage',
      `contract coverage is ${percentOf(coverage)} %, below the ${minCoverage} % of --min-coverage; ${count(coverage.missing.length, 'part is', 'parts are')} not covered (--verbose lists them).`,
    );
  const { code, why, failedBy } = judgeConcluded(result, settings);
  const note =
    result.shard !== undefined && minCoverage > 0
      ? '--min-coverage is checked by petstore-conformance merge, since one shard covers only a part.'
      : undefined;
  const all = [note, why].filter((part) => part !== undefined);
  return { code, ...(all.length === 0 ? {} : { why: all.join(' ') }), ...(failedBy === undefined ? {} : { failedBy }) };
}

const fail = (failedBy: string, why: string): RunEnd => ({ code: EXIT_DEVIATED, why, failedBy });

function describeBaseline({ baseline, problems }: RunResult): Omit<RunEnd, 'code'> {
  if (baseline === undefined || problems.some((problem) => problem.baseline === undefined)) return {};
  const [late] = baseline.expired;
  if (late !== undefined)
    return {
      why: `${count(baseline.expired.length, 'known deviation has', 'known deviations have')} expired, the first on ${late.expires} (${formatPlace(late.place)}); fix the target, or set a later date.`,
      failedBy: 'an expired entry of the baseline',
    };
  const [first] = baseline.fixed;
  const many = count(baseline.fixed.length, 'known deviation is fixed', 'known deviations are fixed');
  if (first === undefined) return {};
  return {
    why: `the baseline is outdated: ${many}, the first at ${formatPlace(first.place)}; the report names the entries to remove, or --write-baseline removes them.`,
    failedBy: 'an outdated entry of the baseline',
  };
}

/** A run that concluded little must not look like one that found nothing. */
function judgeConcluded(result: RunResult, { minConcluded }: Demands): RunEnd {
  const { concluded, wanted } = countConcluded(result);
  if (concluded === 0)
    return { code: EXIT_USAGE, why: 'nothing was concluded; the report says what each scenario needs.' };
  // Of a shard, the whole tells; what a limit of requests left out counts neither way.
  const isWhole = result.shard === undefined && (result.requestLimit?.leftOut ?? 0) === 0;
  if (result.untested !== undefined && isWhole) {
    const tested = result.resources === undefined ? 'no resource was tested' : countTested(result.resources);
    return { code: EXIT_USAGE, why: `${tested}: ${result.untested}.` };
  }
  // What a limit of requests left out counts neither way: a whole run may have so many without a conclusion.
  const all = wanted + (result.requestLimit?.leftOut ?? 0);
  if (100 * (all - wanted + concluded) >= minConcluded * all) return { code: EXIT_WELL };
  const percent = Math.floor((100 * concluded) / wanted);
  return fail(
    '--min-concluded',
    `${concluded} of ${wanted} scenarios reached a conclusion: ${percent} %, below the ${minConcluded} % of --min-concluded. The most frequent reason: ${groupInconclusive(result.scenarios)[0]?.reason ?? ''}.`,
  );
}
