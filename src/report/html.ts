import { createHash } from 'node:crypto';
import type { RunResult } from '../conformance/model/result.js';
import { listLeft } from './left.js';
import { groupProblems } from './problems.js';
import { writeProblems } from './html/problems.js';
import { writeCoverage, writeInconclusive, writeNotes } from './html/findings.js';
import { writeHead, writeTitle } from './html/head.js';
import { writeBaseline } from './html/known.js';
import { html, Markup } from './html/markup.js';
import { writeDrift, writeGaps } from './html/gaps.js';
import { writeScenarios } from './html/scenarios.js';
import { STYLE } from './html/style.js';
import { summarize } from './summarize.js';
import type { ReportFormat } from './report.js';

/** One page to forward: it is self-contained, runs no scripts and loads nothing. */
export const htmlReport: ReportFormat = {
  name: 'html',
  file: 'conformance.html',
  write: (result) => writePage(result).text,
};

function writePage(result: RunResult): Markup {
  const problems = groupProblems(result);
  const sections = {
    problems: writeProblems(problems, result),
    known: writeBaseline(result),
    drift: writeDrift(result),
    notes: writeNotes([...listLeft(result), ...result.notes, ...(result.contract.notes ?? [])]),
    inconclusive: writeInconclusive(result.scenarios),
    gaps: writeGaps(result),
    coverage: writeCoverage(result.coverage),
    scenarios: writeScenarios(result),
  };
  const links = Object.entries(sections).flatMap(([id, section]) =>
    section === undefined ? [] : [html`<li><a href="#${id}">${NAMES[id as keyof typeof sections]}</a></li>`],
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${writeTitle(problems, result)} · petstore-conformance</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${writeHead(problems, result)}
        <nav aria-label="Sections">
          <ul>
            ${links}
          </ul>
        </nav>
        <main>${Object.values(sections).flatMap((section) => section ?? [])}</main>
        <footer>
          <p>${summarize(result)}</p>
          <p>Written by petstore-conformance. Keys and other secrets are redacted, long bodies are cut.</p>
        </footer>
      </body>
    </html> `;
}

// Its text is hashed, so not even a space may change.
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

const NAMES = {
  problems: 'Problems',
  known: 'Known',
  drift: 'Drift',
  notes: 'Notes',
  inconclusive: 'Inconclusive',
  gaps: 'Gaps',
  coverage: 'Coverage',
  scenarios: 'Scenarios',
} as const;

/** Only the page's own style sheet may take effect, whatever a target manages to inject. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
