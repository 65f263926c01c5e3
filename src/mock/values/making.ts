import { createRequire } from 'node:module';
import type * as FakerModule from '@faker-js/faker';
import type { Faker } from '@faker-js/faker';
import { createRandom } from '../world/clock.js';
import { digest } from '../store/kept.js';
import type { Wanted } from '../../contract/samples/sample.js';
import type { SchemaObject } from '../../contract/model.js';

const CHANGE =
  /^(?:date )?(?:last )?(?:updated?|modified|changed?|edited|modification|revised)(?: (?:at|on|date|time|timestamp|ts|utc))*$/;

const AT_THE_END = '(?: (?:at|on|date|time|timestamp|utc))+$';

const OUTCOME = new RegExp(
  `(?:^| )(?:delet|remov|archiv|clos|finish|complet|cancel|paid|ship|deliver|end|revok|suspend|publish|verif|confirm|approv|reject|resolv|deceas|terminat|deactivat|disabl|banned|refund|expired)[a-z]*${AT_THE_END}`,
);

const PLANNED = new RegExp(
  `(?:^| )(?:end|ends|ending|closes|closing|expires?|expiry|expiration|due|deadline)${AT_THE_END}`,
);

const OF_PLACE =
  /(?:^| )(?:look|looks|locate[ds]?|works?|employed|hosted|studie[ds]|base[ds]|depend[s]?|relies|focus(?:es|ed)|turn(?:s|ed)?|runs?|worked|placed|mounted|acts?|listens?|points?) (?:at|on)$/;

const OF_LENGTH =
  /(?:^| )(?:prep|preparation|cook|cooking|read|reading|response|lead|run|up|down|travel|total|wait|waiting|full|part|real|over|life|processing|execution|elapsed|play|screen|flight|cpu|idle|turnaround|cycle|transit|average|avg|max|min|maximum|minimum|bake|driving|dwell|build|load|handling|hold|talk|cache|retention|of) time$/;

const EVENT_AT =
  /(?:[a-z] at|(?:^| )(?:[a-z]+ed|sent|paid|begun|held|sold|born|read|seen|won|lost|made|done|opens?|[a-z]+s) on)$/;

const NAMED = endsIn(
  'date|date~time|time~stamp|date utc|time utc|birth~day|dob|dead~line(?: utc)?|date of [a-z]+|date [a-z]+ed',
  'last (?:updated|modified|changed|edited|seen|login|active|activity|run|used|accessed|visited)',
);
const WHOLE_NUMBER = /^(?:created|updated|modified)$/;
const WHOLE =
  /^(?:created|updated|modified|(?:valid |effective )from|(?:valid |effective )?(?:until|since)|(?:valid|effective) to|expires|expiry|expiration|(?:period |event )?(?:start|end|starts|ends))$/;

export const isTimeOfChange = readNames((name) => CHANGE.test(splitName(name)));
export const isTimeOfOutcome = readNames((name) => OUTCOME.test(splitName(name)) && !PLANNED.test(splitName(name)));
export const isTimeOfEnd = readNames((name) => isTimeOfOutcome(name) || PLANNED.test(splitName(name)));

function namesTime(said: string): boolean {
  if (OF_PLACE.test(said) || OF_LENGTH.test(said)) return false;
  return EVENT_AT.test(said) || NAMED.test(said) || / time$|^time$/.test(said);
}

export const isTimeText = readNames((name) => namesTime(splitName(name)) || WHOLE.test(splitName(name)));
const isTimeNumber = readNames((name) => namesTime(splitName(name)) || WHOLE_NUMBER.test(splitName(name)));

/** The hours of a day: a shop opens at 09:00. */
export const isTimeOfDay = readNames((name) =>
  /^(?:opens?|opening|closes?|closing)(?: ?time| at)?$/.test(splitName(name)),
);

const AS_IN_MAILS = /rfc-?(?:822|1123|2822|5322)/i;

/** The time in the form of a property with this name and schema; `undefined` if the property is not a time. */
export function stampTime(name: string, schema: SchemaObject, now: number): string | number | undefined {
  const types = [schema['type']].flat();
  const { format, example } = schema;
  if (schema['enum'] !== undefined) return undefined;
  const isExact = format === 'date-time' || format === 'date' || format === 'time';
  if (isExact && (types.includes('string') || schema['type'] === undefined))
    return likeExample(new Date(now).toISOString(), EXACT.test(String(example)) ? example : undefined, format);
  if (types.includes('string')) return stampText(name, schema, now);
  if (!types.includes('integer')) return undefined;
  if (!isExact && format !== 'unix-time' && !isTimeNumber(name)) return undefined;
  return Number(example ?? 0) > 1e11 ? now : Math.floor(now / 1000);
}

