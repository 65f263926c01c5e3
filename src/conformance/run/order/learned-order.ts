import { readFileSync } from 'node:fs';
import { packageFile } from '../../../package-files.js';
import type { Scenario } from '../../model/scenario.js';

/** Written by `npm run learn-order`. */
export const ORDER_FILE = 'scenarios/order.generated.json';

/** The order of the shipped scenarios that finds most with the fewest requests. */
export interface LearnedOrder {
  /** Hashes of the ids of the scenarios and of the mutants that it was learned from. */
  learnedFrom: { scenarios: string; mutants: string };
  /** The id of each scenario, and how many requests it costs at its place. */
  order: [id: string, requests: number][];
  /** How many of them found something; the rest comes after a team's own scenarios. */
  finding: number;
}

let known: LearnedOrder | undefined;

export function readLearnedOrder(): LearnedOrder {
  known ??= JSON.parse(readFileSync(packageFile(ORDER_FILE), 'utf8')) as LearnedOrder;
  return known;
}

/**
 * Scenarios in the order in which a run starts them, each as soon as those that it comes after have ended: first those
 * that find most for their cost, then those that the order does not know, then those that mostly observe.
 */
export function putInOrder(scenarios: readonly Scenario[], { order, finding } = readLearnedOrder()): Scenario[] {
  const places = new Map(order.map(([id], place) => [id, place < finding ? place : place + 1]));
  const placeOf = ({ id }: Scenario): number => places.get(id) ?? finding;
  return scenarios.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** How many requests a scenario cost when the order was learned; `undefined` for one that it does not know. */
export function readLearnedCost(id: string): number | undefined {
  costs ??= new Map(readLearnedOrder().order);
  return costs.get(id);
}

let costs: ReadonlyMap<string, number> | undefined;
