import { readOnce } from '../../contract/document/document.js';
import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { NAME_CHARACTERS, listFreeNumbers, listFreeTexts } from '../../contract/gaps/gaps-of-contract.js';
import { type Fields, StoredRecord, type Kept } from '../store/kept.js';
import type { Call, World } from '../world/world.js';
import type { Served } from './served.js';
import { compareNumbers, isJsonNumber } from '../../contract/numbers/decimal.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { readProperties } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import type { Collection } from '../store/collection.js';

/** What a profile may refuse of a text although the contract allows it. */
const OF_TEXTS: { gap: string; message: string; applies: (text: string) => boolean }[] = [
  { gap: 'empty-name', message: 'must not be empty', applies: (text) => text === '' },
  { gap: 'blank-name', message: 'must not be blank', applies: (text) => text !== '' && text.trim() === '' },
];

interface Fitting {
  texts: readonly string[];
  numbers: readonly string[];
}

/** Why a profile refuses values that the contract allows; `undefined` if it does not. */
export function findFieldRejection(sent: Fields, { profile, world }: Call, served: Served): string | undefined {
  const fields = profile === world.profile ? ofPets(served, world) : readFitting(served);
  if (fields === undefined) return undefined;
  for (const name of fields.texts) {
    const why = findTextRejection(name, sent[name], profile);
    if (why !== undefined) return why;
  }
  const isNegative = (value: unknown): boolean => isJsonNumber(value) && compareNumbers(value, 0) < 0;
  const rejectsNegative = fields.numbers.length > 0 && actOn(profile, 'negative-category', IS_REJECTED);
  const negative = rejectsNegative ? fields.numbers.find((name) => isNegative(sent[name])) : undefined;
  return negative === undefined ? undefined : `body/${negative} must not be negative`;
}

function ofPets({ kept }: Served, world: Call['world']): Fitting | undefined {
  if (!kept.isPets) return undefined;
  const listOf = (gap: string): string[] => [fieldOfGap(gap, world) ?? []].flat();
  return { texts: listOf('empty-name'), numbers: listOf('negative-category') };
}

const readFitting = readOnce(({ kept, contract, role }: Served): Fitting => {
  if (kept.key === undefined) return { texts: [], numbers: [] };
  const own = { key: kept.key };
  return {
    texts: listFreeTexts(role, own, contract).map(({ name }) => name),
    numbers: listFreeNumbers(role, own, contract).map(({ name }) => name),
  };
});

function findTextRejection(name: string, text: unknown, profile: Profile): string | undefined {
  if (typeof text !== 'string') return undefined;
  const found = OF_TEXTS.find(({ gap, applies }) => actOn(profile, gap, IS_REJECTED) && applies(text));
  if (found !== undefined) return `body/${name} ${found.message}`;
  const limit = profile.values?.['name-length-limit'];
  if (typeof limit === 'number' && Array.from(text).length > limit)
    return `body/${name} must have at most ${limit} characters`;
  const kind = profile.seen?.['name-characters']?.find((each) => NAME_CHARACTERS[each]?.test(text) === true);
  return kind === undefined ? undefined : `body/${name} has characters that are not allowed: ${kind}`;
}

// The gaps that only pets have, about the fields that `gaps.yaml` says. They apply to pets of any contract, as far as those have
// such fields.

const IS_REJECTED: Readonly<Record<string, boolean>> = { accepted: false, 'refused-400': true };

const fields = new WeakMap<object, ReadonlyMap<string, string | undefined>>();

function fieldOfGap(id: string, { gaps }: Pick<World, 'gaps'>): string | undefined {
  const known = fields.get(gaps) ?? new Map(gaps.known.map((gap) => [gap.id, gap.field]));
  fields.set(gaps, known);
  return known.get(id);
}

/** Why a profile refuses what a new pet refers to; `undefined` if it does not, or for other records. */
export function findReferenceRejection(
  sent: Fields,
  kept: Kept,
  collection: Collection,
  { profile, world }: { profile: Profile; world: Pick<World, 'gaps'> },
): string | undefined {
  if (!kept.isPets || !actOn(profile, 'unknown-category', IS_REJECTED)) return undefined;
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

interface Moving {
  since: number;
  field: string;
  values: readonly unknown[];
}

const moving = new WeakMap<StoredRecord, Moving>();
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
