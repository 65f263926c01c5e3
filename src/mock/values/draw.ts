import { createRequire } from 'node:module';
import type * as FakerModule from '@faker-js/faker';
import type { Faker } from '@faker-js/faker';
import { createRandom } from '../world/clock.js';
import { digest } from '../store/make-keys.js';
import type { Wanted } from '../../contract/samples/sampling.js';

/** Gives Faker, which draws from a sequence of its own. */
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

/** A value that is wanted, and what it is made with. */
export interface ValueMaking extends Wanted {
  draw: Draw;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  /** The words of its name. */
  said: string;
  /** Whom the object around it is about: name, mail address and user name belong together. */
  person: () => Person;
}

export interface Person {
  first: string;
  last: string;
}

/** Makes a text; `undefined` where none fits what is around it. */
export type MakeText = (making: ValueMaking) => string | undefined;

export function drawPerson(draw: Draw): Person {
  return { first: draw().person.firstName(), last: draw().person.lastName() };
}
