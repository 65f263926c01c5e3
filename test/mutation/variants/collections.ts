import { makeSeedPet, makeSeedPets, replaceFields, type Pet, type NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { open, type Variant } from './variant.js';

function seedWith(makePets: () => Pet[]): Change {
  return () => ({ seed: makePets });
}

/** The default collection with some fields replaced. */
function reseed(replace: (pet: Pet, index: number) => Partial<NewPet>): Change {
  return seedWith(() => replaceFields(makeSeedPets(), replace));
}

function withoutStatus({ status: _status, ...pet }: Pet): Pet {
  return pet;
}

const scripts = [
  'Минка',
  '小白',
  'たま',
  'قطة',
  'बिल्ली',
  'Žofinka',
  'Γάτα',
  '고양이',
  '🐈‍⬛',
  'e\u0301cru',
  '𝒞at',
  'שמיל',
  '"Rex"',
  "O'Neill",
  '<b>Tom</b>',
  'a\\b',
  ' Tabby ',
  'Tab\tby',
  '%41',
  'null',
];

const million = 1_000_000;

/** A million pets that exist only while they are looked at; created ones come after them. */
const lazyMillion: Change = () => ({
  seed: () => [],
  *inListOrder({ pets }) {
    for (let index = 0; index < million; index += 1) yield makeSeedPet(index);
    yield* pets;
  },
  findPet: (id, { store }) => {
    const index = Number(id - makeSeedPet(0).id);
    if (index >= 0 && index < million) return makeSeedPet(index);
    return store.pets.find((pet) => pet.id === id);
  },
  nextId: ({ pets }) => makeSeedPet(million).id + BigInt(pets.length),
});

const lazyMillionNewestFirst: Change = (base) => ({
  ...lazyMillion(base),
  *inListOrder({ pets }) {
    yield* pets.toReversed();
    for (let index = million - 1; index >= 0; index -= 1) yield makeSeedPet(index);
  },
});

export const collectionVariants = {
  'pages-of-at-most-50': {
    title: 'never more than 50 pets, whatever the limit (the limit is a maximum)',
    leavesOpen: open.paging,
    change: (base) => ({
      ...seedWith(() => makeSeedPets(120))(base),
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
  },
  'pages-that-grow-full': {
    title: 'never more than 50 pets, and 45 at first',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
  },
  'pages-one-shorter': {
    title: 'a page has one pet less than its limit',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.max(1, query.limit - 1) }, exchange),
    }),
  },
  'pages-of-any-length': {
    title: 'a page has any number of pets up to its limit, at least one',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.ceil(Math.random() * query.limit) }, exchange),
    }),
  },
  'no-pets': { title: 'the collection is empty at first', leavesOpen: open.content, change: seedWith(() => []) },
  'one-pet': { title: 'one pet', leavesOpen: open.content, change: seedWith(() => makeSeedPets(1)) },
  'twenty-pets': {
    title: 'exactly one default page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets(20)),
  },
  'twenty-one-pets': {
    title: 'one pet more than a default page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets(21)),
  },
  'hundred-pets': {
    title: 'exactly the largest page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets(100)),
  },
  'thousand-pets': {
    title: 'a thousand pets, so that new ones are on no page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets(1000)),
  },
  'million-pets': { title: 'a million pets, new ones on no page', leavesOpen: open.content, change: lazyMillion },
  'million-pets-newest-first': {
    title: 'a million pets, new ones first',
    leavesOpen: open.content,
    change: lazyMillionNewestFirst,
  },
  'all-without-status': {
    title: 'no pet has a status',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets().map(withoutStatus)),
  },
  'all-sold': { title: 'every pet is sold', leavesOpen: open.content, change: reseed(() => ({ status: 'sold' })) },
  'none-sold': {
    title: 'no pet is sold, so that one filter is empty',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedPets().filter(({ status }) => status !== 'sold')),
  },
  'same-name-for-all': {
    title: 'all pets are called alike',
    leavesOpen: open.content,
    change: reseed(() => ({ name: 'Rex' })),
  },
  'empty-names': {
    title: 'some pets have an empty name',
    leavesOpen: open.nameLimits,
    change: reseed(({ name }, index) => ({ name: index % 3 === 0 ? '' : name })),
  },
  'names-in-all-scripts': {
    title: 'names in many scripts, with quotes, markup and spaces',
    leavesOpen: open.nameLimits,
    change: reseed((_pet, index) => ({ name: scripts[index % scripts.length] ?? '' })),
  },
  'long-names': {
    title: 'names of ten thousand characters',
    leavesOpen: open.nameLimits,
    change: reseed((_pet, index) => ({ name: `Rex ${index} `.repeat(1500) })),
  },
  'huge-categories': {
    title: 'categories are large int64',
    leavesOpen: open.categories,
    change: reseed((_pet, index) => ({ categoryId: 2n ** 63n - 1n - BigInt(index % 5) })),
  },
  'negative-categories': {
    title: 'categories are negative',
    leavesOpen: open.categories,
    change: reseed((_pet, index) => ({ categoryId: BigInt(-(index % 5)) })),
  },
} satisfies Record<string, Variant>;
