import type { RunResult } from '../conformance/model/result.js';

/** Writes a result in one format. */
export interface ReportFormat {
  /** As `--report` names it. */
  name: string;
  /** The name of the file in `--report-dir`; `undefined` for a format that is only read on a terminal. */
  file: string | undefined;
  write(result: RunResult, options: ReportOptions): string;
}

export interface ReportOptions {
  /** Whether colours are wanted. */
  color: boolean;
  /** Only the problems and the summary. */
  quiet: boolean;
  /** All results of the run, in full. Default: `false`. */
  verbose?: boolean;
  /** What the target does where the contract is silent, not only how often. Default: `false`. */
  gaps?: boolean;
  /** Whether another report in the same log tells the problems to whoever reads it. Default: `false`. */
  isToldBeside?: boolean;
  /** What fails the run although there is no problem: `--min-coverage`. */
  failedBy?: string | undefined;
  /** The folder from which files are named, as the repository names it: `services/pets`. Default: its root. */
  folder?: string | undefined;
}
