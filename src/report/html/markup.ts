import { spellOut } from '../../redact/spell-out.js';
import { takeWhileFits } from '../summarize.js';

/** Markup made by {@link html}, and therefore safe in a page. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between pieces of markup: texts are escaped, `undefined` leaves nothing. */
export type MarkupContent = string | number | Markup | readonly Markup[] | undefined;

const pieces = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * Markup from a template, the only way to make any: every text put into it is spelled out and escaped, within an
 * element as within a quoted attribute.
 *
 * @example html`<td title="${text}">${text}</td>`
 */
export function html(parts: TemplateStringsArray, ...contents: MarkupContent[]): Markup {
  const last = parts.length - 1;
  // Without the template's own layout.
  const made =
    pieces.get(parts) ??
    parts.map((part, index) => part.replaceAll(/\s*\n\s*/g, '\n').replace(/ +$/, index === last ? '\n' : ' '));
  pieces.set(parts, made);
  return new Markup(made.map((piece, index) => piece + write(contents[index])).join(''));
}

/** A text of several lines, for a `pre`: line breaks and tabs stay. */
export function lines(text: string): Markup {
  const parts = text.split(/([\n\t])/);
  return new Markup(parts.map((part, index) => (index % 2 === 0 ? escape(part) : part)).join(''));
}

function write(content: MarkupContent): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({ text }) => text).join('') : escape(String(content));
}

function escape(text: string): string {
  return spellOut(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const MAX_LIST = 300_000;

/** A section of the page, with a count beside its heading. */
export function writeSection(id: string, title: string, count: MarkupContent, content: MarkupContent): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
    ${content}
  </section> `;
}

/** As many rows as fit, and how many are left out. */
export function writeList<T>(items: readonly T[], writeItem: (item: T) => Markup): Markup {
  const { parts, left } = takeWhileFits(items, writeItem, MAX_LIST);
  return html`<ul class="card rows">
    ${parts}${left === 0 ? undefined : html`<li>and ${left} more</li>`}
  </ul>`;
}
