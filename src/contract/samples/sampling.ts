import type { SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import type { Dialect } from '../schemas/dialect.js';
import type { Mark } from '../schemas/direction.js';
import { allowedNothing } from '../schemas/keywords.js';
import type { SchemaObject } from '../model.js';

/** A scalar that is wanted, and what stands around it. */
export interface Wanted {
  /** The name of its property; in a list, of one of its items. */
  name: string;
  /** What the object around it is called. */
  subject: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  rules: SchemaObject;
  patterns: readonly string[];
  /** The object that it will be in, as far as it is made. */
  holder: Readonly<Record<string, unknown>>;
  /** The names of all properties there. */
  siblings: readonly string[];
}

/** Makes a value by its name; `undefined` where that says nothing. */
export type ValueMaker = (wanted: Wanted) => unknown;

export interface SampleOptions {
  /** Which of several possible values to take, such as those of an enumeration. Default: 0, the first. */
  index?: number;
  /** The time for dates and times, milliseconds since 1970-01-01T00:00:00Z. Default: the start of 2026. */
  now?: number;
  /** Whether to include optional properties, as far as they end. Default: `false`. */
  optional?: boolean;
  /** Properties with this mark are left out. Default: none are. */
  without?: Mark | undefined;
  /** Whether to ignore the values that the contract gives as examples. Default: `false`. */
  generated?: boolean;
  /** Whether each index needs a text of its own, as keys do, rather than a short one. Default: `false`. */
  isKey?: boolean;
  /**
   * Judges a value by the schema at a pointer, so that the first valid one of several is taken. Default: every value is
   * valid.
   */
  accepts?: (pointer: string, value: unknown) => boolean;
  /** Told where an example or a default stands that its own schema does not accept. Default: nobody is. */
  onBroken?: ((pointer: string) => void) | undefined;
  /** Makes scalars by their names. Default: they are plain values of their type. */
  make?: ValueMaker | undefined;
  /** What the value is called, and what it stands in. Default: nothing. */
  place?: Place | undefined;
  /** Which several calls may share. Default: as {@link createBudget} gives it. */
  budget?: Budget;
}

/** Schemas that contain each other describe values without an end, and ways to make them without a number. */
export interface Budget {
  /** How many values may still be made; texts count by their length. */
  left: number;
  /** How many values may still be judged; afterwards the first way counts as the right one. */
  judgements: number;
}

/** What the name of a value is, and what it stands in. */
export type Place = Pick<Wanted, 'name' | 'subject' | 'holder' | 'siblings'>;

export const NOWHERE: Place = { name: '', subject: '', holder: {}, siblings: [] };

export function createBudget(): Budget {
  return { left: MAX_VALUES, judgements: MAX_JUDGEMENTS };
}

export interface Sampling extends Required<Omit<SampleOptions, 'without' | 'make' | 'onBroken'>> {
  without: Mark | undefined;
  make: ValueMaker | undefined;
  onBroken: ((pointer: string) => void) | undefined;
  place: Place;
  document: SourceDocument;
  dialect: Dialect;
  /** The pointers of the enclosing schemas. */
  above: readonly (readonly string[])[];
  /** Set if a value must differ from others. */
  variant: number | undefined;
  /** A value that all schemas at these pointers should allow; {@link FAILED} if there is none. */
  sample(pointers: readonly string[], sampling: Sampling): unknown;
}

/** Returned if no value was found. */
export const FAILED = Symbol('no value');

/** Below this depth, a schema that contains itself ends. */
export const MAX_DEPTH = 8;
/** Down to this depth, optional properties are filled in. */
const OPTIONAL_DEPTH = 5;
/** A schema may require a billion items, or contain itself ten times over. */
const MAX_VALUES = 10_000;
const MAX_JUDGEMENTS = 500;
/** The share that may be spent on optional parts. */
const OPTIONAL_VALUES = 600;

/** Whether to make optional parts here. */
export function fillsOptional({ optional, above, budget }: Sampling): boolean {
  return optional && above.length <= OPTIONAL_DEPTH && budget.left > MAX_VALUES - OPTIONAL_VALUES;
}

/** Whether a schema contains itself here. */
export function isAround(pointers: readonly string[], sampling: Sampling): boolean {
  const own = locateAll(pointers, sampling);
  return sampling.above.some((level) => level.some((pointer) => own.includes(pointer)));
}

/** Whether optional parts are better left out, since other attempts may find no valid value. */
export function isHopeless(pointers: readonly string[], { document }: Sampling): boolean {
  return pointers.some((pointer) => allowedNothing(resolveAt(document, pointer).value));
}

/** The actual places of the schemas at pointers. */
export function locateAll(pointers: readonly string[], { document }: Sampling): string[] {
  return pointers.map((pointer) => resolveAt(document, pointer).pointer);
}
