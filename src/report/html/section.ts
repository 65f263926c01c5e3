import { html, type Content, type Markup } from './markup.js';

/** A section of the page, with a count beside its heading. */
export function writeSection(id: string, title: string, count: Content, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
    ${content}
  </section> `;
}

export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
