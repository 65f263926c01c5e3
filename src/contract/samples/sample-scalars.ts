import { asText, asList, asObject, remember } from '../document/plain.js';
import type { SchemaObject } from '../model.js';
import { createContractPattern, tokenize, readRepeat, isTooLarge, readContractPattern } from '../schemas/pattern.js';
import { addExactly, timesStep, Decimal, isJsonNumber, type JsonNumber } from '../document/json.js';

interface TextOptions {
  index: number;
  /** Set if the text must differ from others: the number that makes the difference. */
  variant: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  isKey: boolean;
  room: number;
}

const FORMATS: Readonly<Record<string, (now: string, mark: string) => string>> = {
  'date-time': (now) => now,
  date: (now) => now.slice(0, 10),
  time: (now) => now.slice(11),
  'google-datetime': (now) => now,
  'google-duration': () => '1s',
  duration: (_, mark) => `P${mark === '' ? '1' : Number(mark) + 1}D`,
  byte: (_, mark) => Buffer.from(`string${mark}`).toString('base64'),
  email: (_, mark) => `rex${mark}@example.com`,
  hostname: (_, mark) => `example${mark}.com`,
  ipv4: (_, mark) => `192.0.2.${(Number(mark) % 250) + 1}`,
  ipv6: (_, mark) => `2001:db8::${(Number(mark) % 9000) + 1}`,
  uri: (_, mark) => `https://example.com/${mark}`,
  'uri-reference': (_, mark) => `/${mark}`,
  'relative-json-pointer': (_, mark) => (mark === '' ? '0' : mark),
  regex: () => '.*',
  uuid: (_, mark) => `123e4567-e89b-42d3-a456-${mark === '' ? '426614174000' : mark.padStart(12, '0')}`,
};

const ALIASES: Readonly<Record<string, string>> = {
  'idn-email': 'email',
  'idn-hostname': 'hostname',
  url: 'uri',
  iri: 'uri',
  'iri-reference': 'uri-reference',
  'uri-template': 'uri-reference',
  'json-pointer': 'uri-reference',
};

/** Whether a text is one that the sampler makes of nothing, and names nothing that there is. */
export const isSampledUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^123e4567-e89b-42d3-a456-\d{12}$/.test(value);

const DAY_MS = 86_400_000;

export function sampleText(schema: SchemaObject, patterns: readonly string[], options: TextOptions): string {
  const bounds: TextBounds = {
    least: Math.min(Number(schema['minLength'] ?? 0), options.room),
    most: Number(schema['maxLength'] ?? Infinity),
  };
  const tests = patterns.map((pattern) => createContractPattern(pattern, 'u'));
  const fits = (text: string): boolean =>
    text.length >= bounds.least && text.length <= bounds.most && tests.every((each) => each.test(text));
  const format = asText(schema['format']) ?? '';
  const time = new Date(options.now + (options.variant ?? 0) * DAY_MS).toISOString();
  const known = Object.hasOwn(ALIASES, format) ? (ALIASES[format] ?? '') : format;
  const make = Object.hasOwn(FORMATS, known) ? FORMATS[known] : undefined;
  const ofFormat = make?.(time, options.variant === undefined ? '' : String(options.variant));
  // A time can be written in several lengths (RFC 3339 section 5.6).
  const plain = ofFormat?.replace(/\.\d+Z$/, 'Z') ?? '';
  const times = format === 'date-time' ? [plain, plain.replace('Z', '+00:00'), ofFormat?.replace('Z', '+00:00')] : [];
  const written = [ofFormat, ...times].find((each) => each !== undefined && fits(each));
  if (written !== undefined) return written;
  const index = options.variant ?? options.index;
  for (const pattern of patterns) {
    const text = (options.isKey ? samplePatternApart : samplePattern)(pattern, index, bounds);
    if (text !== undefined && fits(text)) return text;
  }
  if (ofFormat !== undefined && patterns.length === 0) {
    const { least } = bounds;
    const isUrl = format === 'uri' || format === 'url';
    if (format === 'byte' && ofFormat.length < least) return 'A'.repeat(Math.ceil(least / 4) * 4);
    return isUrl ? ofFormat.padEnd(least, 'g') : ofFormat;
  }
  const word = options.variant === undefined ? 'string' : `${options.variant}string`;
  return word.padEnd(bounds.least, 'g').slice(0, bounds.most);
}

