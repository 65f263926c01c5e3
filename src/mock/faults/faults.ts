import { parseJsonBytes, printJson } from '../../contract/document/json.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { kindOf, positionOf, type Fault, type FaultEffect, type FaultPosition, type PlantedFault } from './fault.js';
import { createRandom } from '../world/random.js';
import type { DelayRange } from '../world/delay-range.js';
import { copyJson } from '../../contract/document/json.js';

/** The faults that strike an exchange at one position. */
export interface FaultHit {
  /** The faults that struck. */
  ids: string[];
  /** How long to hold back, in milliseconds. */
  delay: number;
  /** The effect beside the delay; if several faults strike, the one planted first decides. */
  effect: FaultEffect | undefined;
}

/** An exchange as the conditions of faults see it. */
export interface Struck {
  request: ApiRequest;
  operation: Operation;
  /** The path below the base path. */
  path: string;
  /** The status of the operation's own answer; `undefined` before there is one. */
  status: number | undefined;
}

/** The faults of a world. */
export interface FaultPlan {
  /** Whether there are no faults, which spares the common case a search. */
  readonly isEmpty: boolean;
  /** How many there are, including spent ones. */
  readonly size: number;
  /** Plants a checked fault. */
  add(fault: Fault): PlantedFault;
  /** In the order in which they were planted, including spent ones. */
  list(): PlantedFault[];
  /** Whether there was one. */
  remove(id: string): boolean;
  clear(): void;
  /** Restores the faults of the start, with their counts at zero. */
  reset(): void;
  /** Everything planted, including the faults of the start. */
  state(): FaultState;
  /**
   * Takes over the faults of the plan that this one replaces, with their ids and hits, except that its own start replaces
   * the previous one. Leaves out the faults that `fits` refuses, and returns them.
   */
  takeOver(before: FaultState, fits: (fault: Fault) => boolean): PlantedFault[];
  /** Determines which faults strike, and counts their hits. */
  strike(position: FaultPosition, struck: Struck): FaultHit | undefined;
}

export interface FaultState {
  start: readonly Fault[];
  rules: readonly Rule[];
  lastId: number;
}

interface Rule {
  id: string;
  fault: Fault;
  position: FaultPosition;
  random: () => number;
  hits: number;
  /** Whether it belongs to the start of the world. */
  isOfStart: boolean;
}

const DEFAULT_SEED = 1;

/** The faults of a world that begins with these; `random` picks delays. */
export function createFaultPlan(start: readonly Fault[], random: () => number): FaultPlan {
  let rules: Rule[] = [];
  let lastId = 0;
  const plant = (given: Fault, isOfStart: boolean): Rule => {
    lastId += 1;
    // A copy, since the caller may change the object later.
    const fault = copyJson(given);
    const draw = createRandom(fault.seed ?? DEFAULT_SEED);
    return { id: `fault-${lastId}`, fault, position: positionOf(fault), hits: 0, random: draw, isOfStart };
  };
  const add = (fault: Fault): PlantedFault => {
    const rule = plant(fault, false);
    rules.push(rule);
    return describe(rule);
  };
  const reset = (): void => {
    lastId = 0;
    rules = start.map((fault) => plant(fault, true));
  };
  reset();
  return {
    get isEmpty() {
      return rules.length === 0;
    },
    get size() {
      return rules.length;
    },
    add,
    list: () => rules.map(describe),
    remove(id) {
      const before = rules.length;
      rules = rules.filter((rule) => rule.id !== id);
      return rules.length < before;
    },
    clear() {
      rules = [];
    },
    reset,
    state: () => ({ start, rules, lastId }),
    takeOver(before, fits) {
      const isSameStart = printJson(before.start) === printJson(start);
      ({ lastId } = before);
      const own = isSameStart ? [] : start.map((fault) => plant(fault, true));
      const others = before.rules.filter(({ isOfStart }) => isSameStart || !isOfStart);
      rules = [...own, ...others.filter(({ fault }) => fits(fault))];
      return others.filter(({ fault }) => !fits(fault)).map(describe);
    },
    strike: (position, struck) => strike(rules, position, struck, random),
  };
}

function strike(
  rules: readonly Rule[],
  position: FaultPosition,
  struck: Struck,
  random: () => number,
): FaultHit | undefined {
  let hit: FaultHit | undefined;
  for (const rule of rules) {
    if (rule.position !== position || !applies(rule, struck)) continue;
    const effect = kindOf(rule.fault.effect) === undefined ? undefined : rule.fault.effect;
    // An answer cannot be broken twice; the later fault waits for the next exchange.
    if (effect !== undefined && hit?.effect !== undefined) continue;
    if (rule.fault.rate !== undefined && rule.random() >= rule.fault.rate) continue;
    rule.hits += 1;
    hit ??= { ids: [], delay: 0, effect: undefined };
    hit.ids.push(rule.id);
    hit.delay += pickTime(rule.fault.effect.delay, random);
    hit.effect ??= effect;
  }
  return hit;
}

function describe({ id, fault, position, hits }: Rule): PlantedFault {
  return { id, ...copyJson(fault), at: position, hits };
}

function applies({ fault, position, hits }: Rule, struck: Struck): boolean {
  if (fault.times !== undefined && hits >= fault.times) return false;
  if (fault.operationId !== undefined && fault.operationId !== struck.operation.id) return false;
  const { when = {} } = fault;
  const { request, path, status } = struck;
  if (position === 'after' && (when.status === undefined ? (status ?? 0) >= 400 : when.status !== status)) return false;
  if (when.method !== undefined && when.method.toUpperCase() !== request.method) return false;
  if (when.path !== undefined && when.path !== path) return false;
  if (when.query !== undefined && !hasQuery(request, when.query)) return false;
  if (when.headers !== undefined && !hasHeaders(request, when.headers)) return false;
  return when.body === undefined || hasFields(request, when.body);
}

function hasQuery({ query }: ApiRequest, wanted: Readonly<Record<string, string>>): boolean {
  const sent = new URLSearchParams(query);
  return Object.entries(wanted).every(([name, value]) => sent.getAll(name).includes(value));
}

function hasHeaders({ headers }: ApiRequest, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => headers[name.toLowerCase()] === value);
}

function hasFields({ body }: ApiRequest, wanted: Readonly<Record<string, unknown>>): boolean {
  const parsed = body === undefined ? undefined : parseJsonBytes(body);
  if (parsed?.ok !== true || typeof parsed.value !== 'object' || parsed.value === null) return false;
  const sent = parsed.value as Record<string, unknown>;
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(sent, name) && printJson(sent[name]) === printJson(value),
  );
}

function pickTime(delay: number | DelayRange | undefined, random: () => number): number {
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  return delay.from + random() * (delay.to - delay.from);
}
