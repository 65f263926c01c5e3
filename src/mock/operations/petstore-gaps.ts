import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { readProperties } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import type { Collection } from '../store/collection.js';
import type { Kept } from '../store/kept.js';
import { StoredRecord, type Fields } from '../store/stored-record.js';
import type { World } from '../world/world.js';

// The petstore's gaps about its fields. They apply to pets of any contract, as far as those have such fields.

const IS_REFUSED: Readonly<Record<string, boolean>> = { accepted: false, 'refused-400': true };

/** Why a profile refuses the category of a new pet; `undefined` if it does not, or for other records. */
export function findCategoryRefusal(
  { categoryId }: Fields,
  kept: Kept,
  collection: Collection,
  profile: Profile,
): string | undefined {
  if (!kept.isPets || categoryId === undefined || !actOn(profile, 'unknown-category', IS_REFUSED)) return undefined;
  return collection.holds('categoryId', categoryId) ? undefined : 'body/categoryId is not an existing category';
}

const STATUS_WHEN_OMITTED: Readonly<Record<string, string | undefined>> = {
  absent: undefined,
  available: 'available',
  pending: 'pending',
  sold: 'sold',
};

/** The status that a profile gives a pet without one, if the contract has that status. */
export function statusWhenOmitted(
  kept: Kept,
  { contract, profile }: Pick<World, 'contract' | 'profile'>,
): string | undefined {
  const status = actOn(profile, 'status-omitted', STATUS_WHEN_OMITTED);
  if (status === undefined || !kept.isPets) return undefined;
  return listStatuses(kept, contract).includes(status) ? status : undefined;
}

function listStatuses({ schemaPointer }: Kept, { document }: Contract): unknown[] {
  const property = readProperties(document, schemaPointer).find(({ name }) => name === 'status');
  return property === undefined ? [] : asList(asObject(resolveAt(document, property.schemaPointer).value)['enum']);
}

const MOVES: Readonly<Record<string, boolean>> = { stays: false, 'moves-by-itself': true };
/** In the order in which a profile moves a pet through them; the last one is final. */
const STATUSES = ['available', 'pending', 'sold'];
const STEP_MS = 250;

/** When a pet was created under a profile that lets statuses move, by the world's clock. */
const createdAt = new WeakMap<StoredRecord, number>();
/** The pet after its last move. */
const movedTo = new WeakMap<StoredRecord, StoredRecord>();

export function letsStatusMove(profile: Profile): boolean {
  return actOn(profile, 'status-after-create', MOVES);
}

/** Notes when a new pet begins to move. */
export function startMoving(stored: StoredRecord, kept: Kept, { profile, clock }: World): void {
  if (letsStatusMove(profile) && kept.isPets) createdAt.set(stored, clock.now());
}

/** The pet in its current status. */
export function moveOn(stored: StoredRecord, { clock }: Pick<World, 'clock'>): StoredRecord {
  const since = createdAt.get(stored);
  const start = STATUSES.indexOf(String(stored.record['status']));
  if (since === undefined || start === -1) return stored;
  const steps = Math.max(0, Math.floor((clock.now() - since) / STEP_MS));
  const status = STATUSES[Math.min(start + steps, STATUSES.length - 1)];
  if (status === undefined || status === stored.record['status']) return stored;
  const known = movedTo.get(stored);
  if (known?.record['status'] === status) return known;
  const moved = new StoredRecord({ ...stored.record, status });
  movedTo.set(stored, moved);
  return moved;
}
