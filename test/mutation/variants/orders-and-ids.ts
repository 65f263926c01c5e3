import { replaceFields, type Pet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { adjust } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

export function reorder(order: (pets: Pet[]) => Pet[]): Change {
  return adjust('inListOrder', (pets) => order([...pets]));
}

function orderBy(valueOf: (pet: Pet) => unknown): Change {
  return reorder((pets) => pets.sort((a, b) => compareText(String(valueOf(a)), String(valueOf(b)))));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Looks random, and is the same every time. */
function scatter(value: bigint): number {
  return Number(BigInt.asUintN(31, (value * 2_654_435_761n) ^ (value * 40_503n)));
}

/** Numbers both the pets of the start and the later ones, the n-th of all from 0. */
function numberBy(idOf: (index: bigint) => bigint): Change {
  return (base) => {
    let given = 0n;
    const next = () => idOf(given++);
    return { seed: () => replaceFields(base.seed(), () => ({ id: next() })), nextId: next };
  };
}

export const orderAndIdVariants = {
  ...allow(open.order, {
    'newest-first: newest pets first': reorder((pets) => pets.reverse()),
    'ordered-by-name: by name': orderBy(({ name }) => name),
    'ordered-by-category: by category': orderBy(({ categoryId }) => categoryId),
    'ordered-by-status: by status': orderBy(({ status }) => status),
    'ordered-by-hash: looks random, but stays': reorder((pets) => pets.sort((a, b) => scatter(a.id) - scatter(b.id))),
    'random-order: in another order at each request': reorder((pets) => {
      const places = new Map(pets.map(({ id }) => [id, Math.random()]));
      return pets.sort((a, b) => Number(places.get(a.id)) - Number(places.get(b.id)));
    }),
  }),
  ...allow(open.ids, {
    // Multiplying by an odd number is a bijection of the 48-bit numbers, so no id comes twice.
    'ids-scattered: ids in no order': numberBy((index) => BigInt.asUintN(48, (index + 1n) * 0x9e37_79b9_7f4bn)),
    'ids-past-2-53: ids that a double cannot hold': numberBy((index) => 2n ** 53n + 1n + index),
    'ids-up-to-the-largest: ids from the largest int64 downwards': numberBy((index) => 2n ** 63n - 1n - index),
    'ids-like-snowflakes: with gaps': numberBy((index) => 1_541_815_603_606_036_480n + index * 4_194_304n),
    'ids-negative: negative ids': numberBy((index) => -1n - index),
    'ids-from-the-smallest: ids from the smallest int64 upwards': numberBy((index) => -(2n ** 63n) + index),
    'ids-from-zero: ids from 0': numberBy((index) => index),
    'ids-from-one: ids from 1': numberBy((index) => 1n + index),
    'ids-with-gaps: every seventh id': numberBy((index) => 7n + 7n * index),
  }),
} satisfies Record<string, Variant>;
