import { createContractPattern } from '../schemas/patterns/pattern.js';
import { tokenize } from '../schemas/patterns/pattern-shape.js';
import { isTooLarge, readContractPattern } from '../schemas/patterns/read-contract-pattern.js';
import { readPattern, type PatternItem, type PatternPart } from './read-pattern.js';

/** What a text must satisfy besides the pattern. */
export interface TextBounds {
  least: number;
  most: number;
}

/** How one text is made from a pattern. */
interface Way {
  /** How many more times than necessary each character is repeated. */
  extra: number;
  /** How many more times each group is. */
  extraGroups: number;
  /** Which of so many alternatives to take. */
  choose: (count: number) => number;
  /** Which of so many characters to take, for the character at a place. */
  pick: (count: number, place: number) => number;
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

/** What keys are made of, where a pattern allows it. */
const OF_KEYS = `${LETTERS}0123456789`;
const USUAL_EXTRA = 8;
const MOST_OF_LEAST = 64;
/** With so many texts, nobody meets one twice. */
const ENOUGH = 10n ** 9n;
/** Has no divisor in common with a number of characters, so that its multiples differ in their lowest digits. */
const SPREAD = 11_400_714_819_323_198_549n;

/**
 * A text that matches a pattern, another one for each index as long as the pattern has others: not the shortest, but one
 * of as many as possible. `undefined` if none was found.
 */
export function samplePatternApart(source: string, index: number, bounds: TextBounds): string | undefined {
  if (isTooLarge(source)) return undefined;
  const { least, most } = bounds;
  const tokens = tokenize(readContractPattern(source)?.source ?? source);
  const pattern = createContractPattern(source, 'u');
  const choices = readPattern(tokens);
  let best: { text: string; count: bigint } | undefined;
  for (const pool of [OF_KEYS, PLAIN]) {
    for (const [extra, extraGroups] of listExtras(least)) {
      const counter = createCounter(BigInt(index + 1) * SPREAD);
      const text = print(choices, { extra, extraGroups, choose: counter.take, pick: counter.take, pool });
      if (text.length < least || text.length > most || !pattern.test(text)) continue;
      if (counter.count() >= ENOUGH) return text;
      if (best === undefined || counter.count() > best.count) best = { text, count: counter.count() };
    }
  }
  return best?.text ?? samplePattern(source, index, bounds);
}

function listExtras(least: number): [extra: number, extraGroups: number][] {
  const most = Math.max(USUAL_EXTRA, Math.min(least, MOST_OF_LEAST));
  const extras = Array.from({ length: most + 1 }, (_, index) => most - index);
  return [
    ...extras.map((extra): [number, number] => [extra, 0]),
    ...extras.map((extra): [number, number] => [extra, extra]),
  ];
}

/** Takes a number apart, digit by digit from the lowest, with a base of its own for each digit. */
function createCounter(number: bigint): { take: (base: number) => number; count: () => bigint } {
  let left = number;
  let count = 1n;
  return {
    take: (base) => {
      if (left === 0n) left = number;
      const digit = Number(left % BigInt(base));
      left /= BigInt(base);
      count *= BigInt(base);
      return digit;
    },
    count: () => count,
  };
}

function findText(source: string, index: number, { least, most }: TextBounds): string | undefined {
  if (isTooLarge(source)) return undefined;
  const tokens = tokenize(readContractPattern(source)?.source ?? source);
  const repeats = tokens.map((token) => Number(/^\{(\d+)/.exec(token)?.[1] ?? 0));
  if (repeats.reduce((sum, times) => sum + times, 0) > MOST_REPEATED) return undefined;
  const pattern = createContractPattern(source, 'u');
  const fits = (text: string): boolean => text.length >= least && text.length <= most && pattern.test(text);
  const choices = readPattern(tokens);
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
    for (let extra = 0; extra <= MOST_EXTRA; extra += 1) yield byIndex(index, extra, pool);
    if (least > MOST_EXTRA && least <= MOST_REPEATED) yield byIndex(index, least, pool);
    for (let other = 1; other <= MOST_EXTRA; other += 1) yield byIndex(index + other, other % 4, pool);
  }
}

function byIndex(index: number, extra: number, pool: string): Way {
  return {
    extra,
    extraGroups: extra,
    choose: (count) => index % count,
    pick: (count, place) => {
      // After the first round, each character advances at its own pace, so that there are as many texts as needed.
      const [round, lap] = [Math.floor(index / count), Math.floor(index / count ** 2)];
      return (index + place * (1 + round) + place ** 2 * lap) % count;
    },
    pool,
  };
}

function print(choices: readonly PatternItem[][], way: Way): string {
  const captured = new Map<number, string>();
  let written = 0;
  const printChoices = (list: readonly PatternItem[][]): string =>
    (list[way.choose(list.length)] ?? []).map(printItem).join('');
  const printItem = ({ part, least, most }: PatternItem): string => {
    if (part === undefined) return '';
    const times = Math.min(most, least + (part.kind === 'group' ? way.extraGroups : way.extra));
    return Array.from({ length: times }, () => printPart(part)).join('');
  };
  const printPart = (part: PatternPart): string => {
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

function pickCharacter(token: string, { pick, pool }: Way, place: number): string {
  if (token.length === 1 && token !== '.') return token;
  const allowed = listAllowed(token, pool);
  return allowed[pick(allowed.length, place)] ?? '';
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
