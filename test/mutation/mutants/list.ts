import type { PetStore, Pet } from '../server/pets.js';
import { isObject, printJson, type JsonObject } from '../server/exact-json.js';
import type { Change } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, changeItem, changeItems, changeList, changePets, changeReply, changeText } from './planting.js';
import { gone, isList, listed, roundToDouble } from './planting.js';
import { stated } from './stated.js';

/** Renames a field in lists, keeping its place. */
function rename(from: string, to: string): Change {
  return changePets('listPets', (pet) =>
    Object.fromEntries(Object.entries(pet).map(([name, value]) => [name === from ? to : name, value])),
  );
}

/** Leaves pets out of every list. */
function leaveOut(isMissing: (pet: Pet, store: PetStore) => boolean): Change {
  return adjust('inListOrder', (pets, store) => [...pets].filter((pet) => !isMissing(pet, store)));
}

const statusNumbers: Record<string, bigint> = { available: 0n, pending: 1n, sold: 2n };
const idOf = ({ id }: JsonObject) => id ?? null;

export const listMutants = {
  ...breaking(stated.uniqueId, ['records', 'own-records']).by({
    'list-repeats-first': changeList((items) => [...items.slice(0, 1), ...items.slice(0, -1)]),
    'list-repeats-last: the last pet of a longer list is listed twice': changeList((items) =>
      items.length > 5 ? [...items.slice(0, -2), ...items.slice(-1), ...items.slice(-1)] : items,
    ),
    'list-one-id-for-all': changeItems((pet, _, [first]) => (isObject(first) ? { ...pet, id: first.id } : pet)),
  }),
  ...breaking(stated.petId, ['body']).by({
    'list-id-missing: ids are missing in lists': listed.id(gone),
    'list-id-as-text: ids are strings in lists': listed.id(String),
    'list-id-renamed: lists call the id petId': rename('id', 'petId'),
  }),
  ...breaking(stated.getOnePet, ['records', 'own-records']).by({ 'list-id-shifted': listed.id((id) => id + 1n) }),
  ...breaking(stated.petsArray, ['body']).by({ 'list-ids-only: a list is the ids alone': changeItems(idOf) }),
  ...breaking(stated.petName, ['body']).by({
    'list-name-missing: names are missing in lists': listed.name(gone),
    'list-name-null: names are null in lists': listed.name(() => null),
    'list-name-object: names in lists are objects by language': listed.name((en) => ({ en })),
    'list-numeric-names-as-numbers': listed.name((name) => (/^\d+$/.test(name) ? BigInt(name) : name)),
    'list-empty-name-dropped: the name is absent': listed.name((name) => name || undefined),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'list-names-lower-case: names are lower-cased in lists': listed.name((name) => name.toLowerCase()),
    'list-names-trimmed: names lose their outer spaces in lists alone': listed.name((name) => name.trim()),
    'list-names-truncated: names are cut to twelve characters in lists': listed.name((name) => name.slice(0, 12)),
    'list-names-shortened-with-dots': listed.name((name) => (name.length > 30 ? `${name.slice(0, 29)}…` : name)),
    'list-names-html-escaped': listed.name((name) => name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)),
    'list-names-url-decoded: plus signs become spaces in lists': listed.name((name) => name.replaceAll('+', ' ')),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'list-category-missing: categories are missing in lists': listed.categoryId(gone),
    'list-category-as-text: categories are strings in lists': listed.categoryId(String),
    'list-category-null: categories are null in lists': listed.categoryId(() => null),
    'list-category-expanded: lists carry the category as an object instead': changePets('listPets', (pet) => ({
      ...pet,
      categoryId: undefined,
      category: { id: pet.categoryId },
    })),
    'list-category-snake-case: lists say category_id': rename('categoryId', 'category_id'),
    'list-category-rounded: categories past 2^53 are rounded in lists': listed.categoryId(roundToDouble),
    'list-category-zero-dropped: 0 is left out of lists (omitempty)': listed.categoryId((id) => id || undefined),
  }),
  ...breaking(stated.petCategory, ['records', 'own-records']).by({
    'list-categories-shifted: each pet of a list shows the category of the one before': changeItems(
      (pet, at, items) => {
        const before = items[at - 1];
        return isObject(before) ? { ...pet, categoryId: before.categoryId } : pet;
      },
    ),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'list-status-null: a pet without a status is listed with null': listed.status((status) => status ?? null),
    'list-status-empty: a pet without a status is listed with an empty one': listed.status((status) => status ?? ''),
    'list-status-unknown: a pet without a status is listed as unknown': listed.status((status) => status ?? 'unknown'),
    'list-status-upper-case: statuses are in capitals in lists': listed.status((status) => status?.toUpperCase()),
    'list-status-number: the ordinal of the enumeration': listed.status((status) => status && statusNumbers[status]),
  }),
  ...breaking(stated.statusFilter, ['records']).by({
    'list-status-swapped': listed.status((status) => (status === 'pending' ? 'sold' : status)),
  }),
  ...breaking(stated.collection, ['records'], { reading: 'complete-lists' }).by({
    'list-misses-created: pets created since the start are in no list': leaveOut(({ createdAt }) => createdAt > 0),
    'list-misses-newest: the newest pet is never listed': leaveOut((pet, { pets }) => pet === pets.at(-1)),
  }),
  ...breaking(stated.collection, ['records']).by({
    'list-one-of-equal-pets: of pets with the same name, lists have the first alone': adjust('inListOrder', (pets) => {
      const seen = new Set<unknown>();
      return [...pets].filter(({ name }) => seen.size !== seen.add(name).size);
    }),
  }),
  // ---- No array of pets, or another status
  ...breaking(stated.petsArray, ['body']).by({
    'list-in-data-envelope: a list comes as {"data": []}': changeList((data) => ({ data })),
    'list-in-page-envelope': changeList((content) => ({ content, totalElements: BigInt(content.length), last: true })),
    'list-nested: a list is wrapped in a second one': changeList((items) => [items]),
    'list-as-object-by-id: a list is an object with ids as its keys': changeList((items) =>
      Object.fromEntries(items.map((item, index) => [isObject(item) ? printJson(idOf(item)) : `${index}`, item])),
    ),
    'list-null-item: the last item of a list is null': changeItem(-1, () => null),
    'list-bare-item': changeItems((pet, at, { length }) => (length > 5 && at === length - 1 ? { id: pet.id } : pet)),
  }),
  ...breaking(stated.petsArray, ['json']).by({
    'list-as-lines: NDJSON': changeText(isList, (text) => text.replace(/^\[|\]$/g, '').replaceAll('},{', '}\n{')),
  }),
  ...breaking(stated.listAnswer, ['body']).by({ 'list-empty-body: a list has no body': changeList(gone) }),
  ...breaking(stated.listAnswer, ['status']).by({ 'list-201': changeReply(isList, { status: 201 }) }),
} satisfies Record<string, Mutant>;
