import { createHash } from 'node:crypto';
import type { RunResult, CoverageResult, ScenarioResult, GapChange, GapResult } from '../conformance/model/result.js';
import { groupBy } from '../contract/document/plain.js';
import { NOT_OBSERVED } from '../contract/gaps/profile.js';
import { formatPlace } from '../errors.js';
import { formatProof } from './curl.js';
import { html, Markup, type MarkupContent, writeList, writeSection } from './html/markup.js';
import { writeMessages, writeScenarios, SIGNS, VERDICTS } from './html/scenarios.js';
import { STYLE } from './html/style.js';
import { describeWhere } from './pretty.js';
import {
  count,
  listLeft,
  listDoubts,
  groupProblems,
  type ReportFormat,
  type ShownProblem,
  groupKnownProblems,
} from './report-format.js';
import * as say from './summarize.js';

/** One page to forward: it is self-contained, runs no scripts and loads nothing. */
export const htmlReport: ReportFormat = {
  name: 'html',
  file: 'conformance.html',
  write: (result) => writePage(result).text,
};

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

// Its text is hashed, so not even a space may change.
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

/** Only the page's own style sheet may take effect, whatever a target manages to inject. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

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
          <p>${say.summarize(result)}</p>
          <p>Written by petstore-conformance. Keys and other secrets are redacted, long bodies are cut.</p>
        </footer>
      </body>
    </html> `;
}

function writeTitle(problems: readonly ShownProblem[], result: RunResult): string {
  const { summary, interrupted, targetLost, outOfTime, drift } = result;
  if (problems.length > 0) return `${count(problems.length, 'problem')} in ${count(summary.deviated, 'scenario')}`;
  if (interrupted || targetLost || outOfTime) return 'The run did not complete';
  if (say.listBaselineProblems(result).length > 0) return 'The baseline must be changed';
  if (drift !== undefined && drift.changes.length > 0) return 'The target differs from its profile';
  if (summary.passed + summary.observed + summary.known === 0) return 'The run reached no conclusion';
  return summary.known > 0 ? 'No new deviation' : 'No deviation';
}

function writeHead(problems: readonly ShownProblem[], result: RunResult): Markup {
  const { target, contract, summary, startedAt, durationMs, interrupted, targetLost, outOfTime } = result;
  return html`<header class="top">
    <p class="eyebrow">petstore-conformance</p>
    <h1>${writeTitle(problems, result)}</h1>
    <p class="target"><code>${say.cut(target, 300)}</code></p>
    <p class="quiet">
      ${say.cut(contract.title, 200)} ${say.cut(contract.version, 50)} ·
      <time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')} UTC</time> · ${summary.requests}
      requests in ${(durationMs / 1000).toFixed(1)} s${say.summarizeCreated(summary).map((text) => html` · ${text}`)}
    </p>
    ${interrupted ? html`<p class="alert">The run was interrupted: this report shows what it did until then.</p>` : undefined}${targetLost ? html`<p class="alert">The run ended early: ${say.describeLoss(result)}.</p>` : undefined}${outOfTime ? html`<p class="alert">The run reached its time limit: this report shows what it did until then.</p>` : undefined}
    ${writeCounts(result)}
  </header> `;
}

function writeCounts({ summary, coverage, scenarios }: RunResult): Markup {
  let x = 0;
  const parts = VERDICTS.map((verdict) => {
    const width = (1000 * summary[verdict]) / Math.max(scenarios.length, 1);
    const part = html`<rect class="${verdict}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10" />`;
    x += width;
    return part;
  });
  const counts = VERDICTS.filter((verdict) => !say.RARE.includes(verdict) || summary[verdict] > 0).map(
    (verdict) =>
      html`<div class="${verdict}${summary[verdict] === 0 ? ' zero' : ''}">
        <dt><span aria-hidden="true">${SIGNS[verdict]}</span> ${verdict}</dt>
        <dd>${summary[verdict]}</dd>
      </div>`,
  );
  const covered = html`<div>
    <dt>coverage</dt>
    <dd>${say.percentOf(coverage)} %</dd>
  </div>`;
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      ${parts}
    </svg>
    <dl class="counts">${counts}${covered}</dl>`;
}

const MAX_LENGTH = 500_000;
const MAX_NAMED = 6;

/** What deviates: each problem a card, with expected and actual side by side, below one line per problem, so that a reader sees ten at a glance. */
function writeProblems(problems: readonly ShownProblem[], result: RunResult): Markup {
  const { parts, left } = say.takeWhileFits(problems, (shown, index) => writeProblem(shown, index, result), MAX_LENGTH);
  const rest =
    left === 0
      ? undefined
      : html`<p class="more">and ${left} more ${left === 1 ? 'problem' : 'problems'}, which the JSON report has.</p>`;
  const none = html`<p class="none">No checked response deviates from the contract.</p>`;
  const rows = problems.slice(0, parts.length).map(
    ({ problem }, index) =>
      html`<li>
        <a href="#problem-${index + 1}">${say.cut(problem.headline, 200)}</a>
        <span class="quiet">${say.cut(describeWhere(problem), 100)}</span>
      </li> `,
  );
  const index = html`<ol class="card rows index">
    ${rows}
  </ol>`;
  return writeSection(
    'problems',
    'Problems',
    problems.length,
    html`${problems.length === 0 ? none : html`${index}${parts}`}${rest}`,
  );
}

