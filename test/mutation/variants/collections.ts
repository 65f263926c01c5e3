import { makeSeedPet, makeSeedPets, replaceFields, type Pet, type NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { allow, open, type Variant } from './variant.js';

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
  ...allow(open.paging, {
    'pages-of-at-most-50: never more than 50 pets, whatever the limit (the limit is a maximum)': (base) => ({
      ...seedWith(() => makeSeedPets(120))(base),
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
    'pages-that-grow-full: never more than 50 pets, and 45 at first': (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
    'pages-one-shorter: a page has one pet less than its limit': (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.max(1, query.limit - 1) }, exchange),
    }),
    'pages-of-any-length: a page has any number of pets up to its limit, at least one': (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(pets, { ...query, limit: Math.ceil(Math.random() * query.limit) }, exchange),
    }),
  }),
  ...allow(open.content, {
    'no-pets: the collection is empty at first': seedWith(() => []),
    'one-pet: one pet': seedWith(() => makeSeedPets(1)),
    'twenty-pets: exactly one default page': seedWith(() => makeSeedPets(20)),
    'twenty-one-pets: one pet more than a default page': seedWith(() => makeSeedPets(21)),
    'hundred-pets: exactly the largest page': seedWith(() => makeSeedPets(100)),
    'thousand-pets: a thousand pets, so that new ones are on no page': seedWith(() => makeSeedPets(1000)),
    'million-pets: a million pets, new ones on no page': lazyMillion,
    'million-pets-newest-first: a million pets, new ones first': lazyMillionNewestFirst,
    'all-without-status: no pet has a status': seedWith(() => makeSeedPets().map(withoutStatus)),
    'all-sold: every pet is sold': reseed(() => ({ status: 'sold' })),
    'none-sold: no pet is sold, so that one filter is empty': seedWith(() =>
      makeSeedPets().filter(({ status }) => status !== 'sold'),
    ),
    'same-name-for-all: all pets are called alike': reseed(() => ({ name: 'Rex' })),
  }),
  ...allow(open.nameLimits, {
    'empty-names: some pets have an empty name': reseed(({ name }, index) => ({ name: index % 3 === 0 ? '' : name })),
    'names-in-all-scripts: names in many scripts, with quotes, markup and spaces': reseed((_pet, index) => ({
      name: scripts[index % scripts.length] ?? '',
    })),
    'long-names: names of ten thousand characters': reseed((_pet, index) => ({ name: `Rex ${index} `.repeat(1500) })),
  }),
  ...allow(open.categories, {
    'huge-categories: categories are large int64': reseed((_pet, index) => ({
      categoryId: 2n ** 63n - 1n - BigInt(index % 5),
    })),
    'negative-categories: categories are negative': reseed((_pet, index) => ({ categoryId: BigInt(-(index % 5)) })),
  }),
} satisfies Record<string, Variant>;
