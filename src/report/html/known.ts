import type { RunResult } from '../../conformance/model/result.js';
import { formatPlace } from '../../errors.js';
import { groupKnownProblems, type ShownProblem } from '../problems.js';
import { cut, listBaselineProblems, summarizeActual, summarizeKnown } from '../summarize.js';
import { html, type Markup } from './markup.js';
import { writeList, writeSection } from './section.js';

/** Which entries of the baseline fail the run, and what it accepts. */
export function writeBaseline(result: RunResult): Markup | undefined {
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
