/** A part of a pattern: an escape, a class in brackets, the beginning of a group, a repeat, or one character. */
const TOKEN =
  /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|k<[^>]*>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}|[^]/giu;

/** The parts of a pattern (ECMA-262 section 22.2.1). */
export function tokenize(source: string): string[] {
  return source.match(TOKEN) ?? [];
}

/** As many ways as may be tried at one place of a text. */
const MAX_WAYS = 1000;

/**
 * Whether a pattern cannot take long, judged from its shape alone and rather no
 * than yes: it repeats no group, has at most one repeat without an end, and that
 * only where it is tied to the text's beginning, and few ways else.
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

/** What else has to be so, or not so, at the beginning of a text. */
export interface Condition {
  source: string;
  negated: boolean;
}

/**
 * Takes the lookaheads at a pattern's beginning out of it, such as those of
 * `^(?=.*\d)(?!.*\s).{8,}$`: each is a pattern of its own. One that stands anywhere else stays.
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