export function sampleNumber(rules: SchemaObject, { isInteger, index }: { isInteger: boolean; index: number }) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  const exact = [minimum, maximum, multipleOf].find((each) => isJsonNumber(each) && typeof each !== 'number');
  // With what no double states, nothing is computed.
  if (exact !== undefined) return exact === minimum ? minimum : (firstNumber(maximum, minimum) ?? exact);
  const step = firstNumber(multipleOf) ?? 1;
  const isStepped = isInteger || multipleOf !== undefined;
  const bounds = {
    least: firstNumber(minimum),
    above: firstNumber(exclusiveMinimum),
    most: firstNumber(maximum),
    below: firstNumber(exclusiveMaximum),
  };
  const start = (isStepped ? findStart : findPlain)(bounds, step, isInteger);
  const chosen = addExactly(start, timesStep(index, step));
  return isWithin(chosen, bounds) ? chosen : start;
}

type Bounds = Record<'least' | 'above' | 'most' | 'below', number | undefined>;

function findStart(bounds: Bounds, step: number, isInteger: boolean): number {
  const { least, above, most, below } = bounds;
  const counts = [1];
  if (least !== undefined) counts.push(Math.ceil(least / step - EPSILON));
  if (above !== undefined) counts.push(Math.floor(above / step + EPSILON) + 1);
  if (most !== undefined) counts.push(Math.floor(most / step + EPSILON));
  if (below !== undefined) counts.push(Math.ceil(below / step - EPSILON) - 1);
  // Even a schema that allows negative numbers, such as all of int32, usually means positive ones.
  const tried = (least ?? above ?? -1) < 0 ? counts : counts.slice(1);
  const candidates = tried.filter(Number.isFinite).map((count) => timesStep(count, step));
  const fitting = candidates.filter((each) => !isInteger || Number.isInteger(each));
  return fitting.find((each) => isWithin(each, bounds)) ?? fitting[0] ?? step;
}

const EPSILON = 1e-9;

function findPlain(bounds: Bounds): number {
  const { least, above, most, below } = bounds;
  const low = least ?? above;
  const high = most ?? below;
  const between = low === undefined || high === undefined ? [] : [(low + high) / 2];
  const candidates = [least ?? 1, (above ?? 0) + 1, most ?? 1, (below ?? 2) - 1, ...between];
  return candidates.find((each) => isWithin(each, bounds)) ?? low ?? high ?? 1;
}

function isWithin(value: number, { least, above, most, below }: Bounds): boolean {
  if (least !== undefined && value < least) return false;
  if (above !== undefined && value <= above) return false;
  return (most === undefined || value <= most) && (below === undefined || value < below);
}

const firstNumber = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number');

const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'];
const MOST_MULTIPLES = 12;
const MOST_BESIDE = 3;
const MOST_STEPS = 5;
const MOST_WHOLE = 1e18;

/** Numbers that schemas may tell apart: bounds, listed values, their neighbours, what lies between, and multiples. */
export function listNearNumbers(schemas: readonly SchemaObject[]): unknown[] {
  const bounds = schemas.flatMap((schema) =>
    [...NUMERIC.map((key) => schema[key]), ...asList(schema['enum'])].filter(isJsonNumber),
  );
  const plain = [...new Set(bounds.filter((each) => typeof each === 'number'))].toSorted((a, b) => a - b);
  const single = [...new Set(schemas.flatMap(({ multipleOf }) => firstNumber(multipleOf) ?? []))].slice(0, MOST_STEPS);
  const both = single.flatMap((one) =>
    single.filter((other) => one < other && Number.isInteger(other)).map((other) => timesStep(other, one)),
  );
  const steps = [...single, ...both];
  if (bounds.length === 0 && steps.length === 0) return [];
  const multiples = steps.flatMap((step) =>
    [0, ...plain].flatMap((from) => {
      const first = Math.floor(from / step);
      const counts = Array.from({ length: MOST_MULTIPLES }, (_, index) => first + index - 1);
      return Number.isSafeInteger(first) ? counts.map((count) => timesStep(count, step)) : [];
    }),
  );
  const beside = bounds.flatMap((bound) =>
    Array.from({ length: MOST_BESIDE }, (_, index) => [addWhole(bound, index + 1), addWhole(bound, -index - 1)]).flat(),
  );
  const between = plain.slice(1).map((each, index) => ((plain[index] ?? 0) + each) / 2);
  return [...bounds, ...beside, ...multiples, ...between, ...between.map(Math.round)].filter(
    (each) => each !== undefined,
  );
}

function addWhole(bound: JsonNumber, by: number): JsonNumber | undefined {
  if (typeof bound === 'number' && Math.abs(bound) > MOST_WHOLE) return undefined;
  if (typeof bound === 'number' && !Number.isInteger(bound)) return addExactly(bound, by);
  if (bound instanceof Decimal) return undefined;
  const sum = BigInt(bound) + BigInt(by);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}

type TextBounds = Record<'least' | 'most', number>;