function writeProblem(shown: ShownProblem, index: number, result: RunResult): Markup {
  const { problem, scenario, exchange, finding, morePlaces, moreScenarios } = shown;
  const places = morePlaces === 0 ? '' : ` and ${count(morePlaces, 'more place')}`;
  const pointer = finding.contract === undefined ? scenario.basis.text : `#${finding.contract.pointer}`;
  const excerpt = problem.contract?.excerpt?.split(/\n|\\u000a/).map((line) => html`${line}<br />`);
  const more = moreScenarios.slice(0, MAX_NAMED).map((id) => html`<code>${id}</code> `);
  const left = moreScenarios.length - MAX_NAMED;
  const place = formatPlace(say.findPlace(shown, result));
  const facts: [string, MarkupContent][] = [
    ['where', describeWhere(problem)],
    ['at', html`<code>${say.cut(finding.at, 300)}</code>${places}`],
    ['contract', html`<code>${place}</code> <code class="quiet">${say.cut(pointer, 300)}</code>`],
    ['snippet', excerpt === undefined ? undefined : html`<pre>${excerpt}</pre>`],
    ['scenario', html`<code>${scenario.id}</code> <span class="quiet">${say.cut(scenario.title, 300)}</span>`],
    ['also in', more.length === 0 ? undefined : html`${more}${left > 0 ? `and ${left} more` : undefined}`],
  ];
  return html`<article class="card problem" aria-labelledby="problem-${index + 1}">
    <h3 id="problem-${index + 1}">${say.cut(problem.headline, 500)}</h3>
    <p class="sent">
      <b class="method">${exchange.request.method}</b>
      <code>${say.cut(say.summarizeRequest(exchange).slice(exchange.request.method.length + 1), 500)}</code>
      <span class="status deviated">${say.cut(say.summarizeAnswer(exchange), 200)}</span>
    </p>
    <div class="sides compare">
      <figure class="passed">
        <figcaption>Expected</figcaption>
        <pre>${say.cut(problem.expected, 2000)}</pre>
      </figure>
      <figure class="deviated">
        <figcaption>Actual</figcaption>
        <pre>${say.cut(problem.actual, 2000)}</pre>
      </figure>
    </div>
    <dl class="facts">
      ${facts.flatMap(([name, content]) => (content === undefined ? [] : [writeFact(name, content)]))}${listDoubts(shown).map(([name, text]) => writeFact(name, say.cut(text, 500)))}
    </dl>
    <p class="label">Reproduce</p>
    <pre class="command">${say.cut(say.formatAgain(shown, result), 2000)}</pre>
    <pre class="command">${say.cut(formatProof(result, exchange, finding), 4000)}</pre>
    <details class="exchange">
      <summary>Exchange</summary>
      ${writeMessages(exchange)}
    </details>
  </article> `;
}

