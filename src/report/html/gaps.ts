import { NOT_OBSERVED } from '../../contract/gaps/profile.js';
import type { GapChange, GapResult, RunResult } from '../../conformance/model/result.js';
import { cut } from '../summarize.js';
import { html, type Markup } from './markup.js';
import { writeList, writeSection } from './section.js';

/** Gaps: what the contract leaves open, and what the target does there. */
export function writeGaps({ gaps }: RunResult): Markup | undefined {
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
export function writeDrift({ drift }: RunResult): Markup | undefined {
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
