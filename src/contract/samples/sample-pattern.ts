import { createContractPattern } from '../schemas/patterns/pattern.js';
import { tokenize } from '../schemas/patterns/pattern-shape.js';

/** What a text must satisfy besides the pattern. */
export interface TextBounds {
  least: number;
  most: number;
}

/** A repeated part of a pattern; `undefined` parts match without consuming a character. */
interface Item {
  part: Part | undefined;
  least: number;
  most: number;
}

type Part =
  | { kind: 'character'; token: string }
  | { kind: 'group'; number: number | undefined; choices: Item[][] }
  | { kind: 'back'; number: number };

/** How one text is made from a pattern. */
interface Way {
  /** How many more times than necessary each part is repeated. */
  extra: number;
  /** Which of several characters or alternatives to take. */
  index: number;
  pool: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const PLAIN = `${LETTERS}${LETTERS.toUpperCase()}0123456789-_. !"#$%&'()*+,/:;<=>?@[\\]^\`{|}~\t\n`;
/** Characters of every kind in turn, for patterns that look ahead for each kind. */
const MIXED = `aA0-bB1_cC2!dD3.eE4@fF5#gG6$hH7%iI8&jJ9*${PLAIN}`;

/** A sample repeats nothing more often than this. */
const MOST_REPEATED = 10_000;
const MOST_EXTRA = 40;

const made = new Map<string, string | undefined>();
const MOST_MADE = 2000;

/** A text that matches a pattern of ECMA-262, always the same for an index; `undefined` if none was found. */
export function samplePattern(source: string, index: number, bounds: TextBounds): string | undefined {
  const key = `${index} ${bounds.least} ${bounds.most} ${source}`;
  // A pattern that nothing matches takes hundreds of attempts, and a record may have it in a hundred places.
  if (made.has(key)) return made.get(key);
  if (made.size === MOST_MADE) made.clear();
  const text = findText(source, index, bounds);
  made.set(key, text);
  return text;
}

function findText(source: string, index: number, { least, most }: TextBounds): string | undefined {
  const tokens = tokenize(source);
  const repeats = tokens.map((token) => Number(/^\{(\d+)/.exec(token)?.[1] ?? 0));
  if (repeats.reduce((sum, times) => sum + times, 0) > MOST_REPEATED) return undefined;
  const pattern = createContractPattern(source, 'u');
  const fits = (text: string): boolean => text.length >= least && text.length <= most && pattern.test(text);
  const choices = createReader(tokens).readChoices();
  let bare: string | undefined;
  for (const way of listWays(index, least)) {
    const text = print(choices, way);
    const found = [text, text.padEnd(least, 'g'), text.padStart(least, 'g')].find(fits);
    if (found === undefined) continue;
    if (SAYS_SOMETHING.test(found)) return found;
    if (bare !== undefined) continue;
    // A decimal of which every part may be left out is nothing that a service expects.
    const ordinary = listOrdinary(index, fits).find(fits);
    if (ordinary !== undefined) return ordinary;
    bare = found;
  }
  return bare;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** What most patterns mean that an empty text matches: a decimal, with all its places, as services print it. */
function listOrdinary(index: number, fits: (text: string) => boolean): string[] {
  const decimals = Array.from({ length: MOST_PLACES }, (_, zeros) => `${12 + index}.5${'0'.repeat(zeros)}`);
  const whole = decimals.filter(fits);
  const [first] = whole;
  const decimal = whole.length === MOST_PLACES ? first : whole.at(-1);
  return [...(decimal === undefined ? [] : [decimal]), `${12 + index}`, index === 0 ? 'string' : `${index}string`];
}

/** With this many places, a pattern has no bound for them. */
const MOST_PLACES = 12;

function* listWays(index: number, least: number): Generator<Way> {
  for (const pool of [PLAIN, MIXED]) {
    for (let extra = 0; extra <= MOST_EXTRA; extra += 1) yield { extra, index, pool };
    if (least > MOST_EXTRA && least <= MOST_REPEATED) yield { extra: least, index, pool };
    for (let other = 1; other <= MOST_EXTRA; other += 1) yield { extra: other % 4, index: index + other, pool };
  }
}

function createReader(tokens: readonly string[]): { readChoices(): Item[][] } {
  let at = 0;
  let groups = 0;
  const readRepeat = (): Pick<Item, 'least' | 'most'> => {
    const repeat = parseRepeat(tokens[at]);
    if (repeat === undefined) return { least: 1, most: 1 };
    at += 1;
    // A lazy quantifier takes as few as it can, which does not change what matches.
    if (tokens[at] === '?') at += 1;
    return repeat;
  };
  const readPart = (): Part | undefined => {
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
  const readChoices = (): Item[][] => {
    const choices: Item[][] = [[]];
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

function parseRepeat(token: string | undefined): Pick<Item, 'least' | 'most'> | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*') return { least: 0, most: Infinity };
  if (token === '+') return { least: 1, most: Infinity };
  const [, least, isRange, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token ?? '') ?? [];
  if (least === undefined) return undefined;
  if (isRange === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Infinity : Number(most) };
}

function print(choices: readonly Item[][], way: Way): string {
  const captured = new Map<number, string>();
  let written = 0;
  const printChoices = (list: readonly Item[][]): string =>
    (list[way.index % list.length] ?? []).map(printItem).join('');
  const printItem = ({ part, least, most }: Item): string => {
    if (part === undefined) return '';
    const times = Math.min(most, least + way.extra);
    return Array.from({ length: times }, () => printPart(part)).join('');
  };
  const printPart = (part: Part): string => {
    if (part.kind === 'back') return captured.get(part.number) ?? '';
    if (part.kind === 'group') {
      const text = printChoices(part.choices);
      if (part.number !== undefined) captured.set(part.number, text);
      return text;
    }
    written += 1;
    return pickCharacter(part.token, way, written - 1);
  };
  return printChoices(choices);
}

function pickCharacter(token: string, { index, pool }: Way, place: number): string {
  if (token.length === 1 && token !== '.') return token;
  const allowed = listAllowed(token, pool);
  const { length } = allowed;
  // After the first round, each character advances at its own pace, so that there are as many texts as needed.
  const [round, lap] = [Math.floor(index / length), Math.floor(index / length ** 2)];
  return allowed[(index + place * (1 + round) + place ** 2 * lap) % length] ?? '';
}

const known = new Map<string, string[]>();
const MOST_KNOWN = 1000;

/** The characters of a pool that a class or an escape matches; if the pool has none, the first matching one. */
function listAllowed(token: string, pool: string): string[] {
  const key = `${pool.length} ${token}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size === MOST_KNOWN) known.clear();
  const pattern = createContractPattern(`^${token}$`, 'u');
  const usual = Array.from(pool).filter((character) => pattern.test(character));
  const allowed = usual.length > 0 ? usual : findElsewhere((character) => pattern.test(character));
  known.set(key, allowed);
  return allowed;
}

const LAST_OF_THE_FIRST_PLANE = 0xffff;

function findElsewhere(matches: (character: string) => boolean): string[] {
  for (let code = 0; code <= LAST_OF_THE_FIRST_PLANE; code += 1) {
    const character = String.fromCodePoint(code);
    if (matches(character)) return [character];
  }
  return [];
}
