import type { ValueMaker, Wanted } from '../../contract/samples/sample.js';
import { isJsonNumber, isWhole, addExactly, timesStep } from '../../contract/document/json.js';
import { nameSingular } from '../../contract/resources/words.js';
import { UNREAD_PATTERN } from '../../contract/schemas/dialect.js';
import { createContractPattern } from '../../contract/schemas/pattern.js';
import type { Draw, ValueMaking, MakeText, Person } from './making.js';
import {
  findBetween,
  endsIn,
  has,
  readNames,
  splitName,
  createDraw,
  drawPerson,
  isTimeOfDay,
  isTimeText,
  stampTime,
  makeTime,
} from './making.js';
import { FORMATS, TEXTS, isOfPet } from './texts.js';
import type { SchemaObject } from '../../contract/model.js';

interface MakerOptions {
  draw: Draw;
  index: number;
  /** Today, milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  /** Whether the record comes into being now: nothing is counted of it yet, and nothing has been done to it. Default: `false`. */
  isNew?: boolean;
  /** Whether to leave to others what the name says nothing about. Default: `false`. */
  isSparing?: boolean;
}

/**
 * The one maker of values: plausible for the name of their property and for what stands around it, within what the
 * schema allows, and like the contract's example of it. It makes the records at the start, what the service assigns
 * later, and the answers of operations without state.
 */
export function createMaker({ draw, index, now, isNew = false, isSparing = false }: MakerOptions): ValueMaker {
  const people = new WeakMap<object, Person>();
  const meet = (holder: object): Person => {
    const person = people.get(holder) ?? drawPerson(draw);
    people.set(holder, person);
    return person;
  };
  return (wanted) => {
    const making: ValueMaking = {
      ...wanted,
      draw,
      now,
      said: splitName(wanted.name),
      person: () => meet(wanted.holder),
    };
    const atFirst = isNew ? beginAt(making) : undefined;
    if (atFirst !== undefined) return atFirst;
    const { example, examples, default: usual } = wanted.rules;
    // The default of what may be left out is null, which shows nothing.
    const listed = [...(Array.isArray(examples) ? (examples as unknown[]) : []), example, usual ?? undefined];
    const shown = index === 0 ? listed.find((each) => isAllowed(each, wanted)) : undefined;
    if (shown !== undefined) return shown;
    return isSparing && !isTelling(making) ? undefined : makeOne(making, index);
  };
}

/** The maker of what stands alone, the same for the same text: an answer without state, what only one view of a record has. */
export const createLoneMaker = (of: string): ValueMaker =>
  createMaker({ draw: createDraw(of), index: 1, now: LONE_NOW, isSparing: true });

const LONE_NOW = Date.parse('2026-01-01T00:00:00Z');

function isTelling(making: ValueMaking): boolean {
  const { said, type, name, rules } = making;
  if (type === 'boolean') return false;
  if (type !== 'string') return namesNumber(said) || stampTime(name, { ...rules, type }, 0) !== undefined;
  return (
    rules['format'] !== undefined || isTimeText(name) || isTimeOfDay(name) || listWays(listNames(making)).length > 0
  );
}

function makeOne(making: ValueMaking, index: number): unknown {
  const time = makeTime(making);
  if (time !== undefined && isAllowed(time, making)) return time;
  const { type, said, draw } = making;
  if (type === 'boolean') return draw().datatype.boolean(SELDOM.test(said) ? 0.1 : MOSTLY.test(said) ? 0.85 : 0.5);
  if (type === 'string') return makeText(making, index);
  const { least, most } = findBetween(making.name, making.holder);
  const rules = { ...making.rules };
  if (typeof least === 'number') rules['minimum'] = Math.max(least, Number(rules['minimum'] ?? least));
  if (typeof most === 'number') rules['maximum'] = Math.min(most, Number(rules['maximum'] ?? most));
  return makeNumber({ ...making, rules });
}

const SELDOM = has('deleted', 'archived', 'removed', 'disabled', 'blocked', 'banned', 'hidden', 'locked', 'suspended', 'cancelled', 'canceled', 'deprecated', 'expired', 'revoked', 'trashed', 'spam', 'failed', 'test', 'sandbox', 'internal', 'locked', 'muted'); // prettier-ignore
const MOSTLY = has('active', 'enabled', 'available', 'visible', 'valid', 'verified', 'open', 'success', 'ok');
const COUNTED = endsIn('count', 'views', 'likes', 'followers', 'downloads', 'attempts', 'retries', 'points', 'balance');
const BEGINS_ON = has('active', 'enabled', 'available', 'visible', 'valid', 'open', 'success', 'ok');

