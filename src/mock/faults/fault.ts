import type { GivenAnswer } from '../answer/given-answer.js';
import type { DelayRange } from '../world/delay-range.js';

/** When in an exchange a fault strikes. */
export type FaultPosition =
  /** Instead of the operation: nothing is validated or stored. */
  | 'before'
  /** After the operation: what it stored stays stored, but the client gets a different answer. */
  | 'after';

/** A rule that breaks or delays answers on purpose. */
export interface Fault {
  /** The operation it strikes, such as `'createPet'`. Default: every operation. */
  operationId?: string;
  /** Further conditions. Default: none. */
  when?: FaultCondition;
  /** What happens. */
  effect: FaultEffect;
  /** Default: `'after'` for a fault that spoils an answer or has a condition on its status, else `'before'`. */
  at?: FaultPosition;
  /** How often it strikes before it is spent. Default: without limit. */
  times?: number;
  /** The share of the exchanges that it strikes, above 0 and up to 1. Default: 1, all of them. */
  rate?: number;
  /** With a `rate`: the same seed strikes the same exchanges, counted from the first after planting. Default: 1. */
  seed?: number;
}

/** All stated conditions must hold. */
export interface FaultCondition {
  method?: string;
  /** The path below the base path, as sent: `/pets/7`. */
  path?: string;
  /** Query parameters with these values. */
  query?: Readonly<Record<string, string>>;
  /** Header fields with these values; the case of names does not matter. */
  headers?: Readonly<Record<string, string>>;
  /** Top-level fields of a JSON body with these values. */
  body?: Readonly<Record<string, unknown>>;
  /**
   * The status of the operation's own answer. Default: a fault that strikes
   * after the operation strikes only answers below 400, since a refused request changed nothing.
   */
  status?: number;
}

/** Each may have a delay as well. */
export type FaultEffect = (StatusEffect | AnswerEffect | SpoiledEffect | { delay: number | DelayRange }) & {
  /** The delay in milliseconds: a fixed one, or a random one from a range. Default: 0. */
  delay?: number | DelayRange;
};

/** An answer with a valid Error body. */
export interface StatusEffect {
  /** From 400 to 599. */
  status: number;
  /** The Error body's `code`. Default: the mock's own for this status. */
  code?: string;
  /** The Error body's `message`. Default: a message that says the error is intended. */
  message?: string;
  /** The `Retry-After` header, in seconds. Default: none. */
  retryAfter?: number;
}

/** An answer of one's own. Its fault names an operation, against which it is checked when the fault is planted. */
export interface AnswerEffect {
  answer: PlantedAnswer;
}

/** Status, header fields and body to answer with. */
export interface PlantedAnswer extends GivenAnswer {
  /** Send it although it breaks the contract. Default: such an answer is refused when it is planted. */
  readonly breaksContract?: true;
}

/** An invalid answer. `before` the operation, the spoiled answer is the contract's example. */
export type SpoiledEffect =
  /** The connection is reset instead of an answer. */
  | { reset: true }
  /** The connection closes in the middle of the body. */
  | { truncate: true }
  /** The body is not JSON. */
  | { invalidJson: true }
  /** The body is JSON that breaks the contract. */
  | { breakContract: true };

/** A planted fault. */
export interface PlantedFault extends Fault {
  /** Assigned by the world, never reused: `fault-1`. */
  id: string;
  /** How many exchanges it has struck. */
  hits: number;
}

const EFFECTS = ['status', 'answer', 'reset', 'truncate', 'invalidJson', 'breakContract'] as const;

/** The effects of a fault beside a delay. */
export type EffectKind = (typeof EFFECTS)[number];

/** The effect beside the delay; `undefined` if there is none. */
export function kindOf(effect: FaultEffect): EffectKind | undefined {
  return EFFECTS.find((kind) => kind in effect);
}

const SPOILS = new Set<EffectKind | undefined>(['truncate', 'invalidJson', 'breakContract']);

export function positionOf({ at, when, effect }: Fault): FaultPosition {
  return at ?? (when?.status !== undefined || SPOILS.has(kindOf(effect)) ? 'after' : 'before');
}
