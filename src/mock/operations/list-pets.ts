import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type { ApiResponse, JsonBody } from '../../contract/message.js';
import { letsStatusMove, moveOn } from './moving-status.js';
import { readPetOperations } from './pet-operations.js';
import type { Pet, StoredPet } from '../store/pet.js';
import { createRefusal } from '../answer/refusals.js';
import type { ListOrder, ListQuery } from '../store/pet-store.js';
import type { Call } from '../world/world.js';

/** The order of a list for each choice of the gap `list-order`. */
export const listOrder: Readonly<Record<string, ListOrder>> = {
  'newest-first': 'newest-first',
  'oldest-first': 'oldest-first',
};

/** `GET /pets` (`#/paths/~1pets/get`). A query parameter that names a field of a pet filters by it. */
export function listPets({ query, world }: Call): ApiResponse {
  const { list } = readPetOperations(world.contract);
  const limit = shorten(query['limit'] === undefined ? undefined : Number(query['limit']), world.profile);
  const order = actOn(world.profile, 'list-order', listOrder);
  const isMoving = letsStatusMove(world.profile);
  // One status is looked up; whatever else filters is looked for. Of a list of values any one will do.
  const isLookedUp = !isMoving && typeof query['status'] === 'string' && list.filters.includes('status');
  const status = isLookedUp ? (query['status'] as string) : undefined;
  const scanned = list.filters.filter(
    (name) => query[name] !== undefined && (name !== 'status' || status === undefined),
  );
  const page =
    scanned.length === 0 && !isMoving
      ? world.store.list({ status, limit, order })
      : listAll({ status, order }, world)
          .filter(({ pet }) => scanned.every((name) => [query[name]].flat().includes(fieldOf(pet, name))))
          .slice(0, limit);
  const body = printPage(page);
  if (body === undefined) {
    const message = `these ${page.length} pets together are longer than a string can be (${LONGEST_TEXT} characters); ask for fewer with limit`;
    return createRefusal(507, message);
  }
  return {
    status: list.status,
    headers: { 'Content-Type': list.mediaType },
    body,
  };
}

/** What the oldest Node that is supported can hold in one text. */
const LONGEST_TEXT = 2 ** 29 - 24;

function listAll(query: ListQuery, world: Call['world']): readonly StoredPet[] {
  const all = world.store.list(query);
  return letsStatusMove(world.profile) ? all.map((stored) => moveOn(stored, world)) : all;
}

const IS_SHORTER: Record<string, boolean> = { full: false, shorter: true };

/** A limit is a maximum: a profile may give one pet less, as long as one is left. */
function shorten(limit: number | undefined, profile: Profile): number | undefined {
  return limit !== undefined && actOn(profile, 'short-pages', IS_SHORTER) ? Math.max(1, limit - 1) : limit;
}

const printed = new WeakMap<readonly StoredPet[], JsonBody>();

/**
 * A page is printed once: until a pet changes, the store gives the same array for it. `undefined` when it is too
 * long for any text, which it can be where a profile accepts bodies of any length.
 */
function printPage(page: readonly StoredPet[]): JsonBody | undefined {
  const known = printed.get(page);
  if (known !== undefined) return known;
  if (page.reduce((sum, { text }) => sum + text.length + 1, 1) > LONGEST_TEXT) return undefined;
  const value = Object.freeze(page.map(({ pet }) => pet));
  const body = { value, text: `[${page.map(({ text }) => text).join(',')}]` };
  printed.set(page, body);
  return body;
}

function fieldOf(pet: Readonly<Pet>, name: string): unknown {
  return (pet as unknown as Readonly<Record<string, unknown>>)[name];
}
