import type { RunResult, ScenarioResult, Verdict, ExchangeResult } from '../../conformance/model/result.js';
import { groupBy } from '../../contract/document/plain.js';
import { formatPlace } from '../../errors.js';
import { cutBody } from '../json.js';
import { count } from '../report-format.js';
import { cut, summarizeAnswer, takeWhileFits } from '../summarize.js';
import { html, type Markup, lines, writeSection } from './markup.js';

const MAX_EXCHANGES = 150_000;
const MAX_ROWS = 1_000_000;
const MAX_BODY = 2000;
/** How much of a body is shown where the exchange is not what a problem shows. */
const MAX_SKETCH = 80;
const MAX_FINDINGS = 8;
/** Which scenarios are kept if the page cannot hold all. */
const WANTED_FIRST: readonly Verdict[] = ['deviated', 'known', 'inconclusive', 'observed', 'passed', 'skipped'];

/** In the order of the page. */
export const VERDICTS: readonly Verdict[] = ['deviated', 'known', 'passed', 'observed', 'inconclusive', 'skipped'];

/** So that colour alone does not convey a verdict. */
export const SIGNS: Readonly<Record<Verdict, string>> = {
  deviated: '✗',
  known: '~',
  passed: '✓',
  observed: '◆',
  inconclusive: '?',
  skipped: '–',
};

/** All scenarios under its file, with its verdict and exchanges to unfold. */
export function writeScenarios({ scenarios }: RunResult): Markup {
  const shown = chooseShown(scenarios);
  // The exchanges of as many scenarios as the page can hold.
  const asked = sortByWant(shown).filter((scenario) => countExchanges(scenario) > 0);
  const { parts: steps } = takeWhileFits(asked, writeSteps, MAX_EXCHANGES);
  const exchanges = new Map(steps.map((part, index) => [asked[index], part]));
  const files = groupBy(shown, ({ id }) => id.slice(0, id.indexOf('/')));
  const parts = [...files].map(([name, file]) => {
    const counts = VERDICTS.map((verdict) => ({ verdict, of: file.filter((each) => each.verdict === verdict).length }));
    const badges = counts
      .filter(({ of }) => of > 0)
      .map(({ verdict, of }) => html` <span class="badge ${verdict}">${of} ${verdict}</span>`);
    return html`<details class="card file">
      <summary>
        <h3>${name}</h3>
        ${badges}
      </summary>
      ${file.map((scenario) => writeScenario(scenario, exchanges.get(scenario)))}
    </details> `;
  });
  const left = scenarios.length - shown.length;
  const lead = html`<p class="lead quiet">
    The exchanges of each problem are shown in full above. The HAR report has every exchange.
  </p> `;
  const rest = left === 0 ? undefined : html`<p class="more">and ${left} more, which the JSON report has.</p>`;
  return writeSection('scenarios', 'All scenarios', scenarios.length, html`${lead}${parts}${rest}`);
}

function chooseShown(scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const wanted = sortByWant(scenarios);
  const { left } = takeWhileFits(wanted, (scenario) => writeScenario(scenario, undefined), MAX_ROWS);
  if (left === 0) return scenarios;
  const chosen = new Set(wanted.slice(0, wanted.length - left));
  return scenarios.filter((scenario) => chosen.has(scenario));
}

function sortByWant(scenarios: readonly ScenarioResult[]): ScenarioResult[] {
  return WANTED_FIRST.flatMap((verdict) => scenarios.filter((each) => each.verdict === verdict));
}

function countExchanges({ steps }: ScenarioResult): number {
  return steps.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}

