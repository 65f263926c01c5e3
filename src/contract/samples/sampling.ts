import type { SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import type { Dialect } from '../schemas/dialect.js';
import type { Mark } from '../schemas/direction.js';
import { allowedNothing } from '../schemas/keywords.js';

export interface SampleOptions {
  /** Which of several values that would do, such as those of an enumeration. Default: 0, the first. */
  index?: number;
  /** What dates and times are, milliseconds since 1970-01-01T00:00:00Z. Default: the start of 2026. */
  now?: number;
  /** Whether what is not required is there too, as far as it ends. Default: `false`. */
  optional?: boolean;
  /** Properties with this mark are left out. Default: none is. */
  without?: Mark | undefined;
  /** Whether values that the contract gives as examples are passed over. Default: `false`. */
  generated?: boolean;
  /** Judges a value by the schema at a pointer, so that of several ways the first right one is taken. Default: any is. */
  accepts?: (pointer: string, value: unknown) => boolean;
}

export interface Sampling extends Required<Omit<SampleOptions, 'without'>> {
  without: Mark | undefined;
  document: SourceDocument;
  dialect: Dialect;
  /** How many values may still be made, texts counted by their length. */
  budget: { left: number };
  /** The schemas around, by where they stand. */
  above: readonly (readonly string[])[];
  /** Set where a value has to differ from others. */
  variant: number | undefined;
  /** A value that all schemas at these pointers should allow; {@link FAILED} where there is none. */
  sample(pointers: readonly string[], sampling: Sampling): unknown;
}

/** For what no value was found. */
export const FAILED = Symbol('no value');

/** Deeper inside, what contains itself ends. */
export const MAX_DEPTH = 8;
/** How deep what is not required is filled in. */
const OPTIONAL_DEPTH = 5;
/** A schema may ask for a billion items, or contain itself ten times over. */
export const MAX_VALUES = 10_000;
/** So much of it may go to what is not required. */
const OPTIONAL_VALUES = 600;

/** Whether what is not required is to be made here. */
export function fillsOptional({ optional, above, budget }: Sampling): boolean {
  return optional && above.length <= OPTIONAL_DEPTH && budget.left > MAX_VALUES - OPTIONAL_VALUES;
}

/** Whether a schema contains itself here. */
export function isAround(pointers: readonly string[], sampling: Sampling): boolean {
  const own = locateAll(pointers, sampling);
  return sampling.above.some((level) => level.some((pointer) => own.includes(pointer)));
}

/** Whether what is not required is better left out, since others may find no value right. */
export function isHopeless(pointers: readonly string[], { document }: Sampling): boolean {
  return pointers.some((pointer) => allowedNothing(resolveAt(document, pointer).value));
}

/** Where the schemas at pointers really stand. */
export function locateAll(pointers: readonly string[], { document }: Sampling): string[] {
  return pointers.map((pointer) => resolveAt(document, pointer).pointer);
}
