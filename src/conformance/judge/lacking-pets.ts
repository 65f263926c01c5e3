import { keyOfJson } from '../../contract/document/same-json.js';
import type { ContractValues } from '../wire/request/contract-values.js';
import type { LackingPets } from './check.js';
import { nextName, type TargetMemory } from './target-memory.js';

type Limits = Pick<ContractValues, 'limit' | 'distinctStatuses' | 'statuses'>;

/** So many pets let a limit be exceeded that none can exceed without them. */
interface Goal {
  /** `undefined` for any. */
  status: unknown;
  /** How many are needed. */
  count: number;
  /** How many are missing after the earlier goals are reached. */
  lacking: number;
}

/**
 * What a collection lacks for every limit to be tried, cheapest first: more pets of each status than a page without a
 * limit has, more in all than the longest page has, more of each status than a page that is nearly as long has. A few more
 * of one status prove nothing, so a goal that costs more than is left is none, and leaves the others what there is.
 */
function listGoals(
  { listed }: Pick<TargetMemory, 'listed'>,
  { limit, distinctStatuses }: Limits,
  budget = Number.POSITIVE_INFINITY,
): Goal[] {
  const { default: usual, largestPage: longest } = limit;
  if (longest === undefined) return [];
  const reached = new Map(distinctStatuses.map((status) => [status, listed.get(keyOfJson(status)) ?? 0]));
  let left = budget;
  const reach = (count: number): Goal[] =>
    [...reached]
      .filter(([, there]) => there < count)
      .toSorted(([, a], [, b]) => b - a)
      .flatMap(([status, there]) => {
        const lacking = count - there;
        if (lacking > left) return [];
        left -= lacking;
        reached.set(status, count);
        return [{ status, count, lacking }];
      });
  const sum = (): number => [...reached.values()].reduce((all, count) => all + count, 0);
  const others = Math.max(0, (listed.get(undefined) ?? 0) - sum());
  const ofEach = usual === undefined ? [] : reach(Math.min(usual + 2, longest));
  const inAll = { status: undefined, count: longest + 1, lacking: longest + 1 - sum() - others };
  left -= Math.max(0, inAll.lacking);
  return [...ofEach, ...(inAll.lacking > 0 ? [inAll] : []), ...reach(longest)];
}

/** Bodies of the pets to create: no more than prove something, and than `budget` allows. */
export function listLackingPets(
  memory: TargetMemory,
  { limits, budget }: { limits: Limits; budget: number },
): Record<string, unknown>[] {
  const statuses: unknown[] = [];
  for (const { status, lacking } of listGoals(memory, limits, budget)) {
    const left = budget - statuses.length;
    for (let turn = 0; turn < Math.min(lacking, left); turn++) {
      statuses.push(status ?? limits.statuses[turn % Math.max(limits.statuses.length, 1)]);
    }
  }
  const categoryId = memory.category.id;
  return statuses.map((status) => {
    const name = nextName(memory);
    return status === undefined ? { name, categoryId } : { name, categoryId, status };
  });
}

/** How many pets are still missing for every limit to be tried; lists of one status as long as the longest page cost most, and are not asked for. */
export function countLacking(memory: TargetMemory, limits: Limits): number {
  const asked = listGoals(memory, limits).filter(
    ({ status, count }) => status === undefined || count !== limits.limit.largestPage,
  );
  return asked.reduce((sum, { lacking }) => sum + lacking, 0);
}

/** The value of `--max-creates` that allows so many pets, of a status or in all. */
export function countCreatesFor(memory: TargetMemory, limits: Limits, { status, count, there }: LackingPets): number {
  if (status === undefined) return memory.creations + count - there;
  let creates = memory.creations;
  for (const goal of listGoals(memory, limits)) {
    creates += goal.lacking;
    if (goal.status === status && goal.count >= count) break;
  }
  return creates;
}
