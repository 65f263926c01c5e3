// JSON as RFC 8259 lets a client write it: each text states the same value.
import type { Chance } from './chance.js';

type Token = string;
type Writing = (token: Token, draw: Chance) => string;

const plain: Writing = (token) => token;

/** By the production of the grammar that a text is written with. */
export const WRITINGS: Readonly<Record<string, { words: string; write: Writing; space?: true }>> = {
  'white-space': { words: 'with white space between all tokens', write: plain, space: true },
  'escaped-names': {
    words: 'with escapes in its field names',
    write: (token, draw) => escapeLetters(token, draw, 'name'),
  },
  'escaped-values': {
    words: 'with escapes in its strings',
    write: (token, draw) => escapeLetters(token, draw, 'value'),
  },
  exponents: { words: 'with exponents in its decimals', write: (token, draw) => addExponent(token, draw) },
  'all-of-them': {
    words: 'with white space, escapes and exponents',
    write: (token, draw) => addExponent(escapeLetters(token, draw, 'any'), draw),
    space: true,
  },
};

/** `json` may have references in it, which stay as they are: `{$unique}`. */
export function writeOtherwise(json: string, { write, space }: (typeof WRITINGS)[string], draw: Chance): string {
  const tokens = json.match(TOKENS) ?? [];
  const blank = (): string => (space === undefined ? '' : draw.pick(['', ' ', '\t', '\n', '\r\n', '  \n\t']));
  const written = tokens.map((token, index) => {
    const isName = tokens[index + 1] === ':' && token.startsWith('"');
    return blank() + write(isName ? `${NAME}${token}` : token, draw).replace(NAME, '');
  });
  return written.join('') + blank();
}

/** Marks the name of a member among the tokens. */
const NAME = '\u0000';
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\$[^{}]*\}|[{}[\],:]|[^\s"{}[\],:]+/g;

/** A letter and its escape are the same, with digits in either case (RFC 8259 section 7). */
function escapeLetters(token: Token, draw: Chance, of: 'name' | 'value' | 'any'): string {
  const isName = token.startsWith(NAME);
  if (!token.replace(NAME, '').startsWith('"') || (of === 'name' && !isName) || (of === 'value' && isName))
    return token;
  return token.replaceAll(/\{\$[^{}]*\}|\\.|[A-Za-z/]/g, (part) => {
    if (part.length > 1 || draw.maybe(0.4)) return part;
    if (part === '/') return '\\/';
    const digits = part.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${draw.maybe() ? digits.toUpperCase() : digits}`;
  });
}

/** `0.25` is `25e-2`. A number without a fraction stays: many a reader of integers takes no exponent. */
function addExponent(token: Token, draw: Chance): string {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)\.(\d+)$/.exec(token) ?? [];
  if (digits === '') return token;
  const bare = `${whole}${digits}`.replace(/^0+(?=\d)/, '');
  return `${sign}${bare}${draw.pick(['e', 'E'])}-${draw.pick(['', '0'])}${digits.length}`;
}
