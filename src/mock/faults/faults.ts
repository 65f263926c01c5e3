import { copyJson, printJson, parseJsonBytes } from '../../contract/document/json.js';
import { createRandom, type DelayRange } from '../world/clock.js';
import type { GivenAnswer } from '../response/write-response.js';
import type { ApiRequest, Operation } from '../../contract/model.js';

export class FaultPlan {
  readonly #start: readonly Fault[];
  readonly #random: () => number;
  #rules: PlantedRule[] = [];
  #lastId = 0;

  constructor(start: readonly Fault[], random: () => number) {
    this.#start = start;
    this.#random = random;
    this.reset();
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  get size(): number {
    return this.#rules.length;
  }

  add(fault: Fault): PlantedFault {
    const rule = this.#plant(fault, false);
    this.#rules.push(rule);
    return describe(rule);
  }

  list(): PlantedFault[] {
    return this.#rules.map(describe);
  }

  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  clear(): void {
    this.#rules = [];
  }

  reset(): void {
    this.#lastId = 0;
    this.#rules = this.#start.map((fault) => this.#plant(fault, true));
  }

  save(): SavedFaults {
    return { lastId: this.#lastId, start: this.#start, rules: this.#rules.map(saveRule) };
  }

  /** Replaces all faults by saved ones, except those that `fits` rejects, which it returns; its own start stays. */
  load({ lastId, start, rules }: SavedFaults, fits: (fault: Fault) => boolean = () => true): PlantedFault[] {
    const isSameStart = printJson(start) === printJson(this.#start);
    this.#lastId = lastId;
    this.#rules = isSameStart ? [] : this.#start.map((fault) => this.#plant(fault, true));
    const others = rules.filter(({ isOfStart }) => isSameStart || !isOfStart).map(loadRule);
    this.#rules.push(...others.filter(({ fault }) => fits(fault)));
    return others.filter(({ fault }) => !fits(fault)).map(describe);
  }

  count(all: readonly (readonly [id: string, hits: number, draws: number])[]): void {
    this.#rules = this.#rules.map((rule) => {
      const [, hits = rule.hits, draws = rule.draws] = all.find(([id]) => id === rule.id) ?? [];
      return hits === rule.hits && draws === rule.draws ? rule : loadRule({ ...saveRule(rule), hits, draws });
    });
  }

  strike(position: FaultPosition, struck: Struck): FaultHit | undefined {
    let hit: FaultHit | undefined;
    for (const rule of this.#rules) {
      if (rule.position !== position || !applies(rule, struck)) continue;
      const { effect, rate } = rule.fault;
      const { delay } = effect;
      const isMore = kindOf(effect) !== undefined;
      // A response cannot be broken twice; the later fault waits for the next exchange.
      if (isMore && hit?.effect !== undefined) continue;
      if (rate !== undefined) {
        rule.draws += 1;
        if (rule.random() >= rate) continue;
      }
      rule.hits += 1;
      hit ??= { ids: [], delay: 0, effect: undefined };
      hit.ids.push(rule.id);
      hit.delay += typeof delay === 'object' ? delay.from + this.#random() * (delay.to - delay.from) : (delay ?? 0);
      if (isMore) hit.effect = effect;
    }
    return hit;
  }

  #plant(given: Fault, isOfStart: boolean): PlantedRule {
    this.#lastId += 1;
    return loadRule({ id: `fault-${this.#lastId}`, fault: copyJson(given), hits: 0, draws: 0, isOfStart });
  }
}

export interface SavedFaults {
  lastId: number;
  start: readonly Fault[];
  rules: readonly { id: string; fault: Fault; hits: number; draws: number; isOfStart: boolean }[];
}

const DEFAULT_SEED = 1;

function loadRule(saved: SavedFaults['rules'][number]): PlantedRule {
  const { at, when, effect, seed = DEFAULT_SEED } = saved.fault;
  const position = at ?? (when?.status !== undefined || SPOILS.has(kindOf(effect)) ? 'after' : 'before');
  const random = createRandom(seed);
  for (let drawn = 0; drawn < saved.draws; drawn++) random();
  return { ...saved, position, random };
}

