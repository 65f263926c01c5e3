/** A repeated part of a pattern; `undefined` parts match without consuming a character. */
export interface PatternItem {
  part: PatternPart | undefined;
  least: number;
  most: number;
}

export type PatternPart =
  | { kind: 'character'; token: string }
  | { kind: 'group'; number: number | undefined; choices: PatternItem[][] }
  | { kind: 'back'; number: number };

/** What a pattern says in a row, for each of its alternatives. */
export function readPattern(tokens: readonly string[]): PatternItem[][] {
  return createReader(tokens).readChoices();
}

function createReader(tokens: readonly string[]): { readChoices(): PatternItem[][] } {
  let at = 0;
  let groups = 0;
  const readRepeat = (): Pick<PatternItem, 'least' | 'most'> => {
    const repeat = parseRepeat(tokens[at]);
    if (repeat === undefined) return { least: 1, most: 1 };
    at += 1;
    // A lazy quantifier takes as few as it can, which does not change what matches.
    if (tokens[at] === '?') at += 1;
    return repeat;
  };
  const readPart = (): PatternPart | undefined => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token.startsWith('(')) {
      const number = token === '(' || /^\(\?<[^=!]/.test(token) ? (groups += 1) : undefined;
      const choices = readChoices();
      at += 1;
      // Looking ahead or behind consumes no character.
      return /^\(\?<?[=!]/.test(token) ? undefined : { kind: 'group', number, choices };
    }
    if (token === '^' || token === '$' || /^\\[bB]$/.test(token)) return undefined;
    const back = /^\\([1-9]\d*)$/.exec(token)?.[1];
    return back === undefined ? { kind: 'character', token } : { kind: 'back', number: Number(back) };
  };
  const readChoices = (): PatternItem[][] => {
    const choices: PatternItem[][] = [[]];
    while (at < tokens.length && tokens[at] !== ')') {
      if (tokens[at] === '|') {
        at += 1;
        choices.push([]);
        continue;
      }
      const part = readPart();
      choices.at(-1)?.push({ part, ...readRepeat() });
    }
    return choices;
  };
  return { readChoices };
}

function parseRepeat(token: string | undefined): Pick<PatternItem, 'least' | 'most'> | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*') return { least: 0, most: Infinity };
  if (token === '+') return { least: 1, most: Infinity };
  const [, least, isRange, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token ?? '') ?? [];
  if (least === undefined) return undefined;
  if (isRange === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}
