import type { RunResult, ScenarioResult, Verdict, ExchangeResult, Finding } from '../../conformance/model/result.js';
import { formatPlace } from '../../errors.js';
import { cut, summarizeAnswer, takeWhileFits } from '../summarize.js';
import { html, type Markup, lines, plural, writeSection } from './markup.js';
import { cutBody } from '../json.js';

const MAX_EXCHANGES = 150_000;
const MAX_ROWS = 1_000_000;
/** Which scenarios are kept if the page cannot hold all. */
const WANTED_FIRST: readonly Verdict[] = ['deviated', 'known', 'inconclusive', 'observed', 'passed', 'skipped'];

/** All scenarios under its file, with its verdict and exchanges to unfold. */
export function writeScenarios({ scenarios }: RunResult): Markup {
  const shown = chooseShown(scenarios);
  const exchanges = writeExchanges(shown);
  const files = new Map<string, ScenarioResult[]>();
  for (const scenario of shown) {
    const name = scenario.id.slice(0, scenario.id.indexOf('/'));
    const file = files.get(name);
    if (file === undefined) files.set(name, [scenario]);
    else file.push(scenario);
  }
  const parts = [...files].map(([name, file]) =>
    writeFile(
      name,
      file,
      file.map((scenario) => writeScenario(scenario, exchanges.get(scenario))),
    ),
  );
  const left = scenarios.length - shown.length;
  const lead = html`<p class="lead quiet">
    The exchanges of each problem are shown in full above. The HAR report has every exchange.
  </p> `;
  const rest = left === 0 ? undefined : html`<p class="more">and ${left} more, which the JSON report has.</p>`;
  return writeSection('scenarios', 'All scenarios', scenarios.length, html`${lead}${parts}${rest}`);
}

/** As many scenarios as the page can hold, in their order. */
function chooseShown(scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const wanted = sortByWant(scenarios);
  const { left } = takeWhileFits(wanted, (scenario) => writeScenario(scenario, undefined), MAX_ROWS);
  if (left === 0) return scenarios;
  const chosen = new Set(wanted.slice(0, wanted.length - left));
  return scenarios.filter((scenario) => chosen.has(scenario));
}

/** The exchanges of as many scenarios as the page can hold. */
function writeExchanges(scenarios: readonly ScenarioResult[]): Map<ScenarioResult, Markup> {
  const asked = sortByWant(scenarios).filter((scenario) => countExchanges(scenario) > 0);
  const { parts } = takeWhileFits(asked, writeSteps, MAX_EXCHANGES);
  return new Map(asked.slice(0, parts.length).map((scenario, index) => [scenario, parts[index] ?? html``]));
}

function sortByWant(scenarios: readonly ScenarioResult[]): ScenarioResult[] {
  return WANTED_FIRST.flatMap((verdict) => scenarios.filter((each) => each.verdict === verdict));
}

function countExchanges({ steps }: ScenarioResult): number {
  return steps.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}

function writeFile(name: string, scenarios: readonly ScenarioResult[], rows: readonly Markup[]): Markup {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = scenarios.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [html` <span class="badge ${verdict}">${count} ${verdict}</span>`];
  });
  return html`<details class="card file">
    <summary>
      <h3>${name}</h3>
      ${counts}
    </summary>
    ${rows}
  </details> `;
}

function writeScenario(scenario: ScenarioResult, exchanges: Markup | undefined): Markup {
  const { id, title, basis, verdict, reason, gap } = scenario;
  const place = basis.place === undefined ? undefined : html` <code class="quiet">${formatPlace(basis.place)}</code>`;
  return html`<details class="scenario">
    <summary>
      <span class="sign ${verdict}" aria-hidden="true">${SIGNS[verdict]}</span>
      <span class="what">${cut(title, 300)} <code class="quiet">${id}</code></span>
      <span class="verdict ${verdict}">${verdict}</span>
    </summary>
    <p class="basis">Basis: ${cut(basis.text, 500)}${place}</p>
    ${reason === undefined ? undefined : html`<p>${cut(reason, 1000)}</p>`}${gap === undefined ? undefined : html`<p>Seen at <code>${gap.id}</code>: <b>${cut(gap.choice, 300)}</b> <code class="quiet">${cut(gap.evidence, 500)}</code></p>`}
    ${exchanges ?? writeLeftOut(scenario)}
  </details> `;
}

function writeLeftOut(scenario: ScenarioResult): Markup {
  const count = countExchanges(scenario);
  if (count === 0) return html`<p class="quiet">Nothing was sent.</p>`;
  return html`<p class="quiet">
    ${count} ${plural(count, 'exchange')}, left out to keep this page small. The HAR report has them all.
  </p>`;
}

function writeSteps({ steps }: ScenarioResult): Markup {
  const asked = steps.filter(({ exchanges }) => exchanges.length > 0);
  return html`${asked.map(
    ({ id, exchanges }) =>
      html`<p class="label">${id}</p>
        ${exchanges.map(writeExchange)}`,
  )}`;
}

const MAX_BODY = 2000;
/** How much of a body is shown where the exchange is not what a problem shows. */
const MAX_SKETCH = 80;

/**
 * An exchange of a scenario: a line, and where something was found, that and the beginning of both bodies, to unfold. The
 * card of a problem has its exchange in full, the HAR report has all of them.
 */
function writeExchange(exchange: ExchangeResult): Markup {
  const { request, response, durationMs, findings } = exchange;
  const key = request.auth === 'valid' ? undefined : html` <span class="tag">key: ${request.auth}</span>`;
  const line = html`<b class="method">${request.method}</b> <code>${cut(request.path, 500)}</code>${key}
    <span class="${classOfAnswer(exchange)}">${cut(summarizeAnswer(exchange), 200)}</span>
    <span class="quiet">${formatMs(durationMs)}</span>`;
  if (findings.length === 0) return html`<p class="exchange">${line}</p> `;
  return html`<details class="exchange">
    <summary>${line}</summary>
    <ul class="findings">
      ${writeSketch('sent', request.body)}${writeSketch('received', response?.body)}${findings.slice(0, MAX_FINDINGS).map(writeFinding)}${writeMore(findings.length)}
    </ul>
  </details> `;
}

function writeSketch(name: string, body = ''): Markup | undefined {
  return body === '' ? undefined : html`<li>${name} <code>${cutBody(body, MAX_SKETCH)}</code></li>`;
}

const MAX_FINDINGS = 8;

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

function writeFinding({ severity, at, expected, actual }: Finding): Markup {
  const [sign, name] = severity === 'deviation' ? ['✗', 'deviated'] : ['i', 'observed'];
  return html`<li>
    <span class="sign ${name}" aria-hidden="true">${sign}</span> <code>${cut(at, 200)}</code>: expected
    ${cut(expected, 500)}, but found ${cut(actual, 500)}
  </li>`;
}

function writeMore(count: number): Markup | undefined {
  return count <= MAX_FINDINGS ? undefined : html`<li>and ${count - MAX_FINDINGS} more</li>`;
}

function classOfAnswer({ response, findings }: ExchangeResult): string {
  if (findings.some(({ severity }) => severity === 'deviation')) return 'status deviated';
  return response === undefined ? 'status inconclusive' : 'status';
}

function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

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

/** Shown only if there are any. */
export const RARE: readonly Verdict[] = ['known', 'skipped'];
