import { takeWhileFits } from '../take-while-fits.js';
import { html, type MarkupContent, type Markup } from './markup.js';

const MAX_LIST = 300_000;

/** A section of the page, with a count beside its heading. */
export function writeSection(id: string, title: string, count: MarkupContent, content: MarkupContent): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
    ${content}
  </section> `;
}

/** As many rows as fit, and how many are left out. */
export function writeList<T>(items: readonly T[], write: (item: T) => Markup): Markup {
  const { parts, left } = takeWhileFits(items, write, MAX_LIST);
  return html`<ul class="card rows">
    ${parts}${left === 0 ? undefined : html`<li>and ${left} more</li>`}
  </ul>`;
}

export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
