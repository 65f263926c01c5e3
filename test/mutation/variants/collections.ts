import { makeSeedAnimal, makeSeedAnimals, replaceFields, type Animal, type NewAnimal } from '../server/animals.js';
import type { Change } from '../server/behaviour.js';
import { open, type Variant } from './variant.js';

function seedWith(makeAnimals: () => Animal[]): Change {
  return () => ({ seed: makeAnimals });
}

/** The default collection with some fields replaced. */
function reseed(replace: (animal: Animal, index: number) => Partial<NewAnimal>): Change {
  return seedWith(() => replaceFields(makeSeedAnimals(), replace));
}

function withoutStatus({ status: _status, ...animal }: Animal): Animal {
  return animal;
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

/** A million animals that exist only while they are looked at; created ones come after them. */
const lazyMillion: Change = () => ({
  seed: () => [],
  *inListOrder({ animals }) {
    for (let index = 0; index < million; index += 1) yield makeSeedAnimal(index);
    yield* animals;
  },
  findAnimal: (id, { store }) => {
    const index = Number(id - makeSeedAnimal(0).id);
    if (index >= 0 && index < million) return makeSeedAnimal(index);
    return store.animals.find((animal) => animal.id === id);
  },
  nextId: ({ animals }) => makeSeedAnimal(million).id + BigInt(animals.length),
});

const lazyMillionNewestFirst: Change = (base) => ({
  ...lazyMillion(base),
  *inListOrder({ animals }) {
    yield* animals.toReversed();
    for (let index = million - 1; index >= 0; index -= 1) yield makeSeedAnimal(index);
  },
});

export const collectionVariants = {
  'pages-of-at-most-50': {
    title: 'never more than 50 animals, whatever the limit (the limit is a maximum)',
    leavesOpen: open.paging,
    change: (base) => ({
      ...seedWith(() => makeSeedAnimals(120))(base),
      choosePage: (animals, query, exchange) =>
        base.choosePage(animals, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
  },
  'pages-that-grow-full': {
    title: 'never more than 50 animals, and 45 at first',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (animals, query, exchange) =>
        base.choosePage(animals, { ...query, limit: Math.min(50, query.limit) }, exchange),
    }),
  },
  'pages-one-shorter': {
    title: 'a page has one animal less than its limit',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (animals, query, exchange) =>
        base.choosePage(animals, { ...query, limit: Math.max(1, query.limit - 1) }, exchange),
    }),
  },
  'pages-of-any-length': {
    title: 'a page has any number of animals up to its limit, at least one',
    leavesOpen: open.paging,
    change: (base) => ({
      choosePage: (animals, query, exchange) =>
        base.choosePage(animals, { ...query, limit: Math.ceil(Math.random() * query.limit) }, exchange),
    }),
  },
  'no-animals': { title: 'the collection is empty at first', leavesOpen: open.content, change: seedWith(() => []) },
  'one-animal': { title: 'one animal', leavesOpen: open.content, change: seedWith(() => makeSeedAnimals(1)) },
  'twenty-animals': {
    title: 'exactly one default page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals(20)),
  },
  'twenty-one-animals': {
    title: 'one animal more than a default page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals(21)),
  },
  'hundred-animals': {
    title: 'exactly the largest page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals(100)),
  },
  'thousand-animals': {
    title: 'a thousand animals, so that new ones are on no page',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals(1000)),
  },
  'million-animals': { title: 'a million animals, new ones on no page', leavesOpen: open.content, change: lazyMillion },
  'million-animals-newest-first': {
    title: 'a million animals, new ones first',
    leavesOpen: open.content,
    change: lazyMillionNewestFirst,
  },
  'all-without-status': {
    title: 'no animal has a status',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals().map(withoutStatus)),
  },
  'all-sold': { title: 'every animal is sold', leavesOpen: open.content, change: reseed(() => ({ status: 'sold' })) },
  'none-sold': {
    title: 'no animal is sold, so that one filter is empty',
    leavesOpen: open.content,
    change: seedWith(() => makeSeedAnimals().filter(({ status }) => status !== 'sold')),
  },
  'same-name-for-all': {
    title: 'all animals are called alike',
    leavesOpen: open.content,
    change: reseed(() => ({ name: 'Rex' })),
  },
  'empty-names': {
    title: 'some animals have an empty name',
    leavesOpen: open.nameLimits,
    change: reseed(({ name }, index) => ({ name: index % 3 === 0 ? '' : name })),
  },
  'names-in-all-scripts': {
    title: 'names in many scripts, with quotes, markup and spaces',
    leavesOpen: open.nameLimits,
    change: reseed((_animal, index) => ({ name: scripts[index % scripts.length] ?? '' })),
  },
  'long-names': {
    title: 'names of ten thousand characters',
    leavesOpen: open.nameLimits,
    change: reseed((_animal, index) => ({ name: `Rex ${index} `.repeat(1500) })),
  },
  'huge-categories': {
    title: 'categories are large int64',
    leavesOpen: open.categories,
    change: reseed((_animal, index) => ({ categoryId: 2n ** 63n - 1n - BigInt(index % 5) })),
  },
  'negative-categories': {
    title: 'categories are negative',
    leavesOpen: open.categories,
    change: reseed((_animal, index) => ({ categoryId: BigInt(-(index % 5)) })),
  },
} satisfies Record<string, Variant>;
