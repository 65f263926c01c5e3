import { makeSeedPet, makeSeedPets, replaceFields, type Pet, type NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { words } from '../../support/words.js';
import { all } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

function seedWith(makePets: () => Pet[]): Change {
  return () => ({ seed: makePets });
}

/** The default collection with some fields replaced. */
function reseed(replace: (index: number, pet: Pet) => Partial<NewPet>): Change {
  return seedWith(() => replaceFields(makeSeedPets(), (pet, index) => replace(index, pet)));
}

/** Pages of another limit than the one that is asked for. */
function pageBy(change: (limit: number) => number): Change {
  return (base) => ({
    choosePage: (pets, query, exchange) => base.choosePage(pets, { ...query, limit: change(query.limit) }, exchange),
  });
}

const scripts = [
  ...words`Минка 小白 たま قطة बिल्ली Žofinka Γάτα 고양이 🐈‍⬛`,
  'e\u0301cru',
  ...words`𝒞at שמיל "Rex" O'Neill <b>Tom</b>`,
  'a\\b',
  ' Tabby ',
  'Tab\tby',
  ...words`%41 null`,
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
    return index >= 0 && index < million ? makeSeedPet(index) : store.pets.find((pet) => pet.id === id);
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
    'pages-of-at-most-50': all(
      seedWith(() => makeSeedPets(120)),
      pageBy((limit) => Math.min(50, limit)),
    ),
    'pages-that-grow-full: never more than 50 pets, and 45 at first': pageBy((limit) => Math.min(50, limit)),
    'pages-one-shorter: a page has one pet less than its limit': pageBy((limit) => Math.max(1, limit - 1)),
    'pages-of-any-length: up to the limit, at least one': pageBy((limit) => Math.ceil(Math.random() * limit)),
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
    'all-without-status': seedWith(() => makeSeedPets().map(({ status: _status, ...pet }) => pet)),
    'all-sold: every pet is sold': reseed(() => ({ status: 'sold' })),
    'none-sold: one filter is empty': seedWith(() => makeSeedPets().filter(({ status }) => status !== 'sold')),
    'same-name-for-all: all pets are called alike': reseed(() => ({ name: 'Rex' })),
  }),
  ...allow(open.nameLimits, {
    'empty-names: some pets have an empty name': reseed((index, { name }) => ({ name: index % 3 === 0 ? '' : name })),
    'names-in-all-scripts: with quotes, markup and spaces': reseed((index) => ({ name: scripts[index % 20] ?? '' })),
    'long-names: names of ten thousand characters': reseed((index) => ({ name: `Rex ${index} `.repeat(1500) })),
  }),
  ...allow(open.categories, {
    'huge-categories': reseed((index) => ({ categoryId: 2n ** 63n - 1n - BigInt(index % 5) })),
    'negative-categories: categories are negative': reseed((index) => ({ categoryId: BigInt(-(index % 5)) })),
  }),
} satisfies Record<string, Variant>;
