import { copyJson, printJson } from '../../contract/document/json.js';
import { positionOf, type Fault, type FaultPosition, type PlantedFault } from './fault.js';
import { createRandom } from '../world/random.js';
import { strike, type FaultHit, type PlantedRule, type Struck } from './strike.js';

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
  /** The faults as plain data. */
  save(): SavedFaults;
  /** Replaces all faults by saved ones, except that this plan's own start replaces another one. */
  load(saved: SavedFaults): void;
  /** Sets how often faults have struck, and how often chance decided. */
  count(hits: readonly (readonly [id: string, hits: number, draws: number])[]): void;
  /** Determines which faults strike, and counts their hits. */
  strike(position: FaultPosition, struck: Struck): FaultHit | undefined;
}

export interface FaultState {
  start: readonly Fault[];
  rules: readonly PlantedRule[];
  lastId: number;
}

/** Faults as plain data: how often each struck, and how often chance decided. */
export interface SavedFaults {
  lastId: number;
  /** The faults of the start. */
  start: readonly Fault[];
  rules: readonly { id: string; fault: Fault; hits: number; draws: number; isOfStart: boolean }[];
}

const DEFAULT_SEED = 1;

/** The faults of a world that begins with these; `random` picks delays. */
export function createFaultPlan(start: readonly Fault[], random: () => number): FaultPlan {
  return new Plan(start, random);
}

class Plan implements FaultPlan {
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
    const before = this.#rules;
    this.#rules = before.filter((rule) => rule.id !== id);
    return this.#rules.length < before.length;
  }

  clear(): void {
    this.#rules = [];
  }

  reset(): void {
    this.#lastId = 0;
    this.#rules = this.#start.map((fault) => this.#plant(fault, true));
  }

  state(): FaultState {
    return { start: this.#start, rules: this.#rules, lastId: this.#lastId };
  }

  takeOver(before: FaultState, fits: (fault: Fault) => boolean): PlantedFault[] {
    const others = this.#rulesAfter(before);
    this.#rules.push(...others.filter(({ fault }) => fits(fault)));
    return others.filter(({ fault }) => !fits(fault)).map(describe);
  }

  save(): SavedFaults {
    return { lastId: this.#lastId, start: this.#start, rules: this.#rules.map(saveRule) };
  }

  load(saved: SavedFaults): void {
    const rules = this.#rulesAfter({ ...saved, rules: saved.rules.map(loadRule) });
    this.#rules.push(...rules);
  }

  count(hits: Parameters<FaultPlan['count']>[0]): void {
    this.#rules = this.#rules.map((rule) => countRule(rule, hits));
  }

  strike(position: FaultPosition, struck: Struck): FaultHit | undefined {
    return strike(this.#rules, position, struck, this.#random);
  }

  /** Leaves only the faults of a start that is another one, and returns those of before that stay. */
  #rulesAfter(before: FaultState): PlantedRule[] {
    const isSameStart = printJson(before.start) === printJson(this.#start);
    this.#lastId = before.lastId;
    this.#rules = isSameStart ? [] : this.#start.map((fault) => this.#plant(fault, true));
    return before.rules.filter(({ isOfStart }) => isSameStart || !isOfStart);
  }

  #plant(given: Fault, isOfStart: boolean): PlantedRule {
    this.#lastId += 1;
    // A copy, since the caller may change the object later.
    const fault = copyJson(given);
    const random = createRandom(fault.seed ?? DEFAULT_SEED);
    return { id: `fault-${this.#lastId}`, fault, position: positionOf(fault), hits: 0, draws: 0, random, isOfStart };
  }
}

function saveRule({ id, fault, hits, draws, isOfStart }: PlantedRule): SavedFaults['rules'][number] {
  return { id, fault, hits, draws, isOfStart };
}

function countRule(rule: PlantedRule, all: Parameters<FaultPlan['count']>[0]): PlantedRule {
  const [, hits = rule.hits, draws = rule.draws] = all.find(([id]) => id === rule.id) ?? [];
  return hits === rule.hits && draws === rule.draws ? rule : loadRule({ ...saveRule(rule), hits, draws });
}

/** Chance goes on where it was. */
function loadRule(saved: SavedFaults['rules'][number]): PlantedRule {
  const random = createRandom(saved.fault.seed ?? DEFAULT_SEED);
  for (let drawn = 0; drawn < saved.draws; drawn++) random();
  return { ...saved, position: positionOf(saved.fault), random };
}

function describe({ id, fault, position, hits }: PlantedRule): PlantedFault {
  return { id, ...copyJson(fault), at: position, hits };
}
