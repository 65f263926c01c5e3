import { spellOutJson } from '../redact/spell-out.js';
import { keepEvidence } from './json/keep-evidence.js';
import { writeLines } from './json/write-lines.js';
import type { ReportFormat } from './report.js';

/**
 * The result as JSON, described by `spec/conformance-result.schema.json`. It contains evidence once, so that a report can
 * be mailed; `json/keep-evidence.ts` has what is left out.
 */
export const jsonReport: ReportFormat = {
  name: 'json',
  file: 'conformance.json',
  // What merges shards reads it again, and needs all of it.
  write: (result) => `${spellOutJson(writeLines(result.shard === undefined ? keepEvidence(result) : result))}\n`,
};
