import { loadRe2, loadVm } from '../document/load-when-needed.js';
import { readContractPattern } from './read-contract-pattern.js';

interface Pattern {
  test(text: string): boolean;
  /** What Ajv tells patterns apart by. */
  toString(): string;
}

/** Matches in bounded time: RE2 where Node's engine could backtrack, else a time limit. Throws a `SyntaxError`. */
export function createPattern(source: string, flags: string): Pattern {
  const native = new RegExp(source, flags);
  if (isPlain(source)) return native;
  const test = createLinearTest(source, flags) ?? createWatchedTest(native);
  return { test, toString: () => String(native) };
}

/** A pattern in whatever dialect ({@link readContractPattern}). Throws a `SyntaxError` for one that cannot be read. */
export function createContractPattern(source: string, flags: string): Pattern {
  const read = readContractPattern(source);
  return createPattern(read?.source ?? source, read?.flags ?? flags);
}

function createLinearTest(source: string, flags: string): Pattern['test'] | undefined {
  try {
    const { RE2JS } = loadRe2();
    const { conditions, rest } = splitLookaheads(source);
    const compile = (part: string): Pattern['test'] => {
      const compiled = RE2JS.compile(toRe2(part), flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
      return (text) => compiled.test(text);
    };
    const checks = conditions.map(({ source: inside, negated }) => ({ matches: compile(inside), negated }));
    const matches = compile(rest);
    return (text) => checks.every((check) => check.matches(text) !== check.negated) && matches(text);
  } catch {
    // RE2 has no back references, no lookaround, and no repeat of more than a thousand.
    return undefined;
  }
}

const PATIENCE_MS = 100;
/** Up to this length, a text gets a second try: on a busy machine, the first may have waited for its turn. */
const SHORT_TEXT = 200;

/** A text that takes too long does not match, and then neither does one of half its length or more. */
function createWatchedTest(native: RegExp): Pattern['test'] {
  const { Script, createContext } = loadVm();
  const script = new Script('pattern.test(text)');
  const globals = { pattern: native, text: '' };
  const context = createContext(globals);
  const tryToMatch = (text: string): boolean | undefined => {
    globals.text = text;
    try {
      return script.runInContext(context, { timeout: PATIENCE_MS }) as boolean;
    } catch {
      return undefined;
    } finally {
      globals.text = '';
    }
  };
  let longest = Infinity;
  return (text) => {
    if (text.length >= longest) return false;
    const matches = tryToMatch(text) ?? (text.length <= SHORT_TEXT ? tryToMatch(text) : undefined);
    if (matches === undefined) longest = Math.max(1, Math.floor(text.length / 2));
    return matches ?? false;
  };
}

/** A part of a pattern: an escape, a class in brackets, the beginning of a group, a repeat, or one character. */
const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|k<[^>]*>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}|[^]/giu;

export function tokenize(source: string): string[] {
  return source.match(TOKEN) ?? [];
}

const MAX_WAYS = 1000;

/** Certain to be fast by its shape: it repeats no group, has at most one unbounded repeat, tied to the beginning. */
export function isPlain(source: string): boolean {
  const tokens = tokenize(source);
  let ways = 1;
  let endless = 0;
  let depth = 0;
  let isTied = tokens[0] === '^';
  for (const [index, token] of tokens.entries()) {
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|') {
      ways *= 2;
      if (depth === 0) isTied = false;
    }
    if (/^\\[1-9k]/.test(token)) return false;
    const repeat = readRepeat(token);
    if (repeat === undefined) continue;
    if (tokens[index - 1] === ')' && token !== '?') return false;
    if (repeat.most === Infinity) endless += 1;
    else ways *= repeat.most - repeat.least + 1;
  }
  return ways <= MAX_WAYS && endless <= (isTied ? 1 : 0);
}

export function readRepeat(token = ''): { least: number; most: number } | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*' || token === '+') return { least: token === '*' ? 0 : 1, most: Infinity };
  const [, least, hasEnd, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
  if (least === undefined) return undefined;
  if (hasEnd === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

/** RE2 allows no larger repeat count. */
const MOST_REPEATED = 1000;
const MOST_CHUNKS = 4;

function splitLongRepeats(tokens: readonly string[]): string[] {
  const split: string[] = [];
  for (const token of tokens) {
    const repeat = readRepeat(token);
    const chunks = repeat === undefined ? [] : listChunks(repeat);
    if (chunks.length < 2 || chunks.length > MOST_CHUNKS) {
      split.push(token);
      continue;
    }
    const atom = split.slice(split.at(-1) === ')' ? findBegin(split) : -1);
    for (const [index, chunk] of chunks.entries()) split.push(...(index === 0 ? [] : atom), chunk);
  }
  return split;
}

function listChunks({ least, most }: { least: number; most: number }): string[] {
  const chunks: string[] = [];
  for (let [low, high] = [least, most]; chunks.length <= MOST_CHUNKS;) {
    const [from, to] = [Math.min(low, MOST_REPEATED), Math.min(high, MOST_REPEATED)];
    const isLast = high === Infinity ? low <= MOST_REPEATED : high <= MOST_REPEATED;
    if (isLast) return [...chunks, high === Infinity ? `{${from},}` : `{${from},${to}}`];
    chunks.push(high === Infinity ? `{${MOST_REPEATED}}` : `{${from},${to}}`);
    low -= from;
    high -= to;
  }
  return chunks;
}

function findBegin(tokens: readonly string[]): number {
  let depth = 0;
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at] === ')') depth += 1;
    if (tokens[at]?.startsWith('(') === true) depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}

interface Condition {
  source: string;
  negated: boolean;
}

/** Those at the beginning, `^(?=.*\d)(?!.*\s).{8,}$`, become patterns of their own. */
function splitLookaheads(source: string): { conditions: Condition[]; rest: string } {
  const tokens = tokenize(source);
  const conditions: Condition[] = [];
  let isTied = false;
  let at = 0;
  for (;;) {
    const token = tokens[at];
    if (token === '^') {
      isTied = true;
      at += 1;
    } else if (token === '(?=' || token === '(?!') {
      const end = findEnd(tokens, at);
      conditions.push({ source: `^(?:${tokens.slice(at + 1, end).join('')})`, negated: token === '(?!' });
      at = end + 1;
    } else break;
  }
  const rest = tokens.slice(at);
  let depth = 0;
  const hasChoice = rest.some((token) => {
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    return token === '|' && depth === 0;
  });
  if (!isTied || hasChoice) return { conditions: [], rest: source };
  return { conditions, rest: `^${rest.join('')}` };
}

function findEnd(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.startsWith('(') === true) depth += 1;
    if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** What `\s` stands for in ECMA-262 (WhiteSpace and LineTerminator), and what it does not. */
const SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/** The two differ in what `.`, `\s` and `$` stand for, and in escapes. Throws for what RE2 does not have. */
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
