import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.uniqueId, ['records', 'own-records']).by({
    'list-repeats-first: the first pet is listed twice': changeList((items) => [
      ...items.slice(0, 1),
      ...items.slice(0, -1),
    ]),
    'list-repeats-last: the last pet of a longer list is listed twice': changeList((items) =>
      items.length > 5 ? [...items.slice(0, -2), ...items.slice(-1), ...items.slice(-1)] : items,
    ),
    'list-one-id-for-all: every pet of a list has the id of the first': changeList((items) =>
      items.map((item) => (isObject(item) && isObject(items[0]) ? { ...item, id: items[0].id } : item)),
    ),
  }),
  ...breaking(stated.petId, ['body']).by({
    'list-id-missing: ids are missing in lists': changeListed((pet) => ({ ...pet, id: undefined })),
    'list-id-as-text: ids are strings in lists': changeListed((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
    'list-id-renamed: lists call the id petId': changeListed((pet) => rename(pet, 'id', 'petId')),
  }),
  ...breaking(stated.getOnePet, ['records', 'own-records']).by({
    'list-id-shifted: ids in lists are one too high, so that they fetch another pet': changeListed((pet) =>
      typeof pet.id === 'bigint' ? { ...pet, id: pet.id + 1n } : pet,
    ),
  }),
  ...breaking(stated.petsArray, ['body']).by({
    'list-ids-only: a list is the ids alone': changeList((items) =>
      items.map((item) => (isObject(item) ? (item.id ?? null) : item)),
    ),
  }),
  ...breaking(stated.petName, ['body']).by({
    'list-name-missing: names are missing in lists': changeListed((pet) => ({ ...pet, name: undefined })),
    'list-name-null: names are null in lists': changeListed((pet) => ({ ...pet, name: null })),
    'list-name-object: names in lists are objects by language': changeListed((pet) => ({
      ...pet,
      name: { en: pet.name },
    })),
    'list-numeric-names-as-numbers: names that look like numbers are numbers in lists': changeNames(
      'listPets',
      (name) => (/^\d+$/.test(name) ? BigInt(name) : name),
    ),
    'list-empty-name-dropped: a pet with an empty name is listed without a name': changeListed((pet) =>
      pet.name === '' ? { ...pet, name: undefined } : pet,
    ),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'list-names-lower-case: names are lower-cased in lists': changeNames('listPets', (name) => name.toLowerCase()),
    'list-names-trimmed: names lose their outer spaces in lists, though not in the answer to createPet': changeNames(
      'listPets',
      (name) => name.trim(),
    ),
    'list-names-truncated: names are cut to twelve characters in lists': changeNames('listPets', (name) =>
      name.slice(0, 12),
    ),
    'list-names-shortened-with-dots: names longer than thirty characters end in an ellipsis in lists': changeNames(
      'listPets',
      (name) => (name.length > 30 ? `${name.slice(0, 29)}…` : name),
    ),
    'list-names-html-escaped: names are HTML-escaped in lists': changeNames('listPets', (name) =>
      name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    ),
    'list-names-url-decoded: plus signs in names become spaces in lists': changeNames('listPets', (name) =>
      name.replaceAll('+', ' '),
    ),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'list-category-missing: categories are missing in lists': changeListed((pet) => ({
      ...pet,
      categoryId: undefined,
    })),
    'list-category-as-text: categories are strings in lists': changeListed((pet) => ({
      ...pet,
      categoryId: printJson(pet.categoryId ?? null),
    })),
    'list-category-null: categories are null in lists': changeListed((pet) => ({ ...pet, categoryId: null })),
    'list-category-expanded: lists carry the category as an object instead of categoryId': changeListed((pet) => ({
      ...pet,
      categoryId: undefined,
      category: { id: pet.categoryId },
    })),
    'list-category-snake-case: lists say category_id': changeListed((pet) => rename(pet, 'categoryId', 'category_id')),
    'list-category-rounded: categories past 2^53 are rounded in lists': changeListed((pet) => ({
      ...pet,
      categoryId: roundToDouble(pet.categoryId),
    })),
    'list-category-zero-dropped: a category of 0 is left out of lists (omitempty)': changeListed((pet) =>
      pet.categoryId === 0n ? { ...pet, categoryId: undefined } : pet,
    ),
  }),
  ...breaking(stated.petCategory, ['records', 'own-records']).by({
    'list-categories-shifted: each pet of a list shows the category of the one before': changeList((items) =>
      items.map((item, index) => {
        const before = items[index - 1];
        return isObject(item) && isObject(before) ? { ...item, categoryId: before.categoryId } : item;
      }),
    ),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'list-status-null: a pet without a status is listed with status null': changeListed((pet) => ({
      ...pet,
      status: pet.status ?? null,
    })),
    'list-status-empty: a pet without a status is listed with an empty one': changeListed((pet) => ({
      ...pet,
      status: pet.status ?? '',
    })),
    'list-status-unknown: a pet without a status is listed as unknown': changeListed((pet) => ({
      ...pet,
      status: pet.status ?? 'unknown',
    })),
    'list-status-upper-case: statuses are in capitals in lists': changeListed((pet) =>
      typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
    'list-status-number: statuses are numbers in lists (the ordinal of the enumeration)': changeListed((pet) => ({
      ...pet,
      status: numberStatus(pet.status),
    })),
  }),
  ...breaking(stated.statusFilter, ['records']).by({
    'list-status-swapped: lists show pending pets as sold': changeListed((pet) =>
      pet.status === 'pending' ? { ...pet, status: 'sold' } : pet,
    ),
  }),
  ...breaking(stated.collection, ['records'], { reading: 'complete-lists' }).by({
    'list-misses-created: pets created since the start are in no list': (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)].filter(({ createdAt }) => createdAt === 0),
    }),
    'list-misses-newest: the newest pet is never listed': (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)].filter((pet) => pet !== store.pets.at(-1)),
    }),
  }),
  ...breaking(stated.collection, ['records']).by({
    'list-one-of-equal-pets: of pets with the same name, lists have the first alone': (base) => ({
      inListOrder: (store, exchange) => {
        const seen = new Set<unknown>();
        return [...base.inListOrder(store, exchange)].filter(({ name }) => seen.size !== seen.add(name).size);
      },
    }),
  }),
} satisfies Record<string, Mutant>;
