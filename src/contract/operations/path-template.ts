/** One segment of a path template. */
export interface Segment {
  /** As the contract writes it. */
  text: string;
  /** The parameters that it names, in their order. */
  names: readonly string[];
  /** Takes the values of a segment that is not one value alone, such as `{name}:stop`; `undefined` where it is. */
  pattern: RegExp | undefined;
}

/** Where a path ends and a fragment begins, or a query, which documents write into paths. A `#` before a `/` is part of the path. */
const TAIL = /(?:\?|#(?!.*\/))(?![^{}]*\})(.*)$/s;

/** The segments of a path template: `/pets/{petId}.json`. What follows a `#` is never sent, so it does not count. */
export function readTemplate(path: string): Segment[] {
  return path.replace(TAIL, '').split('/').map(readSegment);
}

/** What follows the path in a template, `X-Target=List` of `/#X-Target=List`; of a query the names alone. */
export function readTail(path: string): string {
  return TAIL.exec(path)?.[1]?.replace(/=\{[^{}]*\}/g, '') ?? '';
}

/** The query parameter that has the value of a name in a path: `q` of `query` in `/pets?q={query}`. */
export function findInQuery(path: string, name: string): string | undefined {
  const pairs = TAIL.exec(path)?.[0].replace(/^[?#]/, '').split('&') ?? [];
  return pairs.find((pair) => pair.endsWith(`={${name}}`))?.slice(0, -`={${name}}`.length);
}

/** The names of the parameters that a path template has. */
export function listTemplateNames(path: string): string[] {
  return readTemplate(path).flatMap(({ names }) => names);
}

function readSegment(text: string): Segment {
  const parts = text.split(/\{([^{}]+)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const isOneValue = names.length === 1 && parts[0] === '' && parts[2] === '';
  if (names.length === 0 || isOneValue) return { text, names, pattern: undefined };
  const texts = parts.filter((_, index) => index % 2 === 0).map(escapeLiteral);
  // Each value is as short as what follows allows; the last takes the rest.
  return { text, names, pattern: new RegExp(`^${texts.join('(.+?)')}$`, 's') };
}

/** A sign may come as it is or in percent escapes. */
function escapeLiteral(text: string): string {
  return Array.from(text, (sign) => `(?:${escapeSign(sign)}|${encodeSign(sign)})`).join('');
}

function escapeSign(sign: string): string {
  return sign.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function encodeSign(sign: string): string {
  return [...new TextEncoder().encode(sign)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
    .replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
