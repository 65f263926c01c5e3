import type { RunResult, ScenarioResult, Verdict } from '../../conformance/model/result.js';
import { formatPlace } from '../../errors.js';
import { cut } from '../summarize.js';
import { takeWhileFits } from '../take-while-fits.js';
import { writeExchange } from './exchange.js';
import { html, type Markup } from './markup.js';
import { plural, writeSection } from './section.js';
import { SIGNS, VERDICTS } from './verdicts.js';

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
