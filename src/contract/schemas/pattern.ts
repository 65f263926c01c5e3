import { loadRe2, loadVm } from '../document/load-when-needed.js';

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
/** Up to this length, a text gets more tries: on a busy machine, the first ones may have waited for their turn. */
const SHORT_TEXT = 200;
const TRIES = 5;

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
    let matches = tryToMatch(text);
    for (let tries = 1; matches === undefined && tries < TRIES && text.length <= SHORT_TEXT; tries++)
      matches = tryToMatch(text);
    if (matches === undefined) longest = Math.max(1, Math.floor(text.length / 2));
    return matches ?? false;
  };
}

const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|k<[^>]*>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}|[^]/giu;

export const tokenize = (source: string): string[] => source.match(TOKEN) ?? [];
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

const MOST_REPEATED = 1000;
const MOST_CHUNKS = 4;

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

type Condition = { source: string; negated: boolean };

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
  const tokens = joinSurrogates(source);
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
  return split
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

const unknown = (token: string): Error => new Error(`RE2 has no ${token}`);

/** `/^[a-z]+$/i`, and `#^[a-z]+$#`, which PHP has: no text matches it as it stands, or none that is meant. */
const DELIMITED =
  /^(?:\/((?=.*[\^$[\\(*+|{]|.*\/[a-z]+$)(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/|([/#~@%!])(\^.*\$)\2)([dgimsuvxyU]*)$/s;

/** ECMA-262 with the flag `u` (JSON Schema 2020-12 section 6.4), else another dialect, else without the flag (`\:`). */
export function readContractPattern(
  source: string,
): { source: string; flags: 'u' | ''; isTranslated: boolean } | undefined {
  if (isTooLarge(source)) return undefined;
  const [, slashed, , other, flags = ''] = DELIMITED.exec(source) ?? [];
  const inside = slashed ?? other;
  if (inside === undefined && isValidPattern(source, 'u')) return { source, flags: 'u', isTranslated: false };
  if (source.length > MOST_TRANSLATED) return undefined;
  const reading = {
    source: inside ?? source,
    at: 0,
    modes: switchModes(NO_MODES, flags),
    above: [],
    isForeign: false,
    hasBracketInClass: false,
  };
  const translated = translate(reading);
  if (inside === undefined && !reading.isForeign)
    return isValidPattern(source, '') ? { source, flags: '', isTranslated: false } : undefined;
  if (translated === undefined || !isValidPattern(translated, 'u')) return undefined;
  return { source: translated, flags: 'u', isTranslated: true };
}

/** Longer ones V8 refuses to compile, and only when they are first used. */
const MOST_LENGTH = 20_000;

/** Whether it is longer, or has more groups within groups, than a regular expression or its reader has room for. */
export function isTooLarge(source: string): boolean {
  if (source.length > MOST_LENGTH) return true;
  let depth = 0;
  for (const [token] of source.matchAll(/\\.|[()]/gs)) {
    if (token === ')') depth -= 1;
    if (token === '(') depth += 1;
    if (depth > 200) return true;
  }
  return false;
}

const MOST_TRANSLATED = 5000;

function isValidPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The sets that POSIX names (IEEE Std 1003.1 section 9.3.5), and Java and Ruby with `\p`, as the ends of their ranges. */
const SETS: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\0\x7f',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
};

const ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  // Python means the very end, others allow a line feed before it.
  Z: String.raw`(?=\n?$)`,
  R: String.raw`(?:\r\n|[\n-\r\x85\u2028\u2029])`,
  a: String.raw`\x07`,
  e: String.raw`\x1b`,
  E: '',
};

const FOREIGN_TOKEN =
  /\\(?:Q.*?(?:\\E|$)|[pP](?:\{[^}]*\}|[A-Za-z])|[xu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<[^>]*>|c[A-Za-z]|[1-9]\d*|.)|\(\?#[^)]*\)|\(\?(?:P?<(?![=!])[^>]*>|'[^']*'|P=\w+\)|<?[=!]|>|[a-zA-Z^-]*[:)])|(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})[+?]?|./suy;

type Modes = { i: boolean; m: boolean; s: boolean; x: boolean };

const NO_MODES: Modes = { i: false, m: false, s: false, x: false };

interface Reading {
  source: string;
  at: number;
  modes: Modes;
  above: Modes[];
  isForeign: boolean;
  /** Dialects differ in whether `[a[b]]` has a bracket in it or another class. */
  hasBracketInClass: boolean;
}

/** Each of these returns what it has read in ECMA-262; `undefined` if that cannot be said. */
function translate(reading: Reading): string | undefined {
  const out: string[] = [];
  while (reading.at < reading.source.length) {
    const part = reading.source[reading.at] === '[' ? readClass(reading) : readToken(takeToken(reading), reading);
    if (part === undefined) return undefined;
    out.push(part);
  }
  return out.join('');
}

function takeToken(reading: Reading): string {
  FOREIGN_TOKEN.lastIndex = reading.at;
  const token = FOREIGN_TOKEN.exec(reading.source)?.[0] ?? reading.source.charAt(reading.at);
  reading.at += token.length;
  return token;
}

function readToken(token: string, reading: Reading): string | undefined {
  const { modes, source, at } = reading;
  if (token.startsWith('\\')) return readEscape(token, reading);
  if (token.startsWith('(')) return readGroup(token, reading);
  if (token === ')') {
    reading.modes = reading.above.pop() ?? modes;
    return token;
  }
  if (/^(?:[*+?].?|\{.*\d.*\}.?)$/s.test(token)) {
    reading.isForeign ||= token.startsWith('{,') || /.\+$/s.test(token);
    return token.replace('{,', '{0,').replace(/(?<=.)\+$/s, '');
  }
  if (token === '^') return modes.m ? String.raw`(?<=^|[\n\r])` : token;
  if (token === '$') return modes.m ? String.raw`(?=[\n\r]|$)` : token;
  if (token === '.') return modes.s ? String.raw`[\s\S]` : token;
  if (modes.x && /\s/.test(token)) return '';
  if (modes.x && token === '#') {
    reading.at = source.indexOf('\n', at) + 1 || source.length;
    return '';
  }
  if (token === ']' && reading.hasBracketInClass) {
    reading.isForeign = true;
    return undefined;
  }
  return /^[\]{}]$/.test(token) ? `\\${token}` : inBothCases(token, modes);
}

function inBothCases(letter: string, { i }: Modes): string {
  const both = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter((each) => each.length === 1);
  return i && both.length > 1 ? `[${both.join('')}]` : letter;
}

function readGroup(token: string, reading: Reading): string | undefined {
  const [, backTo] = /^\(\?P=(\w+)\)$/.exec(token) ?? [];
  const [, name] = /^\(\?(?:P<|')([^>']*)/.exec(token) ?? [];
  const [, switched, end] = /^\(\?([a-zA-Z^-]*)([:)])$/.exec(token) ?? [];
  reading.isForeign ||=
    backTo !== undefined || name !== undefined || /^\(\?[#>]/.test(token) || (switched ?? '') !== '';
  if (backTo !== undefined) return `\\k<${backTo}>`;
  if (token.startsWith('(?#')) return '';
  if (switched !== undefined && /[^aimsuxL^-]/.test(switched)) return undefined;
  if (end !== ')') reading.above.push(reading.modes);
  if (switched !== undefined) {
    reading.modes = switchModes(reading.modes, switched);
    return end === ':' ? '(?:' : '';
  }
  if (name !== undefined) return `(?<${name}>`;
  return token === '(?>' ? '(?:' : token;
}

function readEscape(token: string, reading: Reading): string | undefined {
  const kind = token[1] ?? '';
  if (kind === 'Q') {
    reading.isForeign = true;
    const quoted = Array.from(token.slice(2).replace(/\\E$/, ''));
    return quoted.map((each) => (SYNTAX.test(each) ? `\\${each}` : inBothCases(each, reading.modes))).join('');
  }
  if (Object.hasOwn(ESCAPES, kind)) {
    reading.isForeign = true;
    return ESCAPES[kind];
  }
  const set = readSet(token, reading);
  if (set === undefined) return readCharacter(token, reading);
  return /^\\p/i.test(set) ? set : `[${set}]`;
}

const SYNTAX = /^[\^$\\.*+?()[\]{}|/]$/;

function readCharacter(token: string, reading: Reading): string | undefined {
  if (/^\\(?:[dDwWsSbBnrtfv0]|[1-9]\d*|k<.*>|c.|u\{?[\da-f]+\}?|x[\da-f]{2})$/is.test(token)) return token;
  const kind = token.slice(1);
  reading.isForeign ||= /^[A-Za-z]/.test(kind);
  if (kind.startsWith('x{')) return token.replace('x', 'u');
  if (SYNTAX.test(kind)) return token;
  return /^(?:[A-Za-z\d]|$)/.test(kind) ? undefined : kind;
}

function readSet(token: string, reading: Reading): string | undefined {
  const [, letter, braced, short] = /^\\([pP])(?:\{\s*([^}]*?)\s*\}|(.))$/s.exec(token) ?? [];
  const given = braced ?? short;
  if (given === undefined) return undefined;
  reading.isForeign = true;
  const isNegated = (letter === 'P') !== given.startsWith('^');
  const name = given.replace(/^\^/, '').replace(/^L&$/, 'LC');
  if (reading.modes.i && /^(?:Lu|Ll|Lt)$/.test(name)) return isNegated ? undefined : String.raw`\p{LC}`;
  const bare = name.replace(/^Is/, '');
  const known = [name, bare, `Script=${bare}`].find((each) => isValidPattern(`\\p{${each}}`, 'u'));
  return known === undefined
    ? writeSet(bare.toLowerCase(), isNegated, reading.modes)
    : `\\${isNegated ? 'P' : 'p'}{${known}}`;
}

function writeSet(name: string, isNegated: boolean, { i }: Modes): string | undefined {
  const wanted = i && /^(?:lower|upper)$/.test(name) ? 'alpha' : name;
  const set = Object.hasOwn(SETS, wanted) ? SETS[wanted] : undefined;
  if (set === undefined) return undefined;
  const codes = Array.from(set, (each) => each.charCodeAt(0));
  const outside = codes.map((code, index) => (index % 2 === 0 ? code - 1 : code + 1));
  const ends = isNegated ? [0, ...outside, LAST_CODE_POINT] : codes;
  const write = (code: number): string => {
    const character = String.fromCodePoint(code);
    return /[\da-z]/i.test(character) ? character : `\\u{${code.toString(16)}}`;
  };
  return ends
    .flatMap((from, index) => {
      const to = ends[index + 1] ?? from;
      if (index % 2 === 1 || from > to) return [];
      return from === to ? write(from) : `${write(from)}-${write(to)}`;
    })
    .join('');
}

const LAST_CODE_POINT = 0x10ffff;

type ClassItem = { text: string; isSet: boolean };

function readClass(reading: Reading): string | undefined {
  const { source } = reading;
  const isNegated = source.startsWith('[^', reading.at);
  reading.at += isNegated ? 2 : 1;
  const begin = reading.at;
  const items: ClassItem[] = [];
  const conditions: string[] = [];
  while (reading.at < source.length) {
    const { at } = reading;
    if (source[at] === ']' && (at > begin || !source.includes(']', at + 1))) {
      reading.at += 1;
      const text = `[${isNegated ? '^' : ''}${joinItems(items, reading.modes)}]`;
      if (conditions.length === 0) return text;
      return isNegated ? undefined : `(?:${conditions.map((each) => `(?=${each})`).join('')}${text})`;
    }
    if (source.startsWith('&&', at)) {
      reading.isForeign = true;
      reading.at += 2;
      const condition = source[reading.at] === '[' ? readClass(reading) : undefined;
      if (condition === undefined) return undefined;
      conditions.push(condition);
      continue;
    }
    const item = readItem(reading);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return undefined;
}

function readItem(reading: Reading): ClassItem | undefined {
  const { source, at, modes } = reading;
  const [named, isOutside, name = ''] = /^\[:(\^?)(\w+):\]/.exec(source.slice(at, at + 24)) ?? [];
  if (named !== undefined || /^\[[.=:]/.test(source.slice(at, at + 2))) {
    reading.isForeign = true;
    reading.at += named?.length ?? 0;
    const text = writeSet(name, isOutside === '^', modes);
    return text === undefined ? undefined : { text, isSet: true };
  }
  if (source[at] === '\\') {
    const token = takeToken(reading);
    if (token === '\\-' || token === '\\^') return { text: token, isSet: false };
    const set = readSet(token, reading);
    const isControl = token === '\\a' || token === '\\e';
    reading.isForeign ||= isControl;
    const text = set ?? (isControl ? ESCAPES[token.slice(1)] : readCharacter(token, reading));
    return text === undefined ? undefined : { text, isSet: set !== undefined || /^\\[dDwWsS]$/.test(token) };
  }
  const token = String.fromCodePoint(source.codePointAt(at) ?? 0);
  reading.at += token.length;
  reading.hasBracketInClass ||= token === '[';
  return { text: /[[\]^]/.test(token) ? `\\${token}` : token, isSet: false };
}

function joinItems(items: readonly ClassItem[], { i }: Modes): string {
  const out: string[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const [from, dash, to] = items.slice(index, index + 3);
    if (from === undefined) break;
    const isRange = dash?.text === '-' && to !== undefined && !from.isSet && !to.isSet;
    const text = isRange ? `${from.text}-${to.text}` : from.text === '-' ? String.raw`\-` : from.text;
    const isLetters = i && /^(?:\p{Ll}(?:-\p{Ll})?|\p{Lu}(?:-\p{Lu})?)$/u.test(text);
    out.push(...(isLetters ? [text.toLowerCase(), text.toUpperCase()] : [text]));
    if (isRange) index += 2;
  }
  return out.join('');
}

function switchModes(modes: Modes, letters: string): Modes {
  const next = letters.startsWith('^') ? { ...NO_MODES } : { ...modes };
  const [on = '', off = ''] = letters.split(/-(.*)/s);
  for (const mode of ['i', 'm', 's', 'x'] as const) {
    if (on.includes(mode)) next[mode] = true;
    if (off.includes(mode)) next[mode] = false;
  }
  return next;
}
