import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { readProperties } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import type { Collection } from '../store/collection.js';
import type { Kept } from '../store/kept.js';
import { StoredRecord, type Fields } from '../store/stored-record.js';
import type { World } from '../world/world.js';

// The gaps that only pets have, about the fields that `gaps.yaml` says. They apply to pets of any contract, as far as those have
// such fields.

export const IS_REFUSED: Readonly<Record<string, boolean>> = { accepted: false, 'refused-400': true };

const fields = new WeakMap<object, ReadonlyMap<string, string | undefined>>();

/** The field that a gap is about. */
export function fieldOfGap(id: string, { gaps }: Pick<World, 'gaps'>): string | undefined {
  const known = fields.get(gaps) ?? new Map(gaps.known.map((gap) => [gap.id, gap.field]));
  fields.set(gaps, known);
  return known.get(id);
}

/** Why a profile refuses what a new pet refers to; `undefined` if it does not, or for other records. */
export function findReferenceRefusal(
  sent: Fields,
  kept: Kept,
  collection: Collection,
  { profile, world }: { profile: Profile; world: Pick<World, 'gaps'> },
): string | undefined {
  if (!kept.isPets || !actOn(profile, 'unknown-category', IS_REFUSED)) return undefined;
  const name = fieldOfGap('unknown-category', world) ?? '';
  if (sent[name] === undefined || collection.holds(name, sent[name])) return undefined;
  return `body/${name} is not an existing category`;
}

/** What a profile gives a pet that is created without it, if the contract has that value. */
export function chosenWhenOmitted(
  sent: Fields,
  kept: Kept,
  { contract, profile, gaps }: Pick<World, 'contract' | 'profile' | 'gaps'>,
): [name: string, value: string] | undefined {
  const value = profile.choices['status-omitted'];
  if (value === undefined || !kept.isPets) return undefined;
  const name = fieldOfGap('status-omitted', { gaps }) ?? '';
  if (Object.hasOwn(sent, name) || !listValues(name, kept, contract).includes(value)) return undefined;
  return [name, value];
}

function listValues(field: string, { schemaPointer }: Kept, { document }: Contract): unknown[] {
  const property = readProperties(document, schemaPointer).find(({ name }) => name === field);
  return property === undefined ? [] : asList(asObject(resolveAt(document, property.schemaPointer).value)['enum']);
}

const MOVES: Readonly<Record<string, boolean>> = { stays: false, 'moves-by-itself': true };
const STEP_MS = 250;

/** A pet that was created under a profile that lets it move: when, by the world's clock, and through which values, the last one final. */
interface Moving {
  since: number;
  field: string;
  values: readonly unknown[];
}

const moving = new WeakMap<StoredRecord, Moving>();
/** The pet after its last move. */
const movedTo = new WeakMap<StoredRecord, StoredRecord>();

export function letsStatusMove(profile: Profile): boolean {
  return actOn(profile, 'status-after-create', MOVES);
}

/** Notes when a new pet begins to move. */
export function startMoving(stored: StoredRecord, kept: Kept, { profile, clock, contract, gaps }: World): void {
  if (!letsStatusMove(profile) || !kept.isPets) return;
  const field = fieldOfGap('status-after-create', { gaps }) ?? '';
  moving.set(stored, { since: clock.now(), field, values: listValues(field, kept, contract) });
}

/** The pet as it is now. */
export function moveOn(stored: StoredRecord, { clock }: Pick<World, 'clock'>): StoredRecord {
  const { since = 0, field = '', values = [] } = moving.get(stored) ?? {};
  const start = values.indexOf(stored.record[field]);
  if (start === -1) return stored;
  const steps = Math.max(0, Math.floor((clock.now() - since) / STEP_MS));
  const value = values[Math.min(start + steps, values.length - 1)];
  if (value === stored.record[field]) return stored;
  const known = movedTo.get(stored);
  if (known !== undefined && known.record[field] === value) return known;
  const moved = new StoredRecord({ ...stored.record, [field]: value });
  movedTo.set(stored, moved);
  return moved;
}
