// What a shop's contract leaves to it: how soon its lists have what is new, in which order, for how many, beside whom.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Answer, Asked, Item } from '../../support/network/serve-json.js';

export interface Shop {
  has: (name: string) => boolean;
  customers: Item[];
  orders: Item[];
  notes: Map<unknown, Item[]>;
  next: number;
  /** How many requests came. */
  count: number;
}

const HUGE = 100_000;
/** How long a shop takes until a list has what is new. */
const LATE_MS = 40;

export function countSeeds(changes: ReadonlySet<string>, many: number, usual: number): number {
  if (changes.has('empty')) return 0;
  if (changes.has('huge')) return HUGE;
  // Where there are fewer, it is as if the limit were the greatest.
  return changes.has('many') || changes.has('large-limit-taken') ? many : usual;
}

/** When a record was first seen, and where it stands among others that have no order. */
const known = new WeakMap<Item, { at: number; place: number }>();

function know(item: Item, isNew: boolean): { at: number; place: number } {
  const found = known.get(item) ?? { at: isNew ? Date.now() : 0, place: Math.random() };
  known.set(item, found);
  return found;
}

/** Notes that a record is new. */
export function noteNew(item: Item): void {
  know(item, true);
}

/** The records that a list looks at, in its order. */
export function arrange({ has }: Shop, items: readonly Item[], { isFiltered }: { isFiltered: boolean }): Item[] {
  const isLate = has('late-lists') || (has('late-filters') && isFiltered);
  const there = isLate ? items.filter((item) => Date.now() - know(item, false).at > LATE_MS) : [...items];
  if (has('random-order')) return there.toSorted((one, other) => know(one, false).place - know(other, false).place);
  return has('oldest-first') ? there : there.reverse();
}

/** Another client creates a customer and an order, changes one that it created before, and removes one. */
export function writeAsOther({ has, count, customers, orders }: Shop): void {
  if (!has('shared') || count % 12 !== 0) return;
  const tier = ['basic', 'gold', 'platinum'][count % 3];
  const state = ['open', 'paid', 'sent'][count % 3];
  const own = customers.filter(({ name }) => name === 'Other');
  if (count % 24 === 0 && own[0] !== undefined) customers.splice(customers.indexOf(own[0]), 1);
  Object.assign(own.at(-1) ?? {}, { tier });
  customers.push({ id: randomUUID(), createdAt: new Date().toISOString(), name: 'Other', tier });
  const theirs = orders.filter(({ comment }) => comment === 'Other');
  if (count % 24 === 0 && theirs[0] !== undefined) orders.splice(orders.indexOf(theirs[0]), 1);
  Object.assign(theirs.at(-1) ?? {}, { state });
  orders.push({ id: 500_000 + count, customerId: customers[0]?.['id'], quantity: 3, state, comment: 'Other' });
}

export const isTurnedAway = ({ has, count }: Shop): boolean => has('rate-limit') && count % 40 === 0;

/** An answer as it is sent. */
export async function finish({ has }: Shop, { headers: sent }: Asked, answered: Answer): Promise<Answer> {
  if (has('slow')) await sleep(10);
  const { status, body } = answered;
  if (body === undefined) return answered;
  const isZipped = has('gzip') && String(sent['accept-encoding']).includes('gzip');
  const headers = {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
    ...(status === 429 ? { 'Retry-After': '0' } : {}),
    ...(isZipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
  };
  return { status, headers, body: isZipped ? gzipSync(JSON.stringify(body)) : body };
}
