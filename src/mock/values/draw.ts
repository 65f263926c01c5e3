import { createRequire } from 'node:module';
import type * as FakerModule from '@faker-js/faker';
import type { Faker } from '@faker-js/faker';
import { createRandom } from '../world/random.js';
import { digest } from '../store/make-keys.js';

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
