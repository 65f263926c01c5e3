import type { RunResult } from '../conformance/result.js';

/** Writes a result in one format. */
export interface ReportFormat {
  /** As `--report` names it. */
  name: string;
  /** The name of the file in `--report-dir`; `undefined` for what is only read on a terminal. */
  file: string | undefined;
  write(result: RunResult, options: ReportOptions): string;
}

export interface ReportOptions {
  /** Whether colours are wanted. */
  color: boolean;
  /** Only the problems, and the summary. */
  quiet: boolean;
  /** All that the run came to, at length. Default: `false`. */
  verbose?: boolean;
  /** What the target does where the contract is silent, beside how often it does. Default: `false`. */
  gaps?: boolean;
}
