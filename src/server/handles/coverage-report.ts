import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import type { CoverageReport, NeverExercised } from '../petstore-world.js';

/** The report of a recorder. Throws a {@link PetstoreMockError} (`low-coverage`) below a threshold in percent. */
export function reportCoverage(
  recorder: CoverageRecorder,
  contract: Contract,
  threshold: number | undefined,
): CoverageReport {
  const { total, covered, missing } = recorder.summarize();
  const percent = Math.floor((100 * covered) / Math.max(total, 1));
  const never = missing.map(({ id, kind, pointer }): NeverExercised => ({
    id,
    kind,
    contract: { ...contract.document.placeOf(pointer), pointer },
  }));
  const report = { total, covered, percent, missing: never, text: describe({ total, covered, percent }, never) };
  checkThreshold(report, threshold);
  return report;
}

/** Throws a {@link PetstoreMockError} (`low-coverage`) for a report below a threshold. */
export function checkThreshold(report: CoverageReport, threshold: number | undefined): void {
  if (threshold === undefined) return;
  if (typeof threshold !== 'number' || !(threshold >= 0 && threshold <= 100)) {
    throw new PetstoreMockError(
      'bad-option',
      `a threshold must be a percentage from 0 to 100, not ${String(threshold)}.`,
    );
  }
  if (100 * report.covered >= threshold * report.total) return;
  throw new PetstoreMockError('low-coverage', `${report.text}\nAt least ${threshold} % were required.`);
}

function describe(
  counts: Pick<CoverageReport, 'total' | 'covered' | 'percent'>,
  missing: readonly NeverExercised[],
): string {
  const head = `${counts.covered} of ${counts.total} parts of the contract were exercised, ${counts.percent} %.`;
  if (missing.length === 0) return head;
  const width = Math.max(...missing.map(({ id }) => id.length));
  const lines = missing.map(({ id, contract }) => `  ${id.padEnd(width)}  ${formatPlace(contract)}`);
  return [head, 'Not covered:', ...lines].join('\n');
}
