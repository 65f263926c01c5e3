import type { ValueMaker, Wanted } from '../../contract/samples/sample.js';
import { isJsonNumber, isWhole } from '../../contract/numbers/decimal.js';
import { nameSingular } from '../../contract/resources/words.js';
import { UNREAD_PATTERN } from '../../contract/schemas/dialect.js';
import { createContractPattern } from '../../contract/schemas/pattern.js';
import {
  findBetween,
  endsIn,
  has,
  readNames,
  splitName,
  createDraw,
  type Draw,
  drawPerson,
  type ValueMaking,
  type MakeText,
  type Person,
} from './making.js';
import { makeNumber, makeNumberText, namesNumber, namesNumberText } from './numbers.js';
import { FORMATS, TEXTS } from './texts.js';
import { isTimeOfDay, isTimeText, stampTime, makeTime } from './times.js';

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
    const shown = index === 0 ? listShown(wanted).find((each) => isAllowed(each, wanted)) : undefined;
    if (shown !== undefined) return shown;
    return isSparing && !isTelling(making) ? undefined : makeOne(making, index);
  };
}

/** What the contract itself shows of a scalar; the default of what may be left out is null, which shows nothing. */
function listShown({ rules: { example, examples, default: usual } }: Wanted): unknown[] {
  return [...(Array.isArray(examples) ? (examples as unknown[]) : []), example, usual ?? undefined];
}

/** The maker of what stands alone, the same for the same text: an answer without state, what only one view of a record has. */
export function createLoneMaker(of: string): ValueMaker {
  return createMaker({ draw: createDraw(of), index: 1, now: LONE_NOW, isSparing: true });
}

/** Such answers are the same on any day. */
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
  if (making.type === 'boolean') return makeFlag(making);
  if (making.type === 'string') return makeText(making, index);
  return makeNumber(bound(making));
}

function bound(making: ValueMaking): ValueMaking {
  const { least, most } = findBetween(making.name, making.holder);
  if (typeof least !== 'number' && typeof most !== 'number') return making;
  const rules = { ...making.rules };
  if (typeof least === 'number') rules['minimum'] = Math.max(least, Number(rules['minimum'] ?? least));
  if (typeof most === 'number') rules['maximum'] = Math.min(most, Number(rules['maximum'] ?? most));
  return { ...making, rules };
}

const SELDOM = has('deleted', 'archived', 'removed', 'disabled', 'blocked', 'banned', 'hidden', 'locked', 'suspended', 'cancelled', 'canceled', 'deprecated', 'expired', 'revoked', 'trashed', 'spam', 'failed', 'test', 'sandbox', 'internal', 'locked', 'muted'); // prettier-ignore
const MOSTLY = has('active', 'enabled', 'available', 'visible', 'valid', 'verified', 'open', 'success', 'ok');

function makeFlag({ said, draw }: ValueMaking): boolean {
  const share = SELDOM.test(said) ? 0.1 : MOSTLY.test(said) ? 0.85 : 0.5;
  return draw().datatype.boolean(share);
}

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

/** A format that nobody knows is a name; and in an object such as `urls`, each value is one of what it is called. */
function listNames({ said, subject, rules }: ValueMaking): string[] {
  const format = typeof rules['format'] === 'string' ? rules['format'] : '';
  const around = splitName(subject);
  return [
    ...(PLAIN.has(format) || Object.hasOwn(FORMATS, format) ? [] : [splitName(format)]),
    said,
    ...(around.endsWith('s') ? [splitName(nameSingular(around))] : []),
  ];
}

function listWays(names: readonly string[]): (readonly [MakeText, string])[] {
  return names.flatMap((said) => findRows(said).map((way) => [way, said] as const));
}

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

/** How a text is written, so that what is made by a name's rule can be told from what the contract shows. */
function formOf(text: string): string {
  return FORMS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
}

const LEAST_DIGITS = 3;

/** Another text of the example's form: with other digits, if it is a number of something; else the example. */
function varyExample(example: string, draw: Draw, allows: (text: string) => boolean): string {
  const count = example.replace(/\D/g, '').length;
  if (count < LEAST_DIGITS || /\s|:\/\/|[{}[\]<>]/.test(example)) return example;
  const varied = example.replace(/\d+/g, (digits) =>
    draw().string.numeric({ length: digits.length, allowLeadingZeros: digits.startsWith('0') }),
  );
  return allows(varied) ? varied : example;
}
