import { githubReport } from './github.js';
import { harReport } from './har.js';
import { htmlReport } from './html.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { prettyReport } from './pretty.js';
import type { ReportFormat } from './report-format.js';
import { sarifReport } from './sarif.js';

/** Every format, by the name that `--report` takes. */
export const reportFormats: Readonly<Record<string, ReportFormat>> = {
  pretty: prettyReport,
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
  github: githubReport,
  sarif: sarifReport,
  har: harReport,
};