interface Way {
  extra: number;
  extraGroups: number;
  choose: (count: number) => number;
  pick: (count: number, place: number) => number;
  pool: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const PLAIN = `${LETTERS}${LETTERS.toUpperCase()}0123456789-_. !"#$%&'()*+,/:;<=>?@[\\]^\`{|}~\t\n`;
const MIXED = `aA0-bB1_cC2!dD3.eE4@fF5#gG6$hH7%iI8&jJ9*${PLAIN}`;
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

const OF_KEYS = `${LETTERS}0123456789`;
const USUAL_EXTRA = 8;
const MOST_OF_LEAST = 64;
const ENOUGH = 10n ** 9n;
/** Has no divisor in common with a number of characters, so that its multiples differ in their lowest digits. */
const SPREAD = 11_400_714_819_323_198_549n;

function samplePatternApart(source: string, index: number, bounds: TextBounds): string | undefined {
  if (isTooLarge(source)) return undefined;
  const { least, most } = bounds;
  const tokens = tokenize(readContractPattern(source)?.source ?? source);
  const pattern = createContractPattern(source, 'u');
  const choices = createReader(tokens).readChoices();
  let best: { text: string; count: bigint } | undefined;
  for (const pool of [OF_KEYS, PLAIN]) {
    const mostExtra = Math.max(USUAL_EXTRA, Math.min(least, MOST_OF_LEAST));
    for (let turn = 0; turn < 2 * (mostExtra + 1); turn += 1) {
      const extra = mostExtra - (turn % (mostExtra + 1));
      const extraGroups = turn > mostExtra ? extra : 0;
      // Each choice takes a digit of the number.
      const number = BigInt(index + 1) * SPREAD;
      let [left, count] = [number, 1n];
      const take = (base: number): number => {
        if (left === 0n) left = number;
        const digit = Number(left % BigInt(base));
        left /= BigInt(base);
        count *= BigInt(base);
        return digit;
      };
      const text = print(choices, { extra, extraGroups, choose: take, pick: take, pool });
      if (text.length < least || text.length > most || !pattern.test(text)) continue;
      if (count >= ENOUGH) return text;
      if (best === undefined || count > best.count) best = { text, count };
    }
  }
  return best?.text ?? samplePattern(source, index, bounds);
}

function findText(source: string, index: number, { least, most }: TextBounds): string | undefined {
  if (isTooLarge(source)) return undefined;
  const tokens = tokenize(readContractPattern(source)?.source ?? source);
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
    const decimals = Array.from({ length: 12 }, (_, zeros) => `${12 + index}.5${'0'.repeat(zeros)}`);
    const whole = decimals.filter(fits);
    // Where all of them fit, a pattern has no bound for the places.
    const decimal = whole.at(whole.length === decimals.length ? 0 : -1) ?? '';
    const words = [`${12 + index}`, index === 0 ? 'string' : `${index}string`];
    const ordinary = [...(decimal === '' ? [] : [decimal]), ...words].find(fits);
    if (ordinary !== undefined) return ordinary;
    bare = found;
  }
  return bare;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

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
    if (part.token.length === 1 && part.token !== '.') return part.token;
    const allowed = listAllowed(way.pool)(part.token);
    return allowed[way.pick(allowed.length, written - 1)] ?? '';
  };
  return printChoices(choices);
}

const listAllowed = remember((pool: string) =>
  remember((token: string): string[] => {
    const pattern = createContractPattern(`^${token}$`, 'u');
    const usual = Array.from(pool).filter((character) => pattern.test(character));
    if (usual.length > 0) return usual;
    for (let code = 0; code <= 0xffff; code += 1)
      if (pattern.test(String.fromCodePoint(code))) return [String.fromCodePoint(code)];
    return [];
  }, 1000),
);

export function makeLike(schema: unknown, number: number): string | undefined {
  const { pattern, minLength = 0, maxLength = Infinity } = asObject(schema);
  const source = asText(pattern);
  if (source === undefined) return undefined;
  return samplePatternApart(source, number, { least: Number(minLength), most: Number(maxLength) });
}

type PatternItem = { part: PatternPart | undefined; least: number; most: number };

type PatternPart =
  | { kind: 'character'; token: string }
  | { kind: 'group'; number: number | undefined; choices: PatternItem[][] }
  | { kind: 'back'; number: number };

function createReader(tokens: readonly string[]): { readChoices(): PatternItem[][] } {
  let at = 0;
  let groups = 0;
  const takeRepeat = (): Pick<PatternItem, 'least' | 'most'> => {
    const repeat = readRepeat(tokens[at]);
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
      choices.at(-1)?.push({ part, ...takeRepeat() });
    }
    return choices;
  };
  return { readChoices };
}
