import type { RunResult } from '../../conformance/model/result.js';
import type { ShownProblem } from '../problems.js';
import { cut, describeLoss, listBaselineProblems, percentOf, summarizeCreated } from '../summarize.js';
import { html, type Markup } from './markup.js';
import { plural } from './section.js';
import { RARE, SIGNS, VERDICTS } from './verdicts.js';

/** What the page says in one line. */
export function writeTitle(problems: readonly ShownProblem[], result: RunResult): string {
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
export function writeHead(problems: readonly ShownProblem[], result: RunResult): Markup {
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
