import { createRequire } from 'node:module';
import type * as FakerModule from '@faker-js/faker';
import type { Faker } from '@faker-js/faker';
import { createRandom } from '../world/clock.js';
import { digest } from '../store/make-keys.js';
import type { Wanted } from '../../contract/samples/sample.js';

export type Draw = () => Faker;

let shared: Faker | undefined;
let source: () => number = () => 0;

/** The same values for the same text. Faker is loaded when the first value is drawn, and is not the one that a user may have. */
export function createDraw(of: string): Draw {
  let random: (() => number) | undefined;
  return () => {
    source = random ??= createRandom(parseInt(digest(of).slice(0, 8), 16));
    return (shared ??= loadFaker());
  };
}

function loadFaker(): Faker {
  // `require` keeps this synchronous.
  const { Faker: FakerClass, en, base } = createRequire(import.meta.url)('@faker-js/faker') as typeof FakerModule;
  return new FakerClass({ locale: [en, base], randomizer: { next: () => source(), seed: () => {} } });
}

export interface ValueMaking extends Wanted {
  draw: Draw;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  said: string;
  /** Whom the object around it is about: name, mail address and user name belong together. */
  person: () => Person;
}

export type Person = { first: string; last: string };

/** Makes a text; `undefined` where none fits what is around it. */
export type MakeText = (making: ValueMaking) => string | undefined;

export function drawPerson(draw: Draw): Person {
  return { first: draw().person.firstName(), last: draw().person.lastName() };
}

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

/**
 * The words of a name, in lower case and apart, without a number at its end: `startsAt`, `starts_at` and `StartsAt2`
 * become `starts at`. What looks for a word in it finds no part of one: `description` does not end in `on`.
 */
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

/** Words of which the first means no more than the second: where one thing begins, and where it ends. */
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

/** Between which values of the same object a value of this name must lie: an end is not before its start. */
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