const saveRule = ({ id, fault, hits, draws, isOfStart }: PlantedRule) => ({ id, fault, hits, draws, isOfStart });

const describe = ({ id, fault, position, hits }: PlantedRule) => ({ id, ...copyJson(fault), at: position, hits });

/** When in an exchange a fault strikes. */
export type FaultPosition =
  /** Instead of the operation: nothing is validated or stored. */
  | 'before'
  /** After the operation: what it stored stays stored, but the client gets a different answer. */
  | 'after';

export interface Fault {
  /** The operation it strikes, such as `'createPet'`. Default: every operation. */
  operationId?: string;
  /** Further conditions. Default: none. */
  when?: FaultCondition;
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

export interface FaultCondition {
  method?: string;
  /** The path below the base path, as sent: `/pets/7`. */
  path?: string;
  query?: Readonly<Record<string, string>>;
  /** Header fields with these values; the case of names does not matter. */
  headers?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /** The status of the operation's own response. Default, if the fault strikes after the operation: below 400. */
  status?: number;
}

export type FaultEffect = (StatusEffect | AnswerEffect | SpoiledEffect | { delay: number | DelayRange }) & {
  /** The delay in milliseconds: a fixed one, or a random one from a range. Default: 0. */
  delay?: number | DelayRange;
};

export interface StatusEffect {
  status: number;
  /** The Error body's `code`. Default: the mock's own for this status. */
  code?: string;
  /** The Error body's `message`. Default: a message that says the error is intended. */
  message?: string;
  /** The `Retry-After` header, in seconds. Default: none. */
  retryAfter?: number;
}

export type AnswerEffect = { answer: PlantedAnswer };

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

export interface PlantedFault extends Fault {
  /** Assigned by the world, never reused: `fault-1`. */
  id: string;
  hits: number;
}

const EFFECTS = ['status', 'answer', 'reset', 'truncate', 'invalidJson', 'breakContract'] as const;

export type EffectKind = (typeof EFFECTS)[number];

export const kindOf = (effect: FaultEffect): EffectKind | undefined => EFFECTS.find((kind) => kind in effect);
const SPOILS = new Set<EffectKind | undefined>(['truncate', 'invalidJson', 'breakContract']);

export interface FaultHit {
  ids: string[];
  /** How long to hold back, in milliseconds. */
  delay: number;
  effect: FaultEffect | undefined;
}

export type Struck = { request: ApiRequest; operation: Operation; path: string; status: number | undefined };
type PlantedRule = SavedFaults['rules'][number] & { position: FaultPosition; random: () => number };

function applies({ fault, position, hits }: PlantedRule, struck: Struck): boolean {
  if (fault.times !== undefined && hits >= fault.times) return false;
  if (fault.operationId !== undefined && fault.operationId !== struck.operation.id) return false;
  const { method, path, query, headers, body, status: wanted } = fault.when ?? {};
  const { request, status } = struck;
  if (position === 'after' && (wanted === undefined ? (status ?? 0) >= 400 : wanted !== status)) return false;
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path !== undefined && path !== struck.path) return false;
  const sent = query === undefined ? undefined : new URLSearchParams(request.query);
  return (
    Object.entries(query ?? {}).every(([name, value]) => sent?.getAll(name).includes(value)) &&
    Object.entries(headers ?? {}).every(([name, value]) => request.headers[name.toLowerCase()] === value) &&
    (body === undefined || hasFields(request, body))
  );
}

function hasFields({ body }: ApiRequest, wanted: Readonly<Record<string, unknown>>): boolean {
  const parsed = body === undefined ? undefined : parseJsonBytes(body);
  if (parsed?.ok !== true || typeof parsed.value !== 'object' || parsed.value === null) return false;
  const sent = parsed.value as Record<string, unknown>;
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(sent, name) && printJson(sent[name]) === printJson(value),
  );
}