function writeScenario(scenario: ScenarioResult, exchanges: Markup | undefined): Markup {
  const { id, title, basis, verdict, reason, gap } = scenario;
  const place = basis.place === undefined ? undefined : html` <code class="quiet">${formatPlace(basis.place)}</code>`;
  const asked = countExchanges(scenario);
  const leftOut =
    asked === 0
      ? html`<p class="quiet">Nothing was sent.</p>`
      : html`<p class="quiet">
          ${count(asked, 'exchange')}, left out to keep this page small. The HAR report has them all.
        </p>`;
  return html`<details class="scenario">
    <summary>
      <span class="sign ${verdict}" aria-hidden="true">${SIGNS[verdict]}</span>
      <span class="what">${cut(title, 300)} <code class="quiet">${id}</code></span>
      <span class="verdict ${verdict}">${verdict}</span>
    </summary>
    <p class="basis">Basis: ${cut(basis.text, 500)}${place}</p>
    ${reason === undefined ? undefined : html`<p>${cut(reason, 1000)}</p>`}${gap === undefined ? undefined : html`<p>Seen at <code>${gap.id}</code>: <b>${cut(gap.choice, 300)}</b> <code class="quiet">${cut(gap.evidence, 500)}</code></p>`}
    ${exchanges ?? leftOut}
  </details> `;
}

function writeSteps({ steps }: ScenarioResult): Markup {
  const asked = steps.filter(({ exchanges }) => exchanges.length > 0);
  return html`${asked.map(
    ({ id, exchanges }) =>
      html`<p class="label">${id}</p>
        ${exchanges.map(writeExchange)}`,
  )}`;
}

function writeExchange(exchange: ExchangeResult): Markup {
  const { request, response, durationMs, findings } = exchange;
  const key = request.auth === 'valid' ? undefined : html` <span class="tag">key: ${request.auth}</span>`;
  const isDeviating = findings.some(({ severity }) => severity === 'deviation');
  const tone = isDeviating ? 'status deviated' : response === undefined ? 'status inconclusive' : 'status';
  const line = html`<b class="method">${request.method}</b> <code>${cut(request.path, 500)}</code>${key}
    <span class="${tone}">${cut(summarizeAnswer(exchange), 200)}</span>
    <span class="quiet">${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>`;
  if (findings.length === 0) return html`<p class="exchange">${line}</p> `;
  const bodies = { sent: request.body ?? '', received: response?.body ?? '' };
  const sketches = Object.entries(bodies)
    .filter(([, body]) => body !== '')
    .map(([name, body]) => html`<li>${name} <code>${cutBody(body, MAX_SKETCH)}</code></li>`);
  const rows = findings.slice(0, MAX_FINDINGS).map(({ severity, at, expected, actual }) => {
    const [sign, name] = severity === 'deviation' ? ['✗', 'deviated'] : ['i', 'observed'];
    return html`<li>
      <span class="sign ${name}" aria-hidden="true">${sign}</span> <code>${cut(at, 200)}</code>: expected
      ${cut(expected, 500)}, but found ${cut(actual, 500)}
    </li>`;
  });
  const left = findings.length - MAX_FINDINGS;
  return html`<details class="exchange">
    <summary>${line}</summary>
    <ul class="findings">
      ${sketches}${rows}${left > 0 ? html`<li>and ${left} more</li>` : undefined}
    </ul>
  </details> `;
}

/** The request and its answer as they were on the wire, except for what is secret or too long. */
export function writeMessages({ request, response, failure }: ExchangeResult): Markup {
  const sent = formatMessage(`${request.method} ${request.path}`, request.headers, request.body);
  const answer =
    response === undefined
      ? (failure ?? 'no response')
      : formatMessage(String(response.status), response.headers, response.body);
  return html`<div class="sides">
    <figure>
      <figcaption>Request</figcaption>
      <pre>${lines(sent)}</pre>
    </figure>
    <figure>
      <figcaption>Response</figcaption>
      <pre>${lines(answer)}</pre>
    </figure>
  </div>`;
}

function formatMessage(start: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${cut([start, ...fields].join('\n'), MAX_BODY)}${body === '' ? '' : `\n\n${cutBody(body, MAX_BODY)}`}`;
}
