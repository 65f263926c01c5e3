import { createHash } from 'node:crypto';
import type { RunResult, CoverageResult, ScenarioResult, GapChange, GapResult } from '../conformance/model/result.js';
import { listLeft, groupProblems, type ShownProblem, groupKnownProblems } from './problems.js';
import { writeProblems } from './html/problems.js';
import { html, Markup, plural, writeList, writeSection } from './html/markup.js';
import { writeScenarios, RARE, SIGNS, VERDICTS } from './html/scenarios.js';
import { STYLE } from './html/style.js';
import {
  summarize,
  cut,
  describeLoss,
  listBaselineProblems,
  percentOf,
  summarizeCreated,
  nameUncovered,
  summarizeActual,
  summarizeKnown,
} from './summarize.js';
import type { ReportFormat } from './report.js';
import { groupBy } from '../contract/document/plain.js';
import { formatPlace } from '../errors.js';
import { NOT_OBSERVED } from '../contract/gaps/profile.js';

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

/** What the page says in one line. */
function writeTitle(problems: readonly ShownProblem[], result: RunResult): string {
  const { summary, interrupted, targetLost, outOfTime, drift } = result;
  const found = `${problems.length} ${plural(problems.length, 'problem')} in ${summary.deviated} ${plural(summary.deviated, 'scenario')}`;
  if (problems.length > 0) return found;
  if (interrupted || targetLost || outOfTime) return 'The run did not complete';
  if (listBaselineProblems(result).length > 0) return 'The baseline must be changed';
  if (drift !== undefined && drift.changes.length > 0) return 'The target differs from its profile';
  return summary.passed + summary.observed + summary.known === 0
    ? 'The run reached no conclusion'
    : summary.known > 0
      ? 'No new deviation'
      : 'No deviation';
}

/** Which target was tested, when, and the outcome. */
function writeHead(problems: readonly ShownProblem[], result: RunResult): Markup {
  const { target, contract, summary, startedAt, durationMs, interrupted, targetLost, outOfTime } = result;
  return html`<header class="top">
    <p class="eyebrow">petstore-conformance</p>
    <h1>${writeTitle(problems, result)}</h1>
    <p class="target"><code>${cut(target, 300)}</code></p>
    <p class="quiet">
      ${cut(contract.title, 200)} ${cut(contract.version, 50)} ·
      <time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')} UTC</time> · ${summary.requests}
      requests in ${(durationMs / 1000).toFixed(1)} s${summarizeCreated(summary).map((text) => html` · ${text}`)}
    </p>
    ${interrupted ? html`<p class="alert">The run was interrupted: this report shows what it did until then.</p>` : undefined}${targetLost ? html`<p class="alert">The run ended early: ${describeLoss(result)}.</p>` : undefined}${outOfTime ? html`<p class="alert">The run reached its time limit: this report shows what it did until then.</p>` : undefined}
    ${writeCounts(result)}
  </header> `;
}

function writeCounts({ summary, coverage, scenarios }: RunResult): Markup {
  const told = VERDICTS.filter((verdict) => !RARE.includes(verdict) || summary[verdict] > 0);
  const counts = told.map(
    (verdict) =>
      html`<div class="${verdict}${summary[verdict] === 0 ? ' zero' : ''}">
        <dt><span aria-hidden="true">${SIGNS[verdict]}</span> ${verdict}</dt>
        <dd>${summary[verdict]}</dd>
      </div>`,
  );
  const covered = html`<div>
    <dt>coverage</dt>
    <dd>${percentOf(coverage)} %</dd>
  </div>`;
  return html`${writeBar(summary, scenarios.length)}
    <dl class="counts">${counts}${covered}</dl>`;
}

