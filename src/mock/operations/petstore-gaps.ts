import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { NAME_CHARACTERS } from '../../contract/gaps/name-characters.js';
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

/** What a profile may refuse although the contract allows it, and how to recognise it. */
const REFUSABLE: {
  gap: string;
  field: string;
  message: string;
  applies: (value: unknown, collection: Collection) => boolean;
}[] = [
  { gap: 'empty-name', field: 'name', message: 'must not be empty', applies: (name) => name === '' },
  {
    gap: 'blank-name',
    field: 'name',
    message: 'must not be blank',
    applies: (name) => name !== '' && String(name).trim() === '',
  },
  {
    gap: 'negative-category',
    field: 'categoryId',
    message: 'must not be negative',
    applies: (id) => (id as number) < 0,
  },
  {
    gap: 'unknown-category',
    field: 'categoryId',
    message: 'is not an existing category',
    applies: (id, collection) => !collection.holds('categoryId', id),
  },
];

/** Why a profile refuses a new pet that the contract allows; `undefined` if it does not, or for other records. */
export function findPetRefusal(sent: Fields, kept: Kept, collection: Collection, world: World): string | undefined {
  if (!kept.isPets) return undefined;
  const { profile } = world;
  const found = REFUSABLE.find(
    ({ gap, field, applies }) =>
      actOn(profile, gap, IS_REFUSED) && sent[field] !== undefined && applies(sent[field], collection),
  );
  if (found !== undefined) return `body/${found.field} ${found.message}`;
  return typeof sent['name'] === 'string' ? findNameRefusal(sent['name'], profile) : undefined;
}

function findNameRefusal(name: string, { values, seen }: Profile): string | undefined {
  const limit = values?.['name-length-limit'];
  if (typeof limit === 'number' && Array.from(name).length > limit)
    return `body/name must have at most ${limit} characters`;
  const kind = seen?.['name-characters']?.find((each) => NAME_CHARACTERS[each]?.test(name) === true);
  return kind === undefined ? undefined : `body/name has characters that are not allowed: ${kind}`;
}

const STATUS_WHEN_OMITTED: Readonly<Record<string, string | undefined>> = {
  absent: undefined,
  available: 'available',
  pending: 'pending',
  sold: 'sold',
};

/** The status that a profile gives a pet without one, if the contract has that status. */
export function statusWhenOmitted(kept: Kept, { contract, profile }: World): string | undefined {
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
