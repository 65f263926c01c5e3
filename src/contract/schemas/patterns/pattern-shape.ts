/** A part of a pattern: an escape, a class in brackets, the beginning of a group, a repeat, or one character. */
const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|k<[^>]*>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}|[^]/giu;

/** The parts of a pattern (ECMA-262 section 22.2.1). */
export function tokenize(source: string): string[] {
  return source.match(TOKEN) ?? [];
}

/** How many ways may be tried at one place of a text. */
const MAX_WAYS = 1000;

/**
 * Whether a pattern is certain to be fast, judged by its shape alone; if in doubt, no.
 * A fast pattern repeats no group, has at most one unbounded repeat, which is
 * anchored to the text's beginning, and few other alternatives.
 */
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

function readRepeat(token: string): { least: number; most: number } | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*' || token === '+') return { least: 0, most: Infinity };
  const [, least, hasEnd, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
  if (least === undefined) return undefined;
  if (hasEnd === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

/** RE2 allows no larger repeat count. */
const MOST_REPEATED = 1000;
/** A longer pattern would take more memory than it is worth. */
const MOST_CHUNKS = 4;

/** Splits a repeat that RE2 does not allow into several in a row: `a{0,1023}` becomes `a{0,1000}a{0,23}`. */
export function splitLongRepeats(tokens: readonly string[]): string[] {
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

/** Where the group begins that ends the pattern so far. */
function findBegin(tokens: readonly string[]): number {
  let depth = 0;
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at] === ')') depth += 1;
    if (tokens[at]?.startsWith('(') === true) depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}

/** What else must match, or must not match, at the beginning of a text. */
export interface Condition {
  source: string;
  negated: boolean;
}

/**
 * Splits off the lookaheads at the beginning of a pattern, such as those of
 * `^(?=.*\d)(?!.*\s).{8,}$`: each becomes a pattern of its own. Lookaheads anywhere else stay.
 */
export function splitLookaheads(source: string): { conditions: Condition[]; rest: string } {
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
  if (!isTied || hasChoice(rest)) return { conditions: [], rest: source };
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

function hasChoice(tokens: readonly string[]): boolean {
  let depth = 0;
  return tokens.some((token) => {
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    return token === '|' && depth === 0;
  });
}