function beginAt({ type, said, rules }: ValueMaking): unknown {
  if (type === 'boolean') return BEGINS_ON.test(said);
  if (type === 'string' || !COUNTED.test(said)) return undefined;
  const { minimum = 0, exclusiveMinimum } = rules;
  return exclusiveMinimum === undefined && Number(minimum) <= 0 ? 0 : undefined;
}

const PLAIN = new Set(['', 'string', 'text', 'password', 'binary']);
const EXACT = new Set(['date-time', 'date', 'time', 'duration', 'uri-reference', 'iri', 'iri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer', 'regex', 'google-datetime', 'google-duration', 'idn-hostname', 'binary']); // prettier-ignore

function makeText(making: ValueMaking, index: number): unknown {
  const { rules, draw } = making;
  const { example, examples } = rules;
  const format = typeof rules['format'] === 'string' ? rules['format'] : '';
  const listed = Array.isArray(examples) ? examples.filter((each) => isAllowed(each, making)) : [];
  if (listed.length > 1 && format === '') return listed[index % listed.length];
  const shown = [example, ...listed].find((each) => typeof each === 'string' && isAllowed(each, making)) as
    | string
    | undefined;
  if (EXACT.has(format) || (shown !== undefined && rules[UNREAD_PATTERN] !== undefined)) return shown;
  const byFormat = FORMATS[format];
  // A format that nobody knows is a second name.
  let first: string | undefined;
  for (const [way, each] of byFormat === undefined ? listWays(listNames(making)) : [[byFormat, making.said] as const]) {
    const text = way(each === making.said ? making : { ...making, said: each });
    if (text !== undefined && isAllowed(text, making) && (shown === undefined || formOf(text) === formOf(shown)))
      return text;
    first ??= text;
  }
  if (shown !== undefined && isTimeText(making.name)) return shown;
  if (shown !== undefined) return varyExample(shown, draw, (text) => isAllowed(text, making));
  if (typeof rules['default'] === 'string' && isAllowed(rules['default'], making)) return rules['default'];
  const fitted = fit(first ?? draw().word.noun(), making);
  return isAllowed(fitted, making) ? fitted : undefined;
}

function listNames({ said, subject, rules }: ValueMaking): string[] {
  const format = typeof rules['format'] === 'string' ? rules['format'] : '';
  const around = splitName(subject);
  return [
    ...(PLAIN.has(format) || Object.hasOwn(FORMATS, format) ? [] : [splitName(format)]),
    said,
    ...(around.endsWith('s') ? [splitName(nameSingular(around))] : []),
  ];
}

const listWays = (names: readonly string[]): (readonly [MakeText, string])[] =>
  names.flatMap((said) => findRows(said).map((way) => [way, said] as const));

const findRows = readNames((said): MakeText[] => [
  ...(namesNumberText(said) ? [makeNumberText] : []),
  ...TEXTS.flatMap(([pattern, ...as]) => (pattern.test(said) ? as : [])),
]);

const MOST_LENGTH = 10_000;

function fit(text: string, { rules, draw }: ValueMaking): string {
  const least = Number(rules['minLength'] ?? 0);
  const most = Number(rules['maxLength'] ?? Infinity);
  let fitted = text;
  while (fitted.length < least && fitted.length < MOST_LENGTH) fitted = `${fitted} ${draw().word.noun()}`;
  return fitted.length > most ? fitted.slice(0, most).trimEnd().padEnd(least, 's') : fitted;
}

function isAllowed(value: unknown, { rules, patterns, type }: Wanted): boolean {
  if (value === null) return rules['nullable'] === true || [rules['type']].flat().includes('null');
  if (isJsonNumber(value)) return type === 'number' || (type === 'integer' && isWhole(value));
  if (typeof value !== 'string') return typeof value === type;
  if (type !== 'string') return false;
  if (rules['minLength'] !== undefined || rules['maxLength'] !== undefined) {
    const { length } = Array.from(value);
    if (length < Number(rules['minLength'] ?? 0) || length > Number(rules['maxLength'] ?? Infinity)) return false;
  }
  return patterns.every((pattern) => createContractPattern(pattern, 'u').test(value));
}

