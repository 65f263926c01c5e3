import { OTHER } from '../../../../contract/gaps/profile.js';
import type { JsonObject } from '../../../checks/show.js';
import { NONE_WATCHED, type CreateObserver } from './observer.js';
import { compareNumbers, isJsonNumber } from '../../../../contract/numbers/decimal.js';

/** A record that the run created, and when. */
interface Created {
  record: JsonObject;
  sentAt: number;
  answeredAt: number;
}

/** Two records of one list; the create of the first had ended before that of the second began. */
interface Pair {
  first: JsonObject;
  second: JsonObject;
  isOlderFirst: boolean;
}

/** Fewer pairs may be in an order by chance. */
const FEWEST_PAIRS = 5;
/** How far apart two compared records of a list may be: as far as those that are created concurrently. */
const REACH = 8;

/** The order of lists, judged only by records that this run created one after the other. Pairs must distinguish it from that by any field. */
export const createListOrderObserver: CreateObserver = ({ watched }) => {
  if (watched === undefined) return { conclude: () => NONE_WATCHED };
  const { key: id, sortKeys } = watched;
  const created = new Map<unknown, Created>();
  /** Only the ids: names may be long, and lists many. */
  const lists: unknown[][] = [];
  const values = new Map<string, Set<unknown>>(sortKeys.map((key) => [key, new Set()]));
  return {
    note(exchange) {
      const record = watched.readCreated(exchange);
      if (record?.[id] !== undefined)
        created.set(record[id], { record, sentAt: exchange.sentAt, answeredAt: exchange.answeredAt });
      const records = watched.readSort(exchange) === undefined ? watched.readList(exchange) : undefined;
      if (records === undefined) return;
      for (const [key, seen] of values) addUntilTwo(seen, records, key);
      const own = records.map((each) => each[id]).filter((key) => created.has(key));
      if (own.length > 1) lists.push(own);
    },
    conclude() {
      const pairs = listPairs(lists, created, id);
      const older = pairs.filter(({ isOlderFirst }) => isOlderFirst).length;
      if (older > 0 && older < pairs.length) {
        return { answer: OTHER, evidence: 'records that this run created are not listed in the order of creation' };
      }
      if (pairs.length < FEWEST_PAIRS) {
        return {
          notObserved: `this needs a list with ${FEWEST_PAIRS} pairs of records that this run created one after the other`,
        };
      }
      const unclear = sortKeys.find((key) => (values.get(key)?.size ?? 0) > 1 && !contradicts(pairs, key));
      if (unclear !== undefined) return { notObserved: `the order could also be by ${unclear}` };
      return {
        answer: older > 0 ? 'oldest-first' : 'newest-first',
        evidence: 'two records of this run, created one after the other, in one list',
      };
    },
  };
};

/** Two values suffice to see that a field is not the same in every record. */
function addUntilTwo(seen: Set<unknown>, records: readonly JsonObject[], key: string): void {
  for (const record of records) {
    if (seen.size > 1) return;
    seen.add(record[key]);
  }
}

/** Each pair once, however many lists show it. */
function listPairs(
  lists: readonly (readonly unknown[])[],
  created: ReadonlyMap<unknown, Created>,
  key: string,
): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const list of lists) {
    const own = list.map((id) => created.get(id)).filter((each) => each !== undefined);
    for (const [index, one] of own.entries()) {
      for (const other of own.slice(index + 1, index + 1 + REACH)) {
        const isOlderFirst = one.answeredAt <= other.sentAt;
        // Two records that were created concurrently show nothing.
        if (!isOlderFirst && other.answeredAt > one.sentAt) continue;
        const pair = { first: one.record, second: other.record, isOlderFirst };
        pairs.set(`${String(one.record[key])} ${String(other.record[key])}`, pair);
      }
    }
  }
  return [...pairs.values()];
}

/** Whether some pair contradicts an order by this field, and another the reverse order. */
function contradicts(pairs: readonly Pair[], key: string): boolean {
  const signs = pairs.map(({ first, second }) => compare(first[key], second[key]));
  return signs.includes(1) && signs.includes(-1);
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (isJsonNumber(a) && isJsonNumber(b)) return compareNumbers(a, b) < 0 ? -1 : 1;
  return String(a) < String(b) ? -1 : 1;
}
