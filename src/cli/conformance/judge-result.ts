import type { RunResult } from '../../conformance/model/result.js';
import { countConcluded, countTested, groupInconclusive, percentOf } from '../../report/summarize.js';
import { formatPlace } from '../../errors.js';
import { EXIT_DEVIATED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE, EXIT_WELL } from '../exit-codes.js';
import { complain } from './complain.js';
import type { ConformanceSettings } from './settings.js';

/** What the user requires of a result. */
export type Demands = Pick<ConformanceSettings, 'failOn' | 'minCoverage' | 'minConcluded' | 'writeBaseline'>;

/** The exit code for a result. If the report tells of no problem and the run fails all the same, the last line says why. */
export function judgeResult(result: RunResult, settings: Demands): number {
  const { summary, coverage, baseline, drift, interrupted, targetLost, outOfTime } = result;
  const { failOn, minCoverage = 0, writeBaseline: written } = settings;
  if (interrupted) return EXIT_INTERRUPTED;
  const { expired = [], fixed = [] } = baseline ?? {};
  const isWrong = summary.deviated > 0 || fixed.length > 0;
  // A deviation just recorded as known is not new; people decide when it expires.
  const isAccepted = written !== undefined && !targetLost && !outOfTime && expired.length === 0;
  if (isWrong && !isAccepted && !(targetLost && fixed.length === 0 && isOnlySilence(result)))
    return fail(describeBaseline(result));
  if (targetLost) return EXIT_UNAVAILABLE;
  if (drift !== undefined && drift.changes.length > 0) return fail(describeDrift(drift));
  if (failOn === 'inconclusive' && summary.inconclusive > 0)
    return fail(
      `${count(summary.inconclusive, 'scenario is', 'scenarios are')} inconclusive, which fails the run (--fail-on inconclusive); most of them: ${findCommonReason(result)}.`,
    );
  if (result.shard === undefined && 100 * coverage.covered < minCoverage * coverage.total)
    return fail(
      `contract coverage is ${percentOf(coverage)} %, below the ${minCoverage} % of --min-coverage; ${count(coverage.missing.length, 'part was', 'parts were')} never exercised (--verbose shows them).`,
    );
  if (result.shard !== undefined && minCoverage > 0)
    complain('merge judges --min-coverage, since one shard covers only a part.');
  return judgeConcluded(result, settings);
}

function fail(why: string | undefined): number {
  if (why !== undefined) complain(why);
  return EXIT_DEVIATED;
}

/** Why a run fails whose problems, if any, are all in the baseline. */
function describeBaseline({ baseline, problems }: RunResult): string | undefined {
  if (baseline === undefined || problems.some((problem) => problem.baseline === undefined)) return undefined;
  const [late] = baseline.expired;
  if (late !== undefined)
    return `${count(baseline.expired.length, 'known deviation has', 'known deviations have')} expired, the first on ${late.expires} (${formatPlace(late.place)}); mend it, or give it a later day.`;
  const [first] = baseline.fixed;
  const many = count(baseline.fixed.length, 'line of it no longer deviates', 'lines of it no longer deviate');
  if (first === undefined) return undefined;
  return `the baseline is outdated: ${many}, the first is ${formatPlace(first.place)}; remove what is fixed, or let --write-baseline do it.`;
}

function describeDrift({ changes, profile }: NonNullable<RunResult['drift']>): string {
  return `${count(changes.length, 'gap', 'gaps')} changed since the profile ${profile.file}, which fails the run (--profile).`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Whether all that is wrong is that no answer came: of a target that has gone, this says no more than that it has gone. */
function isOnlySilence({ problems }: RunResult): boolean {
  return problems
    .filter(({ baseline }) => baseline?.state !== 'known')
    .every(({ cause: { check, rule } }) => check === 'answered' && rule !== 'incomplete');
}

/** A run that concluded little must not look like one that found nothing. */
function judgeConcluded(result: RunResult, { minConcluded }: Demands): number {
  const { concluded, wanted } = countConcluded(result);
  if (concluded === 0) {
    complain('nothing was concluded; for each scenario, the report says what would help.');
    return EXIT_USAGE;
  }
  // Of a shard, the whole tells; what a limit of requests left out counts neither way.
  const isWhole = result.shard === undefined && (result.requestLimit?.leftOut ?? 0) === 0;
  if (result.untested !== undefined && isWhole) {
    complain(
      `${result.resources === undefined ? 'no resource was' : countTested(result.resources)}: ${result.untested}.`,
    );
    return EXIT_USAGE;
  }
  // What a limit of requests left out counts neither way: a whole run may have so many without a conclusion.
  const all = wanted + (result.requestLimit?.leftOut ?? 0);
  if (100 * (all - wanted + concluded) >= minConcluded * all) return EXIT_WELL;
  const percent = Math.floor((100 * concluded) / wanted);
  return fail(
    `${concluded} of ${wanted} scenarios reached a conclusion: ${percent} %, below the ${minConcluded} % of --min-concluded; most of the others: ${findCommonReason(result)}.`,
  );
}

function findCommonReason({ scenarios }: RunResult): string {
  return groupInconclusive(scenarios)[0]?.reason ?? '';
}
