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

/**
 * Markup from a template, the only way to make any: every text put into it is spelled out and escaped, within an
 * element as within a quoted attribute.
 *
 * @example html`<td title="${text}">${text}</td>`
 */
export function html(parts: TemplateStringsArray, ...contents: MarkupContent[]): Markup {
  return new Markup(
    withoutIndentation(parts)
      .map((piece, index) => piece + write(contents[index]))
      .join(''),
  );
}

const pieces = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes a template's own layout from the page. */
function withoutIndentation(parts: TemplateStringsArray): readonly string[] {
  const known = pieces.get(parts);
  if (known !== undefined) return known;
  const last = parts.length - 1;
  const made = parts.map((part, index) =>
    part.replaceAll(/\s*\n\s*/g, '\n').replace(/ +$/, index === last ? '\n' : ' '),
  );
  pieces.set(parts, made);
  return made;
}

/** A text of several lines, for a `pre`: line breaks and tabs stay. */
export function lines(text: string): Markup {
  return new Markup(
    text
      .split(/([\n\t])/)
      .map((part, index) => (index % 2 === 0 ? escape(part) : part))
      .join(''),
  );
}

function write(content: MarkupContent): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(({ text }) => text).join('');
  return escape(String(content));
}

function escape(text: string): string {
  return spellOut(text)
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
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

export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
