import type { Wanted } from '../../contract/samples/sampling.js';
import type { Draw } from './draw.js';

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