function stampText(name: string, schema: SchemaObject, now: number): string | undefined {
  const { format, example, pattern } = schema;
  const formText = typeof format === 'string' ? format : '';
  if (AS_IN_MAILS.test(formText)) return new Date(now).toUTCString();
  const form = typeof example === 'string' ? readForm(example) : undefined;
  const isOther = typeof example === 'string' && form === undefined;
  const isNamed = pattern === undefined && !KNOWN_FORMATS.has(formText) && (isTimeText(name) || isTimeOfDay(name));
  if (isOther || (!isNamed && (form === undefined || form === 'digits' || formText !== ''))) return undefined;
  const date = new Date(now);
  if (form === 'email') return date.toUTCString();
  if (form === 'hours' || (form === undefined && isTimeOfDay(name))) return date.toISOString().slice(11, 16);
  if (form === 'month') return date.toISOString().slice(0, 7);
  if (form === 'digits') return String(Math.floor(now / (String(example).length > 11 ? 1 : 1000)));
  return likeExample(date.toISOString(), example, form ?? 'date-time');
}

const KNOWN_FORMATS = new Set([
  'email', 'uri', 'url', 'hostname', 'ipv4', 'ipv6', 'uuid', 'byte', 'binary', 'password', 'duration', 'regex', 'json-pointer', 'uri-reference',
]); // prettier-ignore

type Form = 'month' | 'date' | 'date-time' | 'time' | 'hours' | 'email' | 'digits';

function readForm(example: string): Form | undefined {
  if (/^\d{4}-(?:0\d|1[0-2])$/.test(example)) return 'month';
  if (/^\d{4}-\d\d-\d\d$/.test(example)) return 'date';
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(example)) return 'date-time';
  if (/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} /.test(example)) return 'email';
  if (/^\d\d:\d\d$/.test(example)) return 'hours';
  return /^1\d{9}(?:\d{3})?$/.test(example) ? 'digits' : undefined;
}

/** RFC 3339 section 5.6. */
const EXACT = /^(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function likeExample(iso: string, example: unknown, form: string): string {
  if (form === 'date') return iso.slice(0, 10);
  const whole = form === 'time' ? iso.slice(11) : iso;
  if (typeof example !== 'string' || /\.\d{3}/.test(example)) return whole;
  const plain = /:\d\d:\d\d/.test(example) ? whole.replace(/\.\d+Z$/, 'Z') : whole;
  const spaced = /^\d{4}-\d\d-\d\d /.test(example) ? plain.replace('T', ' ') : plain;
  return /Z$|[+-]\d\d:?\d\d$/.test(example) ? spaced : spaced.replace(/(?:\.\d+)?Z$/, '');
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const BIRTH = has('birth', 'birth~day', 'born', 'dob', 'birth~date');
const ENDS = has('due', 'expir[a-z]*', 'until', 'till', 'ends?', 'ending', 'dead~line', 'arrival', 'arrives?', 'check~out', 'valid to', 'return', 'closes?'); // prettier-ignore
const STARTS = has('departure', 'departs?', 'starts?', 'starting', 'begins?', 'valid from', 'scheduled?', 'next', 'check~in', 'from'); // prettier-ignore
const CREATION = endsIn('created', 'creation', 'joined', 'registered', 'added', 'inserted', 'opened');

const SPANS = has('period', 'range', 'interval', 'holiday', 'absence', 'leave', 'vacation', 'availability', 'shift', 'schedule', 'validity', 'days'); // prettier-ignore

/** A time around today: births long ago, creations before changes, starts before ends. `undefined` if none is meant. */
export function makeTime(making: ValueMaking): string | number | undefined {
  const { name, rules, type, draw, now, said } = making;
  if (type === 'boolean') return undefined;
  const named =
    (making.said === 'from' || making.said === 'to') &&
    [making.subject, ...making.siblings].some((each) => SPANS.test(splitName(each)))
      ? 'startsAt'
      : name;
  const schema = { ...rules, type };
  if (stampTime(named, schema, now) === undefined) return undefined;
  const day = isTimeOfDay(name) ? undefined : drawDays(making);
  const hours = said.startsWith('clos') ? { min: 17, max: 22 } : { min: 7, max: 10 };
  const minutes = isTimeOfDay(name) ? 60 * draw().number.int(hours) : draw().number.int({ min: 0, max: 1439 });
  const time = now + (day ?? 0) * DAY_MS + minutes * MINUTE_MS;
  return stampTime(named, schema, keepBetween(time, making));
}

function drawDays({ said, name, draw }: ValueMaking): number {
  if (BIRTH.test(said)) return -draw().number.int({ min: 7000, max: 22_000 });
  if (ENDS.test(said) || said === 'to') return draw().number.int({ min: 31, max: 60 });
  if (STARTS.test(said)) return draw().number.int({ min: 1, max: 30 });
  if (isTimeOfChange(name)) return -draw().number.int({ min: 1, max: 14 });
  return CREATION.test(said.replace(/ (?:at|on|date|time|utc)$/, '').replace(/^date /, ''))
    ? -draw().number.int({ min: 60, max: 365 })
    : -draw().number.int({ min: 15, max: 59 });
}

function keepBetween(time: number, { name, holder, draw }: ValueMaking): number {
  const { least, most } = findBetween(name, holder);
  const [from, to] = [readTime(least), readTime(most)];
  const apart = draw().number.int({ min: 1, max: 7 }) * DAY_MS;
  if (from !== undefined && time < from) return from + apart;
  return to !== undefined && time > to ? to - apart : time;
}

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 1e8) return value > 1e11 ? value : value * 1000;
  const time = typeof value === 'string' && /^\d{4}-|^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

export type Draw = () => Faker;

let shared: Faker | undefined;
let source: () => number = () => 0;

/** The same values for the same text. Faker is loaded when the first value is drawn, and is not the one that a user may have. */
export function createDraw(of: string): Draw {
  let random: (() => number) | undefined;
  return () => {
    source = random ??= createRandom(parseInt(digest(of).slice(0, 8), 16));
    // `require` keeps this synchronous.
    const { Faker: FakerClass, en, base } = createRequire(import.meta.url)('@faker-js/faker') as typeof FakerModule;
    return (shared ??= new FakerClass({ locale: [en, base], randomizer: { next: () => source(), seed: () => {} } }));
  };
}

export interface ValueMaking extends Wanted {
  draw: Draw;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  said: string;
  person: () => Person;
}

export type Person = { first: string; last: string };
export type MakeText = (making: ValueMaking) => string | undefined;

export const drawPerson = (draw: Draw) => ({ first: draw().person.firstName(), last: draw().person.lastName() });

const MOST_KNOWN = 10_000;

/** What is read of a name, once for each: a list asks for the same few names thousands of times. */
export function readNames<Read>(read: (name: string) => Read): (name: string) => Read {
  const known = new Map<string, { read: Read }>();
  return (name) => {
    const found = known.get(name) ?? { read: read(name) };
    if (known.size === MOST_KNOWN) known.clear();
    known.set(name, found);
    return found.read;
  };
}

/** The words of a name in lower case, without a number at its end: `startsAt` and `StartsAt2` become `starts at`. */
export const splitName = readNames(split);

function split(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d+)$/u, '$1')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.replace(/ \d+$/, '');
}

