import { splitLongRepeats, tokenize } from './pattern-shape.js';

/** What `\s` stands for in ECMA-262 (WhiteSpace and LineTerminator), and what it does not. */
const SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/**
 * A pattern of ECMA-262, with the flag `u`, as RE2 writes it: the two differ in
 * what `.`, `\s` and `$` stand for, and in escapes. Throws for what RE2 does not have.
 */
export function toRe2(source: string): string {
  return splitLongRepeats(joinSurrogates(source))
    .map((token) => {
      if (token.startsWith('\\')) return translateEscape(token, false);
      if (token.startsWith('[')) return translateClass(token);
      if (token === '.') return `[^${LINE_ENDS}]`;
      if (token === '^') return String.raw`\A`;
      if (token === '$') return String.raw`\z`;
      if (/^\(\?<?[=!]/.test(token)) throw unknown(token);
      return token;
    })
    .join('');
}

function translateClass(token: string): string {
  const inside = token.slice(token.startsWith('[^') ? 2 : 1, -1);
  if (inside === '') throw unknown(token);
  const translated = joinSurrogates(inside, true).map((part) => {
    if (part.startsWith('\\')) return translateEscape(part, true);
    return part === '[' || part === '^' ? `\\${part}` : part;
  });
  return `${token.startsWith('[^') ? '[^' : '['}${translated.join('')}]`;
}

function translateEscape(token: string, inClass: boolean): string {
  const [, code] =
    /^\\(?:u\{([^}]*)\}|u([\da-f]{4})|x([\da-f]{2}))$/i.exec(token)?.filter((part) => part !== undefined) ?? [];
  if (code !== undefined) return `\\x{${code}}`;
  const kind = token[1] ?? '';
  if (kind === 's') return inClass ? SPACE : `[${SPACE}]`;
  if (kind === 'S') return inClass ? NO_SPACE : `[${NO_SPACE}]`;
  if (kind === 'c') return `\\x{${(token.charCodeAt(2) % 32).toString(16)}}`;
  if (kind === 'p' || kind === 'P') return token.replace(/(?:Script|sc|General_Category|gc)=/, '');
  if (kind === '0') return String.raw`\x{0}`;
  if (kind === 'b' && inClass) return String.raw`\x{8}`;
  if (/[1-9k]/.test(kind)) throw unknown(token);
  return kind === '/' ? '/' : token;
}

/** Two escapes that are one character together (ECMA-262 section 22.2.1, RegExpUnicodeEscapeSequence). */
function joinSurrogates(source: string, inClass = false): string[] {
  const joined = source.replaceAll(
    /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/gi,
    (_, high: string, low: string) =>
      `\\u{${(((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00 + 0x10000).toString(16)}}`,
  );
  // Within a class a bracket begins no other.
  return inClass
    ? (joined.match(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|[^])|[^]/giu) ?? [])
    : tokenize(joined);
}

function unknown(token: string): Error {
  return new Error(`RE2 has no ${token}`);
}