/** The verdicts' shares; the counts below it say the same in numbers. */
function writeBar(summary: RunResult['summary'], total: number): Markup {
  let x = 0;
  const parts = VERDICTS.map((verdict) => {
    const width = (1000 * summary[verdict]) / Math.max(total, 1);
    const part = html`<rect class="${verdict}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10" />`;
    x += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${parts}
  </svg>`;
}

/** What could not be concluded; scenarios that lack the same thing are grouped. */
function writeInconclusive(scenarios: readonly ScenarioResult[]): Markup | undefined {
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return undefined;
  const list = writeList([...groupBy(open, ({ reason = '' }) => reason)], writeReason);
  return writeSection('inconclusive', 'Inconclusive', open.length, list);
}

function writeReason([reason, scenarios]: [string, ScenarioResult[]]): Markup {
  const ids = scenarios.map(({ id }) => id);
  const names = cut(ids.join(', '), 2000);
  const which = html`<details>
    <summary>${ids.length} scenarios</summary>
    <code>${names}</code>
  </details>`;
  return html`<li>${cut(reason, 1000)} ${ids.length === 1 ? html`<code class="quiet">${names}</code>` : which}</li> `;
}

/** How much of the contract was exercised, and each part that was not. */
function writeCoverage(coverage: CoverageResult): Markup {
  const { total, covered, missing } = coverage;
  const text = `${covered} of ${total} parts of the contract are covered.`;
  const bar = html`<p>
    <meter min="0" max="${Math.max(total, 1)}" value="${covered}" aria-label="contract coverage">
      ${percentOf(coverage)} %
    </meter>
    ${text}
  </p>`;
  const list = writeList(missing, writeMissing);
  const never =
    missing.length === 0
      ? undefined
      : html`<h3>Not covered</h3>
          ${list}`;
  return writeSection('coverage', 'Contract coverage', `${percentOf(coverage)} %`, html`${bar}${never}`);
}

function writeMissing(part: CoverageResult['missing'][number]): Markup {
  const name = cut(nameUncovered(part), 500);
  return html`<li class="part">
    <span class="tag">${part.kind}</span> <span>${name}</span> <code class="quiet">${formatPlace(part.contract)}</code>
  </li> `;
}

/** What is worth knowing about the target, although it is not a deviation. */
function writeNotes(notes: readonly string[]): Markup | undefined {
  if (notes.length === 0) return undefined;
  const list = writeList(notes, (note) => html`<li>${cut(note, 1000)}</li>`);
  return writeSection('notes', 'Notes', notes.length, list);
}

/** Which entries of the baseline fail the run, and what it accepts. */
function writeBaseline(result: RunResult): Markup | undefined {
  const { baseline } = result;
  if (baseline === undefined) return undefined;
  const problems = listBaselineProblems(result);
  const known = groupKnownProblems(result);
  const change = html`<h3>To change in the baseline</h3>
    ${writeList(problems, ({ text, line }) => html`<li class="problem">${cut(text, 1000)} <code class="quiet">${formatPlace(line.place)}</code></li> `)}`;
  const none = html`<p class="none">None of them was seen.</p>`;
  return writeSection(
    'known',
    'Known deviations',
    known.length,
    html`<p class="lead">As <code>${cut(baseline.file, 300)}</code> has them.</p>
      ${
        problems.length === 0
          ? undefined
          : html`${change}
              <h3>Accepted</h3>`
      }${known.length === 0 ? none : writeList(known, writeKnown)}`,
  );
}

function writeKnown(problem: ShownProblem): Markup {
  const { scenario, finding, moreScenarios } = problem;
  const more = moreScenarios.length === 0 ? '' : ` and ${moreScenarios.length} more`;
  const accepted = finding.baseline === undefined ? undefined : cut(summarizeKnown(finding.baseline), 1000);
  return html`<li>
    <p><code>${scenario.id}</code>${more}</p>
    <p>expected ${cut(finding.expected, 500)}, found ${cut(summarizeActual(problem), 500)}</p>
    <p class="quiet">${accepted}</p>
  </li> `;
}

/** Gaps: what the contract leaves open, and what the target does there. */
function writeGaps({ gaps }: RunResult): Markup | undefined {
  if (gaps.length === 0) return undefined;
  const seen = gaps.filter(({ answer }) => answer !== NOT_OBSERVED);
  const unseen = gaps.filter(({ answer }) => answer === NOT_OBSERVED);
  const rest =
    unseen.length === 0
      ? undefined
      : html`<details class="card file">
          <summary>
            <h3>Not observed</h3>
            <span class="count">${unseen.length}</span>
          </summary>
          ${writeList(unseen, writeGap)}
        </details>`;
  return writeSection(
    'gaps',
    'Gaps: what the contract leaves open',
    `${seen.length} of ${gaps.length} seen`,
    html`${seen.length === 0 ? undefined : writeList(seen, writeGap)}${rest}`,
  );
}

function writeGap({ id, question, answer, meaning, evidence }: GapResult): Markup {
  const name = answer === NOT_OBSERVED ? '' : formatAnswer(answer);
  const said = name === '' || name === meaning ? undefined : html`<b>${cut(name, 300)}</b>: `;
  return html`<li>
    <dl class="gap">
      <dt>${cut(question, 300)} <code class="quiet">${id}</code></dt>
      <dd>${said}${cut(meaning, 300)} <code class="quiet">${cut(evidence, 500)}</code></dd>
    </dl>
  </li> `;
}

function formatAnswer(answer: GapResult['answer']): string {
  return typeof answer === 'object' ? answer.join(', ') : String(answer);
}

/** Where the target differs from the given profile. */
function writeDrift({ drift }: RunResult): Markup | undefined {
  if (drift === undefined) return undefined;
  const { profile, changes, notes } = drift;
  const since = [profile.target, profile.date].filter((part) => part !== undefined).join(', ');
  const intro = html`<p class="lead">
    Against <code>${cut(profile.file, 300)}</code>${since === '' ? '' : ` (${cut(since, 300)})`}.
  </p> `;
  const none = html`<p class="none">Nothing has changed.</p>`;
  const worthNoting =
    notes.length === 0
      ? undefined
      : html`<h3>Notes</h3>
          ${writeList(notes, writeChange)}`;
  return writeSection(
    'drift',
    'Changes since the profile',
    changes.length,
    html`${intro}${changes.length === 0 ? none : writeList(changes, writeChange)}${worthNoting}`,
  );
}

function writeChange({ id, before, now }: GapChange): Markup {
  return html`<li>
    <dl class="gap">
      <dt><code>${id}</code></dt>
      <dd>${cut(formatAnswer(before), 300)} → <b>${cut(formatAnswer(now), 300)}</b></dd>
    </dl>
  </li> `;
}
