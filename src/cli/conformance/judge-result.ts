import type { RunResult } from '../../conformance/result.js';
import { countConcluded, groupInconclusive } from '../../report/summarize.js';
import { EXIT_DEVIATED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE, EXIT_WELL } from '../exit-codes.js';
import { complain } from './complain.js';
import type { ConformanceSettings } from './settings.js';

/** What the user requires of a result. */
export type Demands = Pick<ConformanceSettings, 'failOn' | 'minCoverage' | 'minConcluded' | 'writeBaseline'>;

/** The exit code for a result. Prints the reason if the report does not make it obvious. */
export function judgeResult(result: RunResult, settings: Demands): number {
  const { summary, coverage, baseline, drift, interrupted, targetLost, outOfTime } = result;
  const { failOn, minCoverage = 0, writeBaseline: written } = settings;
  if (interrupted) return EXIT_INTERRUPTED;
  const { expired = [], fixed = [] } = baseline ?? {};
  const isWrong = summary.deviated > 0 || fixed.length > 0;
  // A deviation just recorded as known is not new; people decide when it expires.
  const isAccepted = written !== undefined && !targetLost && !outOfTime && expired.length === 0;
  if (isWrong && !isAccepted && !(targetLost && fixed.length === 0 && isOnlySilence(result))) return EXIT_DEVIATED;
  if (targetLost) return EXIT_UNAVAILABLE;
  if (drift !== undefined && drift.changes.length > 0) return EXIT_DEVIATED;
  if (failOn === 'inconclusive' && summary.inconclusive > 0) return EXIT_DEVIATED;
  if (result.shard === undefined && 100 * coverage.covered < minCoverage * coverage.total) return EXIT_DEVIATED;
  if (result.shard !== undefined && minCoverage > 0)
    complain('merge judges --min-coverage, since one shard covers only a part.');
  return judgeConcluded(result, settings);
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
  if (100 * concluded >= minConcluded * wanted) return EXIT_WELL;
  const percent = Math.floor((100 * concluded) / wanted);
  complain(
    `${concluded} of ${wanted} scenarios reached a conclusion: ${percent} %, below the ${minConcluded} % of --min-concluded; most of the others: ${findCommonReason(result)}.`,
  );
  return EXIT_DEVIATED;
}

function findCommonReason({ scenarios }: RunResult): string {
  return groupInconclusive(scenarios)[0]?.reason ?? '';
}
