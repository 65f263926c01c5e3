import type { DelayRange } from '../world/delay-range.js';

/** When in an exchange a fault strikes. */
export type FaultPosition =
  /** In place of the operation: nothing is judged, nothing is stored. */
  | 'before'
  /** Once the operation has run: what it stored stays, and the client is told otherwise. */
  | 'after';

/** A rule that breaks or delays answers on purpose. */
export interface Fault {
  /** The operation it strikes, such as `'createPet'`. Default: every operation. */
  operationId?: string;
  /** What else has to be so. Default: nothing. */
  when?: FaultCondition;
  /** What happens. */
  effect: FaultEffect;
  /** Default: `'after'` for what spoils an answer and for a condition on its status, else `'before'`. */
  at?: FaultPosition;
  /** How often it strikes; then it is spent. Default: without end. */
  times?: number;
  /** The share of the exchanges that it strikes, above 0 up to 1. Default: 1, each. */
  rate?: number;
  /** With a `rate`: the same seed strikes the same exchanges, counted from the fault's first. Default: 1. */
  seed?: number;
}

/** All of what is named has to be so. */
export interface FaultCondition {
  method?: string;
  /** The path below the base path, as it was sent: `/pets/7`. */
  path?: string;
  /** Query parameters with these values. */
  query?: Readonly<Record<string, string>>;
  /** Header fields with these values, whatever the case of their names. */
  headers?: Readonly<Record<string, string>>;
  /** Fields at the top of a JSON body with these values. */
  body?: Readonly<Record<string, unknown>>;
  /**
   * The status of the operation's own answer. Default: a fault that strikes
   * after the operation strikes answers below 400, since a refused request has changed nothing.
   */
  status?: number;
}

/** Each may be delayed too. */
export type FaultEffect = (StatusEffect | SpoiledEffect | { delay: number | DelayRange }) & {
  /** How long to hold back, in milliseconds: always the same, or anew from a range. Default: 0. */
  delay?: number | DelayRange;
};

/** An answer with a valid Error body. */
export interface StatusEffect {
  /** From 400 to 599. */
  status: number;
  /** The Error body's `code`. Default: the one that the mock uses for this status. */
  code?: string;
  /** The Error body's `message`. Default: one that says that it is on purpose. */
  message?: string;
  /** The `Retry-After` header, in seconds. Default: none. */
  retryAfter?: number;
}

/** An answer that no client should have to read. `before` the operation it is the contract's example that is spoiled. */
export type SpoiledEffect =
  /** The connection is reset instead of an answer. */
  | { reset: true }
  /** The connection ends in the middle of the body. */
  | { truncate: true }
  /** The body is no JSON. */
  | { invalidJson: true }
  /** The body is JSON that breaks the contract. */
  | { breakContract: true };

/** A fault in its world. */
export interface PlantedFault extends Fault {
  /** Given by the world, never twice: `fault-1`. */
  id: string;
  /** How many exchanges it has struck. */
  hits: number;
}

const EFFECTS = ['status', 'reset', 'truncate', 'invalidJson', 'breakContract'] as const;

/** What a fault does apart from delaying. */
export type EffectKind = (typeof EFFECTS)[number];

/** What it does apart from delaying; `undefined` when that is all. */
export function kindOf(effect: FaultEffect): EffectKind | undefined {
  return EFFECTS.find((kind) => kind in effect);
}

const SPOILS = new Set<EffectKind | undefined>(['truncate', 'invalidJson', 'breakContract']);

export function positionOf({ at, when, effect }: Fault): FaultPosition {
  return at ?? (when?.status !== undefined || SPOILS.has(kindOf(effect)) ? 'after' : 'before');
}