const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['link', /^[a-z][a-z+.-]*:\/\//i],
  ['mail', /^[^\s@]+@[^\s@]+$/],
  ['phone', /^\+?[\d\s().-]{7,}$/],
  ['digits', /^\d+$/],
  ['decimal', /^-?\d+[.,]\d+$/],
  ['short code', /^[A-Z]{2,3}$/],
  ['code', /^(?=.*[A-Z])[A-Z\d_-]+$/],
  ['short word', /^[a-z]{2,3}$/],
  ['path', /^\//],
  ['file', /^\S+\.[a-z\d]{2,4}$/i],
  ['slug', /^[a-z\d]+(?:[-_.:/][a-z\d]+)+$/],
];

const formOf = (text: string): string => FORMS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
const LEAST_DIGITS = 3;

function varyExample(example: string, draw: Draw, allows: (text: string) => boolean): string {
  const count = example.replace(/\D/g, '').length;
  if (count < LEAST_DIGITS || /\s|:\/\/|[{}[\]<>]/.test(example)) return example;
  const varied = example.replace(/\d+/g, (digits) =>
    draw().string.numeric({ length: digits.length, allowLeadingZeros: digits.startsWith('0') }),
  );
  return allows(varied) ? varied : example;
}

type Range = { from: number; to: number };

const RANGES: readonly (readonly [name: RegExp, from: number, to: number, fractions?: Range])[] = [
  [endsIn('lat', 'latitude'), -60, 70],
  [endsIn('lng', 'lon', 'long', 'longitude'), -170, 170],
  [endsIn('count', 'quantity', 'qty', 'stock', 'seat', 'capacity', 'inventory', 'in stock'), 1, 20],
  [has('number of', 'num', 'total (?!amount|price|cost|tax|value)[a-z]+s'), 1, 20],
  [endsIn('seconds', 'secs', 'minutes', 'mins', 'hours', 'duration', 'time', 'elapsed'), 1, 240],
  [endsIn('ms', 'millis', 'milliseconds', 'latency'), 10, 2000],
  [endsIn('bytes', 'file~size', 'content length'), 1000, 5_000_000],
  [has('ratio', 'probability', 'confidence', 'similarity', 'fraction', 'opacity'), 0, 100, { from: 0, to: 1 }],
  [endsIn('(?:tax|vat|interest|bounce|conversion|discount|commission|click|open)~rate'), 0, 25],
  [endsIn('(?:exchange|conversion|fx) rate'), 1, 2, { from: 0.5, to: 2 }],
  [has('percent', 'percentage', 'pct', 'progress', 'rate', 'discount', 'humidity', 'completion'), 0, 100],
  [has('cents', 'minor'), 100, 50_000],
  [has('price', 'amount', 'cost', 'fee', 'balance', 'salary', 'budget', 'revenue', 'sub~total', 'total', 'tax', 'value', 'discount', 'tip', 'deposit'), 1, 500], // prettier-ignore
  [endsIn('id'), 1, 1000],
  [endsIn('age'), 18, 80],
  [endsIn('age of pet'), 1, 15],
  [endsIn('exp~year', 'expiry year', 'expiration year'), 2027, 2032],
  [has('year'), 1990, 2026],
  [has('month'), 1, 12],
  [endsIn('days'), 1, 28],
  [has('day'), 1, 28],
  [endsIn('weeks?'), 1, 52],
  [has('rating', 'star', 'priority', 'severity', 'level'), 1, 5],
  [endsIn('score'), 1, 100],
  [endsIn('temperature', 'temp'), -10, 35],
  [endsIn('altitude', 'elevation'), 0, 3000],
  [endsIn('port'), 1024, 65_535],
  [endsIn('position', 'rank', 'order', 'sort', 'index', 'sequence', 'version', 'revision', 'floor', 'attempt', 'retries'), 1, 20], // prettier-ignore
  [has('weight', 'height', 'width', 'length', 'depth', 'distance', 'size', 'speed', 'area', 'radius'), 1, 100],
];

const DECIMALS = endsIn('price', 'amount', 'cost', 'fee', 'balance', 'salary', 'sub~total', 'total', 'tax', 'decimal', 'money', '(?:tax|exchange|interest) rate', 'discount', 'price per [a-z]+'); // prettier-ignore

export const namesNumberText = readNames((said) => WHOLES.test(said) || DECIMALS.test(said));
export const namesNumber = readNames((said) => findRow(said) !== undefined && !/(?:^| )ids?$/.test(said));
const WHOLES = endsIn('quantity', 'qty', 'count', 'age', 'year');

export function makeNumberText(making: ValueMaking): string {
  const { said, draw } = making;
  if (WHOLES.test(said)) return String(makeNumber({ ...making, type: 'integer', rules: {} }));
  const { from, to } = findUsual(said, false) ?? { from: 1, to: 500 };
  return draw().number.float({ min: from, max: to, fractionDigits: 2 }).toFixed(2);
}

export function makeNumber(making: ValueMaking): number | undefined {
  const { rules, type, draw, said } = making;
  const isCounted = WHOLES.test(said) && Number.isInteger(rules['example'] ?? 1);
  const isInteger = type === 'integer' || rules['format'] === 'int32' || rules['format'] === 'int64' || isCounted;
  const shown = typeof rules['example'] === 'number' ? rules['example'] : undefined;
  const step = typeof rules['multipleOf'] === 'number' ? rules['multipleOf'] : 0;
  const places = isInteger ? 0 : Math.max(2, /\.(\d+)$/.exec(String(shown ?? ''))?.[1]?.length ?? 0);
  const { from, to } = findRange(said === 'age' && isOfPet(making) ? 'age of pet' : said, isInteger, shown);
  // A step as long as the usual range would leave one or two numbers.
  const range = fitRange({ from, to: Math.max(to, from + FEW * step) }, rules, isInteger ? 1 : 10 ** -places);
  if (range === undefined) return undefined;
  if (step > 0) {
    const [first, last] = [Math.ceil(range.from / step - EPSILON), Math.floor(range.to / step + EPSILON)];
    if (first > last || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined;
    return timesStep(draw().number.int({ min: first, max: last }), step);
  }
  if (!isInteger) return draw().number.float({ min: range.from, max: range.to, fractionDigits: places });
  const [min, max] = [Math.ceil(range.from), Math.floor(range.to)];
  return min <= max ? draw().number.int({ min, max }) : undefined;
}

function findRange(said: string, isInteger: boolean, shown: number | undefined): Range {
  const usual = findUsual(said, isInteger);
  if (shown === undefined || shown === 0) return usual ?? { from: 1, to: 1000 };
  if (usual !== undefined && usual.from <= shown && shown <= usual.to) return usual;
  const spread = Math.max(Math.abs(shown) / 2, isInteger ? FEW : 0);
  const from = shown > 0 ? Math.max(shown - spread, isInteger ? 1 : 0) : shown - spread;
  return { from, to: shown + spread };
}

function findUsual(said: string, isInteger: boolean): Range | undefined {
  const [, from, to, fractions] = findRow(said) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return isInteger || fractions === undefined ? { from, to } : fractions;
}

const findRow = readNames((said) => RANGES.find(([pattern]) => pattern.test(said)));

function fitRange(usual: Range, rules: SchemaObject, unit: number): Range | undefined {
  const least = readBound(rules['minimum'], rules['exclusiveMinimum'], unit);
  const most = readBound(rules['maximum'], rules['exclusiveMaximum'], -unit);
  const range = { from: Math.max(usual.from, least ?? -Infinity), to: Math.min(usual.to, most ?? Infinity) };
  if (range.from <= range.to) return range;
  const span = usual.to - usual.from;
  const bound = { from: least ?? (most ?? 0) - span, to: most ?? (least ?? 0) + span };
  return bound.from <= bound.to ? bound : undefined;
}

/** In OpenAPI 3.0 the exclusive bound is a boolean beside the bound. */
function readBound(bound: unknown, exclusive: unknown, unit: number): number | undefined {
  const above = (each: number): number => addExactly(each, unit);
  if (typeof exclusive === 'number')
    return typeof bound === 'number' ? (unit > 0 ? Math.max : Math.min)(bound, above(exclusive)) : above(exclusive);
  if (typeof bound !== 'number') return undefined;
  return exclusive === true ? above(bound) : bound;
}

const EPSILON = 1e-9;
const FEW = 9;
