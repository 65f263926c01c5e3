import { groupBy } from '../../contract/group-by.js';
import type { CoverageResult, ScenarioResult } from '../../conformance/model/result.js';
import { formatPlace } from '../../errors.js';
import { cut, nameUncovered, percentOf } from '../summarize.js';
import { html, type Markup } from './markup.js';
import { writeList, writeSection } from './section.js';

/** What could not be concluded; scenarios that lack the same thing are grouped. */
export function writeInconclusive(scenarios: readonly ScenarioResult[]): Markup | undefined {
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
export function writeCoverage(coverage: CoverageResult): Markup {
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
export function writeNotes(notes: readonly string[]): Markup | undefined {
  if (notes.length === 0) return undefined;
  const list = writeList(notes, (note) => html`<li>${cut(note, 1000)}</li>`);
  return writeSection('notes', 'Notes', notes.length, list);
}
