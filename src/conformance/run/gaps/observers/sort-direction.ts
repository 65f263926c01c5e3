import { OTHER } from '../../../../contract/gaps/profile.js';
import { orderOf } from '../../../../contract/resources/resource.js';
import type { JsonObject } from '../../../judge/shown.js';
import { NONE_WATCHED, type Conclusion, type CreateObserver } from './observer.js';

type Direction = 'ascending' | 'descending' | 'neither';

/** Fewer pairs may be in an order by chance. */
const FEWEST_PAIRS = 3;

/** So many records of a list tell whether it is in an order. */
const MOST_KEPT = 1000;

/** Which way a list is sorted if a request names a field alone; a list that nobody sorts may be in that order too. */
export const createSortDirectionObserver: CreateObserver = ({ watched }) => {
  if (watched === undefined) return { conclude: () => NONE_WATCHED };
  const sorted = new Map<string, Set<Direction>>();
  /** The beginnings of the last two lists in an order of the service's own. */
  let unsorted: readonly JsonObject[][] = [];
  return {
    note(exchange) {
      const records = watched.readList(exchange);
      if (records === undefined) return;
      const asked = watched.readSort(exchange);
      if (asked === undefined && records.length > FEWEST_PAIRS)
        unsorted = [records.slice(0, MOST_KEPT), ...unsorted].slice(0, 2);
      if (asked?.field === undefined || asked.isDirected) return;
      const direction = readDirection(records, asked.field);
      const seen = sorted.get(asked.field) ?? new Set();
      if (direction !== undefined) sorted.set(asked.field, seen.add(direction));
    },
    conclude: () => conclude(sorted, unsorted),
  };
};

function conclude(sorted: ReadonlyMap<string, ReadonlySet<Direction>>, unsorted: readonly JsonObject[][]): Conclusion {
  // A service that does not sort at all may have any order.
  const telling = [...sorted].filter(
    ([field, seen]) =>
      seen.has('neither') || !unsorted.some((list) => seen.has(readDirection(list, field) ?? 'neither')),
  );
  const all = new Set(telling.flatMap(([, seen]) => [...seen]));
  const [direction] = all;
  if (direction === undefined)
    return {
      notObserved: `this needs ${FEWEST_PAIRS + 1} records that differ in a field by which the list can be sorted`,
    };
  const evidence = `lists sorted by ${telling.map(([field]) => field).join(', ')}`;
  if (all.size > 1) return { answer: OTHER, evidence };
  return { answer: direction === 'neither' ? 'ignored' : direction, evidence };
}

/** `undefined` if too few records differ. */
function readDirection(records: readonly JsonObject[], field: string): Direction | undefined {
  const values = records.map((record) => record[field]).filter((value) => value !== undefined && value !== null);
  const orders = values.slice(1).map((value, index) => compare(values[index], value));
  const [up, down] = [-1, 1].map((sign) => orders.filter((order) => order === sign).length) as [number, number];
  if (up + down < FEWEST_PAIRS) return undefined;
  return down === 0 ? 'ascending' : up === 0 ? 'descending' : 'neither';
}

/** 0 for texts of which services differ in which comes first. */
function compare(one: unknown, other: unknown): number {
  const order = orderOf(one, other);
  if (typeof one !== 'string' || typeof other !== 'string') return order;
  return Math.sign(one.localeCompare(other, 'en')) === order ? order : 0;
}
