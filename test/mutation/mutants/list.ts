import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import type { Mutant } from './mutant.js';
import { changeList, changeNames, changePets, roundToDouble } from './planting.js';
import { stated } from './stated.js';

/** Changes how pets look in lists only. */
function changeListed(change: (pet: JsonObject) => JsonObject) {
  return changePets('listPets', change);
}

/** Renames a field, keeping its place. */
function rename(pet: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(pet).map(([name, value]) => [name === from ? to : name, value]));
}

const statusNumbers: Record<string, bigint> = { available: 0n, pending: 1n, sold: 2n };

function numberStatus(status: JsonValue | undefined): JsonValue | undefined {
  return typeof status === 'string' ? statusNumbers[status] : status;
}

export const listMutants = {
  'list-repeats-first': {
    title: 'the first pet is listed twice',
    breaks: stated.uniqueId,
    foundBy: ['records', 'own-records'],
    change: changeList((items) => [...items.slice(0, 1), ...items.slice(0, -1)]),
  },
  'list-repeats-last': {
    title: 'the last pet of a longer list is listed twice',
    breaks: stated.uniqueId,
    foundBy: ['records', 'own-records'],
    change: changeList((items) =>
      items.length > 5 ? [...items.slice(0, -2), ...items.slice(-1), ...items.slice(-1)] : items,
    ),
  },
  'list-one-id-for-all': {
    title: 'every pet of a list has the id of the first',
    breaks: stated.uniqueId,
    foundBy: ['records', 'own-records'],
    change: changeList((items) =>
      items.map((item) => (isObject(item) && isObject(items[0]) ? { ...item, id: items[0].id } : item)),
    ),
  },
  'list-id-missing': {
    title: 'ids are missing in lists',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, id: undefined })),
  },
  'list-id-as-text': {
    title: 'ids are strings in lists',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
  },
  'list-id-shifted': {
    title: 'ids in lists are one too high, so that they fetch another pet',
    breaks: stated.getOnePet,
    foundBy: ['records', 'own-records'],
    change: changeListed((pet) => (typeof pet.id === 'bigint' ? { ...pet, id: pet.id + 1n } : pet)),
  },
  'list-id-renamed': {
    title: 'lists call the id petId',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeListed((pet) => rename(pet, 'id', 'petId')),
  },
  'list-ids-only': {
    title: 'a list is the ids alone',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items) => items.map((item) => (isObject(item) ? (item.id ?? null) : item))),
  },
  'list-name-missing': {
    title: 'names are missing in lists',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, name: undefined })),
  },
  'list-name-null': {
    title: 'names are null in lists',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, name: null })),
  },
  'list-name-object': {
    title: 'names in lists are objects by language',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, name: { en: pet.name } })),
  },
  'list-names-lower-case': {
    title: 'names are lower-cased in lists',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.toLowerCase()),
  },
  'list-names-trimmed': {
    title: 'names lose their outer spaces in lists, though not in the answer to createPet',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.trim()),
  },
  'list-names-truncated': {
    title: 'names are cut to twelve characters in lists',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.slice(0, 12)),
  },
  'list-names-shortened-with-dots': {
    title: 'names longer than thirty characters end in an ellipsis in lists',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => (name.length > 30 ? `${name.slice(0, 29)}…` : name)),
  },
  'list-names-html-escaped': {
    title: 'names are HTML-escaped in lists',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)),
  },
  'list-names-url-decoded': {
    title: 'plus signs in names become spaces in lists',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.replaceAll('+', ' ')),
  },
  'list-numeric-names-as-numbers': {
    title: 'names that look like numbers are numbers in lists',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeNames('listPets', (name) => (/^\d+$/.test(name) ? BigInt(name) : name)),
  },
  'list-empty-name-dropped': {
    title: 'a pet with an empty name is listed without a name',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeListed((pet) => (pet.name === '' ? { ...pet, name: undefined } : pet)),
  },
  'list-category-missing': {
    title: 'categories are missing in lists',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, categoryId: undefined })),
  },
  'list-category-as-text': {
    title: 'categories are strings in lists',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, categoryId: printJson(pet.categoryId ?? null) })),
  },
  'list-category-null': {
    title: 'categories are null in lists',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, categoryId: null })),
  },
  'list-category-expanded': {
    title: 'lists carry the category as an object instead of categoryId',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, categoryId: undefined, category: { id: pet.categoryId } })),
  },
  'list-category-snake-case': {
    title: 'lists say category_id',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => rename(pet, 'categoryId', 'category_id')),
  },
  'list-category-rounded': {
    title: 'categories past 2^53 are rounded in lists',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, categoryId: roundToDouble(pet.categoryId) })),
  },
  'list-category-zero-dropped': {
    title: 'a category of 0 is left out of lists (omitempty)',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeListed((pet) => (pet.categoryId === 0n ? { ...pet, categoryId: undefined } : pet)),
  },
  'list-categories-shifted': {
    title: 'each pet of a list shows the category of the one before',
    breaks: stated.petCategory,
    foundBy: ['records', 'own-records'],
    change: changeList((items) =>
      items.map((item, index) => {
        const before = items[index - 1];
        return isObject(item) && isObject(before) ? { ...item, categoryId: before.categoryId } : item;
      }),
    ),
  },
  'list-status-null': {
    title: 'a pet without a status is listed with status null',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, status: pet.status ?? null })),
  },
  'list-status-empty': {
    title: 'a pet without a status is listed with an empty one',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, status: pet.status ?? '' })),
  },
  'list-status-unknown': {
    title: 'a pet without a status is listed as unknown',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, status: pet.status ?? 'unknown' })),
  },
  'list-status-upper-case': {
    title: 'statuses are in capitals in lists',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeListed((pet) =>
      typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  },
  'list-status-number': {
    title: 'statuses are numbers in lists (the ordinal of the enumeration)',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeListed((pet) => ({ ...pet, status: numberStatus(pet.status) })),
  },
  'list-status-swapped': {
    title: 'lists show pending pets as sold',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeListed((pet) => (pet.status === 'pending' ? { ...pet, status: 'sold' } : pet)),
  },
  'list-misses-created': {
    title: 'pets created since the start are in no list',
    breaks: stated.collection,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)].filter(({ createdAt }) => createdAt === 0),
    }),
  },
  'list-one-of-equal-pets': {
    title: 'of pets with the same name, lists have the first alone',
    breaks: stated.collection,
    foundBy: ['records'],
    change: (base) => ({
      inListOrder: (store, exchange) => {
        const seen = new Set<unknown>();
        return [...base.inListOrder(store, exchange)].filter(({ name }) => seen.size !== seen.add(name).size);
      },
    }),
  },
  'list-misses-newest': {
    title: 'the newest pet is never listed',
    breaks: stated.collection,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)].filter((pet) => pet !== store.pets.at(-1)),
    }),
  },
} satisfies Record<string, Mutant>;
