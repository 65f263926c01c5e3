import { spellOutJson } from '../redact/spell-out.js';
import type { ReportFormat } from './report.js';

/** The whole result as JSON; its shape is described by `spec/conformance-result.schema.json`. */
export const jsonReport: ReportFormat = {
  name: 'json',
  file: 'conformance.json',
  write: (result) => `${spellOutJson(JSON.stringify(result, null, 2))}\n`,
};
