import type { RunResult } from '../../conformance/model/result.js';
import { formatPlace } from '../../errors.js';
import { formatProof } from '../curl.js';
import { listDoubts, type ShownProblem } from '../problems.js';
import { cut, findPlace, formatAgain, summarizeAnswer, summarizeRequest, takeWhileFits } from '../summarize.js';
import { writeMessages } from './scenarios.js';
import { describeWhere } from '../pretty.js';
import { html, type MarkupContent, type Markup, plural, writeSection } from './markup.js';

const MAX_LENGTH = 500_000;
const MAX_NAMED = 6;

/** What deviates: each problem a card, with expected and actual side by side. */
export function writeProblems(problems: readonly ShownProblem[], result: RunResult): Markup {
  const { parts, left } = takeWhileFits(problems, (problem, index) => writeProblem(problem, index, result), MAX_LENGTH);
  const rest =
    left === 0
      ? undefined
      : html`<p class="more">and ${left} more ${plural(left, 'problem')}, which the JSON report has.</p>`;
  const none = html`<p class="none">No checked response deviates from the contract.</p>`;
  return writeSection(
    'problems',
    'Problems',
    problems.length,
    html`${problems.length === 0 ? none : html`${writeIndex(problems.slice(0, parts.length))}${parts}`}${rest}`,
  );
}

/** One line per problem, so that a reader sees ten at a glance. */
function writeIndex(problems: readonly ShownProblem[]): Markup {
  const rows = problems.map(
    ({ problem }, index) =>
      html`<li>
        <a href="#problem-${index + 1}">${cut(problem.headline, 200)}</a>
        <span class="quiet">${cut(describeWhere(problem), 100)}</span>
      </li> `,
  );
  return html`<ol class="card rows index">
    ${rows}
  </ol>`;
}

function writeProblem(problem: ShownProblem, index: number, result: RunResult): Markup {
  const { exchange, finding, morePlaces } = problem;
  const places = morePlaces === 0 ? '' : ` and ${morePlaces} more ${plural(morePlaces, 'place')}`;
  return html`<article class="card problem" aria-labelledby="problem-${index + 1}">
    <h3 id="problem-${index + 1}">${cut(problem.problem.headline, 500)}</h3>
    <p class="sent">
      <b class="method">${exchange.request.method}</b>
      <code>${cut(summarizeRequest(exchange).slice(exchange.request.method.length + 1), 500)}</code>
      <span class="status deviated">${cut(summarizeAnswer(exchange), 200)}</span>
    </p>
    <div class="sides compare">
      <figure class="passed">
        <figcaption>Expected</figcaption>
        <pre>${cut(problem.problem.expected, 2000)}</pre>
      </figure>
      <figure class="deviated">
        <figcaption>Actual</figcaption>
        <pre>${cut(problem.problem.actual, 2000)}</pre>
      </figure>
    </div>
    <dl class="facts">
      ${writeFact('where', describeWhere(problem.problem))}${writeFact('at', html`<code>${cut(finding.at, 300)}</code>${places}`)}${writeFact('contract', writeRule(problem, result))}${writeExcerpt(problem)}${writeScenario(problem)}${writeMoreScenarios(problem)}${listDoubts(problem).map(([name, text]) => writeFact(name, cut(text, 500)))}
    </dl>
    <p class="label">Reproduce</p>
    <pre class="command">${cut(formatAgain(problem, result), 2000)}</pre>
    <pre class="command">${cut(formatProof(result, exchange, finding), 4000)}</pre>
    <details class="exchange">
      <summary>Exchange</summary>
      ${writeMessages(exchange)}
    </details>
  </article> `;
}

function writeScenario({ scenario }: ShownProblem): Markup {
  return writeFact(
    'scenario',
    html`<code>${scenario.id}</code> <span class="quiet">${cut(scenario.title, 300)}</span>`,
  );
}

function writeRule(problem: ShownProblem, result: RunResult): Markup {
  const { finding, scenario } = problem;
  const pointer = finding.contract === undefined ? scenario.basis.text : `#${finding.contract.pointer}`;
  return html`<code>${formatPlace(findPlace(problem, result))}</code> <code class="quiet">${cut(pointer, 300)}</code>`;
}

function writeMoreScenarios({ moreScenarios }: ShownProblem): Markup | undefined {
  if (moreScenarios.length === 0) return undefined;
  const named = moreScenarios.slice(0, MAX_NAMED).map((id) => html`<code>${id}</code> `);
  const rest = moreScenarios.length - MAX_NAMED;
  return writeFact('also in', html`${named}${rest > 0 ? `and ${rest} more` : undefined}`);
}

function writeFact(name: string, content: MarkupContent): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${content}</dd>
  </div>`;
}

/** The lines of the contract that state the rule. */
function writeExcerpt({ problem: { contract } }: ShownProblem): Markup | undefined {
  if (contract?.excerpt === undefined) return undefined;
  const lines = contract.excerpt.split(/\n|\\u000a/).map((line) => html`${line}<br />`);
  return writeFact('snippet', html`<pre>${lines}</pre>`);
}
