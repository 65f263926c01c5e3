import { replaceFields, type Pet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { open, type Variant } from './variant.js';

function orderBy(compare: (a: Pet, b: Pet) => number): Change {
  return (base) => ({ inListOrder: (store, exchange) => [...base.inListOrder(store, exchange)].sort(compare) });
}

function compareText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** Looks random, and is the same every time. */
function scatter(value: bigint): bigint {
  return BigInt.asUintN(31, (value * 2_654_435_761n) ^ (value * 40_503n));
}

/** Numbers both the pets of the start and the later ones, the n-th of all from 0. */
function numberBy(idOf: (index: bigint) => bigint): Change {
  return (base) => {
    let given = 0n;
    const next = () => idOf(given++);
    return {
      seed: () => replaceFields(base.seed(), () => ({ id: next() })),
      nextId: next,
    };
  };
}

export const orderAndIdVariants = {
  'newest-first': {
    title: 'newest pets first',
    leavesOpen: open.order,
    change: (base) => ({ inListOrder: (store, exchange) => [...base.inListOrder(store, exchange)].reverse() }),
  },
  'ordered-by-name': {
    title: 'by name',
    leavesOpen: open.order,
    change: orderBy((a, b) => compareText(a.name, b.name)),
  },
  'ordered-by-category': {
    title: 'by category',
    leavesOpen: open.order,
    change: orderBy((a, b) => compareText(a.categoryId, b.categoryId)),
  },
  'ordered-by-status': {
    title: 'by status',
    leavesOpen: open.order,
    change: orderBy((a, b) => compareText(a.status, b.status)),
  },
  'ordered-by-hash': {
    title: 'in an order that looks random but stays',
    leavesOpen: open.order,
    change: orderBy((a, b) => Number(scatter(a.id) - scatter(b.id))),
  },
  'random-order': {
    title: 'in another order at each request',
    leavesOpen: open.order,
    change: (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)]
          .map((pet) => ({ pet, place: Math.random() }))
          .sort((a, b) => a.place - b.place)
          .map(({ pet }) => pet),
    }),
  },
  // Multiplying by an odd number is a bijection of the 48-bit numbers, so no id comes twice.
  'ids-scattered': {
    title: 'ids in no order',
    leavesOpen: open.ids,
    change: numberBy((index) => BigInt.asUintN(48, (index + 1n) * 0x9e37_79b9_7f4bn)),
  },
  'ids-past-2-53': {
    title: 'ids that a double cannot hold',
    leavesOpen: open.ids,
    change: numberBy((index) => 2n ** 53n + 1n + index),
  },
  'ids-up-to-the-largest': {
    title: 'ids from the largest int64 downwards',
    leavesOpen: open.ids,
    change: numberBy((index) => 2n ** 63n - 1n - index),
  },
  'ids-like-snowflakes': {
    title: 'ids of 19 digits with gaps',
    leavesOpen: open.ids,
    change: numberBy((index) => 1_541_815_603_606_036_480n + index * 4_194_304n),
  },
  'ids-negative': { title: 'negative ids', leavesOpen: open.ids, change: numberBy((index) => -1n - index) },
  'ids-from-the-smallest': {
    title: 'ids from the smallest int64 upwards',
    leavesOpen: open.ids,
    change: numberBy((index) => -(2n ** 63n) + index),
  },
  'ids-from-zero': { title: 'ids from 0', leavesOpen: open.ids, change: numberBy((index) => index) },
  'ids-from-one': { title: 'ids from 1', leavesOpen: open.ids, change: numberBy((index) => 1n + index) },
  'ids-with-gaps': { title: 'every seventh id', leavesOpen: open.ids, change: numberBy((index) => 7n + 7n * index) },
} satisfies Record<string, Variant>;