/** A pattern for names that end in one of these words or phrases; `~` stands between words that may be written as one. */
export function endsIn(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${phrases.join('|').replaceAll('~', ' ?')})s?$`);
}

export function has(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${phrases.join('|').replaceAll('~', ' ?')})s?(?: |$)`);
}

const PAIRS: readonly (readonly [low: string, high: string])[] = [
  [
    'start starts starting started begin begins begun',
    'end ends ending ended finish finishes finished stop stops stopped',
  ],
  ['from since', 'to until till through thru'],
  ['min minimum least', 'max maximum most'],
  ['low lower lowest', 'high upper highest'],
  ['created creation create', 'updated modified changed update modify modification'],
  ['open opens opening opened', 'close closes closing closed'],
  ['departure departs departed', 'arrival arrives arrived'],
  ['in checkin', 'out checkout'],
  ['earliest first', 'latest last'],
  ['issued issue invoice placed ordered', 'due expires expiry expiration delivered shipped'],
];

const SIDES = new Map<string, { pair: number; isHigh: boolean }>();
for (const [pair, [low, high]] of PAIRS.entries()) {
  for (const word of low.split(' ')) SIDES.set(word, { pair, isHigh: false });
  for (const word of high.split(' ')) SIDES.set(word, { pair, isHigh: true });
}

/** Words that only say of what kind the value is: `startDate` belongs to `endsAt`. */
const KIND = new Set(['at', 'on', 'date', 'time', 'timestamp', 'datetime', 'utc', 'the']);

type Side = { stem: string; isHigh: boolean };

const readSide = readNames((name): Side | undefined => {
  const words = splitName(name).split(' ');
  const at = words.findIndex((word) => SIDES.has(word));
  const side = SIDES.get(words[at] ?? '');
  if (side === undefined) return undefined;
  const others = words.filter((word, index) => index !== at && !KIND.has(word));
  return { stem: [side.pair, ...others].join(' '), isHigh: side.isHigh };
});

type Between = { least: unknown; most: unknown };

export function findBetween(name: string, holder: Readonly<Record<string, unknown>>): Between {
  const own = readSide(name);
  if (own === undefined) return { least: undefined, most: undefined };
  const other = Object.keys(holder).find((each) => {
    const side = readSide(each);
    return side?.stem === own.stem && side.isHigh !== own.isHigh;
  });
  const value = other === undefined ? undefined : holder[other];
  return own.isHigh ? { least: value, most: undefined } : { least: undefined, most: value };
}
