import { judgeHar } from './judge-har.js';
import { judgeHtml } from './judge-html.js';
import { judgeResult, judgeSarif } from './judge-json.js';
import { judgeJunit } from './judge-junit.js';
import { judgeMarkdown } from './judge-markdown.js';

/** Of each format that a standard or a schema defines, what says where a report breaks it. */
export const JUDGES: Readonly<Record<string, (text: string) => string[] | Promise<string[]>>> = {
  json: judgeResult,
  junit: judgeJunit,
  html: judgeHtml,
  markdown: judgeMarkdown,
  sarif: judgeSarif,
  har: judgeHar,
};