function writeFact(name: string, content: MarkupContent): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${content}</dd>
  </div>`;
}

function writeInconclusive(scenarios: readonly ScenarioResult[]): Markup | undefined {
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return undefined;
  const list = writeList([...groupBy(open, ({ reason = '' }) => reason)], ([reason, lacking]) => {
    const names = say.cut(lacking.map(({ id }) => id).join(', '), 2000);
    const which = html`<details>
      <summary>${lacking.length} scenarios</summary>
      <code>${names}</code>
    </details>`;
    const one = html`<code class="quiet">${names}</code>`;
    return html`<li>${say.cut(reason, 1000)} ${lacking.length === 1 ? one : which}</li> `;
  });
  return writeSection('inconclusive', 'Inconclusive', open.length, list);
}

function writeCoverage(coverage: CoverageResult): Markup {
  const { total, covered, missing } = coverage;
  const text = `${covered} of ${total} parts of the contract are covered.`;
  const bar = html`<p>
    <meter min="0" max="${Math.max(total, 1)}" value="${covered}" aria-label="contract coverage">
      ${say.percentOf(coverage)} %
    </meter>
    ${text}
  </p>`;
  const list = writeList(missing, (part) => {
    const [name, place] = [say.cut(say.nameUncovered(part), 500), formatPlace(part.contract)];
    return html`<li class="part">
      <span class="tag">${part.kind}</span> <span>${name}</span> <code class="quiet">${place}</code>
    </li> `;
  });
  const never =
    missing.length === 0
      ? undefined
      : html`<h3>Not covered</h3>
          ${list}`;
  return writeSection('coverage', 'Contract coverage', `${say.percentOf(coverage)} %`, html`${bar}${never}`);
}

/** What is worth knowing about the target, although it is not a deviation. */
function writeNotes(notes: readonly string[]): Markup | undefined {
  if (notes.length === 0) return undefined;
  const list = writeList(notes, (note) => html`<li>${say.cut(note, 1000)}</li>`);
  return writeSection('notes', 'Notes', notes.length, list);
}

function writeBaseline(result: RunResult): Markup | undefined {
  const { baseline } = result;
  if (baseline === undefined) return undefined;
  const problems = say.listBaselineProblems(result);
  const known = groupKnownProblems(result);
  const change = html`<h3>To change in the baseline</h3>
    ${writeList(problems, ({ text, line }) => html`<li class="problem">${say.cut(text, 1000)} <code class="quiet">${formatPlace(line.place)}</code></li> `)}`;
  const none = html`<p class="none">None of them was seen.</p>`;
  const first =
    problems.length === 0
      ? undefined
      : html`${change}
          <h3>Accepted</h3>`;
  return writeSection(
    'known',
    'Known deviations',
    known.length,
    html`<p class="lead">As <code>${say.cut(baseline.file, 300)}</code> has them.</p>
      ${first}${known.length === 0 ? none : writeList(known, writeKnown)}`,
  );
}

function writeKnown(shown: ShownProblem): Markup {
  const { scenario, finding, moreScenarios } = shown;
  const more = moreScenarios.length === 0 ? '' : ` and ${moreScenarios.length} more`;
  const accepted = finding.baseline === undefined ? undefined : say.cut(say.summarizeKnown(finding.baseline), 1000);
  return html`<li>
    <p><code>${scenario.id}</code>${more}</p>
    <p>expected ${say.cut(finding.expected, 500)}, found ${say.cut(say.summarizeActual(shown), 500)}</p>
    <p class="quiet">${accepted}</p>
  </li> `;
}

function writeGaps({ gaps }: RunResult): Markup | undefined {
  if (gaps.length === 0) return undefined;
  const { seen, unseen } = say.splitGaps(gaps);
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
  const said = name === '' || name === meaning ? undefined : html`<b>${say.cut(name, 300)}</b>: `;
  return html`<li>
    <dl class="gap">
      <dt>${say.cut(question, 300)} <code class="quiet">${id}</code></dt>
      <dd>${said}${say.cut(meaning, 300)} <code class="quiet">${say.cut(evidence, 500)}</code></dd>
    </dl>
  </li> `;
}

function formatAnswer(answer: GapResult['answer']): string {
  return typeof answer === 'object' ? answer.join(', ') : String(answer);
}

function writeDrift({ drift }: RunResult): Markup | undefined {
  if (drift === undefined) return undefined;
  const { profile, changes, notes } = drift;
  const since = [profile.target, profile.date].filter((part) => part !== undefined).join(', ');
  const intro = html`<p class="lead">
    Against <code>${say.cut(profile.file, 300)}</code>${since === '' ? '' : ` (${say.cut(since, 300)})`}.
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
      <dd>${say.cut(formatAnswer(before), 300)} → <b>${say.cut(formatAnswer(now), 300)}</b></dd>
    </dl>
  </li> `;
}
