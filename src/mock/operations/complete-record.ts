import { readOnce } from '../../contract/document/document.js';
import { asObject, asList } from '../../contract/document/plain.js';
import { listDefaultFilters } from '../../contract/resources/resource.js';
import type { Property } from '../../contract/operations/properties.js';
import { readProperties, hasMark, readValueShape, areApart } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { mendKept, type MendOptions, makeAt } from '../fixtures/mend-record.js';
import type { Collection } from '../store/collection.js';
import type { Key, KeyRule, Fields, Kept } from '../store/kept.js';
import { StoredRecord, omit, withoutHidden, describeByPath, fitKey } from '../store/kept.js';
import type { Call, World } from '../world/world.js';
import { createDraw, isTimeOfChange, isTimeOfEnd, stampTime } from '../values/making.js';
import { createMaker } from '../values/create-maker.js';
import type { Served } from './respond.js';
import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { plainName } from '../../contract/resources/words.js';
import {
  NAME_CHARACTERS,
  listFreeNumbers,
  listFreeTexts,
  listUnsettable,
} from '../../contract/gaps/gaps-of-contract.js';
import { compareNumbers, isJsonNumber } from '../../contract/document/json.js';
import type { Contract } from '../../contract/contract.js';

type Completing = { call: Call; served: Served; collection: Collection; within: readonly Key[]; before?: Fields };

/** A record with the fields that the service assigns, conforming to the contract. `undefined` if what the client sends cannot become one. */
export function completeRecord(fields: Fields, completing: Completing): Fields | undefined {
  const { call, served, collection } = completing;
  const record = makeWhole(fields, completing);
  const { contract, kept } = served;
  return record && createUnsetter({ contract, kept, profile: call.profile, key: collection.key })(record);
}

function makeWhole(fields: Fields, { call, served, collection, within, before }: Completing): Fields | undefined {
  const { kept, contract, role } = served;
  const plan = readPlan(served);
  const outer = role.within ?? [];
  const named: Record<string, unknown> =
    kept.scope.length + outer.length === 0 ? fields : { ...fields, ...describeByPath(kept, within, contract) };
  for (const { parameter, property } of outer)
    named[property] = fitKey(call.path[parameter], plan.places.get(property), contract);
  if (plan.isWhole) return named;
  const now = call.world.clock.now();
  const index = collection.size;
  const isNew = before === undefined;
  const make = createMaker({ draw: createDraw(`${kept.name} ${index}`), index, now, isNew });
  const assigned = kept.assigned.flatMap(({ name, schemaPointer }) => {
    // A new record gets everything that is missing; a changed one, the time of the change, unless the client sends it.
    const isAssigned = isNew ? !Object.hasOwn(named, name) : isTimeOfChange(name) && named[name] === before[name];
    if (!isAssigned || (isTimeOfEnd(name) && !plan.required.has(name))) return [];
    const schema = asObject(resolveAt(contract.document, schemaPointer).value);
    const place = { name, subject: kept.singular, holder: named, siblings: plan.names };
    // The states of what comes into being are listed from the first on.
    const nth = Array.isArray(schema['enum']) ? 0 : index;
    const value =
      stampTime(name, schema, now) ?? makeAt(contract.document, schemaPointer, { now, index: nth, make, place });
    return value === undefined ? [] : [[name, value] as const];
  });
  const defaults = isNew ? plan.defaults.filter(([name]) => !Object.hasOwn(named, name)) : [];
  const whole: Fields = { ...named, ...Object.fromEntries([...assigned, ...defaults]) };
  const key = collection.key.property;
  // Storing the record makes its key; until then any possible key will do.
  const stand = key === undefined || whole[key] !== undefined ? {} : { [key]: collection.key.make(BigInt(index + 1)) };
  const mend = (replaces: MendOptions['replaces'], base: Fields = {}): Fields | undefined => {
    const options = { now, index, make, subject: kept.singular, key, replaces };
    return mendKept({ ...base, ...stand, ...whole }, kept, contract, options);
  };
  const accepts = (at: string, value: unknown): boolean => contract.validate.value(at, value).length === 0;
  // A record may need more than what is required, to be one of several kinds.
  const sampleWhole = (): Fields =>
    asObject(sampleValue(contract.document, kept.schemaPointer, { accepts, optional: true }));
  // A patch is judged by the record alone. What a record must have and a replacement need not name stays as it was.
  const isRequest = role.requestPointer !== undefined && role.patch === undefined;
  const mended =
    mend(false) ??
    (isNew ? (mend(true) ?? mend(true, sampleWhole())) : undefined) ??
    (!isNew && isRequest ? mend('types') : undefined) ??
    (!isNew && isRequest && role.role === 'replace' ? (mend('types', before) ?? mend(true, before)) : undefined);
  if (mended === undefined) return undefined;
  // What the contract lets a client send may be nothing that it lets a record have.
  const changed = Object.keys(fields).filter((name) => ![before?.[name], mended[name]].includes(fields[name]));
  if (changed.length > 0)
    call.note ??= `the contract allows body/${changed.join(', body/')} in the request, but not in a ${kept.singular}, so the stored ${kept.singular} has another value`;
  return key === undefined || whole[key] !== undefined ? mended : omit(mended, key);
}

interface Plan {
  isWhole: boolean;
  names: readonly string[];
  defaults: readonly (readonly [string, unknown])[];
  required: ReadonlySet<string>;
  places: ReadonlyMap<string, string>;
}

const readPlan = readOnce((served: Served): Plan => {
  const { contract, kept, role } = served;
  const { document } = contract;
  const properties = readProperties(document, kept.schemaPointer);
  const names = properties.map(({ name }) => name);
  const sent = role.requestPointer === undefined ? [] : readProperties(document, role.requestPointer);
  const { decided } = readFields(served);
  const given = new Map(sent.filter(({ name }) => !decided.has(name)).map((property) => [property.name, property]));
  const listed = new Map(kept.operations.flatMap(listDefaultFilters));
  const defaults = properties.flatMap(({ name, schemaPointer, required: isRequired }) => {
    const ownPlace = given.get(name)?.schemaPointer;
    // What a request leaves out is what its own schema says; and a new record is one that its list shows.
    const value =
      (ownPlace === undefined ? undefined : readDefault(document, ownPlace)) ??
      readDefault(document, schemaPointer) ??
      (given.has(name) ? undefined : listed.get(name));
    if (value === undefined || (value === null && !isRequired) || name === kept.key?.property) return [];
    // Documents have defaults that their own schemas refuse (`"false"` for a boolean).
    return contract.validate.value(schemaPointer, value).length > 0 ? [] : [[name, value] as const];
  });
  const others = properties.filter(({ name }) => name !== kept.key?.property);
  const isSame = ({ name, schemaPointer }: Property): boolean => {
    const own = given.get(name)?.schemaPointer;
    return own !== undefined && resolveAt(document, own).pointer === resolveAt(document, schemaPointer).pointer;
  };
  // Inside an object, a request may lack what only answers must have.
  const isFlat = ({ schemaPointer }: Property): boolean => {
    const { types } = readValueShape(document, schemaPointer, 0);
    return types.length > 0 && !types.includes('object') && !types.includes('array');
  };
  const required = others.filter((property) => property.required);
  const isWhole =
    kept.assigned.length + defaults.length === 0 &&
    others.length > 0 &&
    required.every(({ name }) => given.get(name)?.required === true) &&
    others.every((property) => isSame(property) && isFlat(property));
  const places = new Map(properties.map(({ name, schemaPointer }) => [name, schemaPointer]));
  return { isWhole, names, defaults, required: new Set(required.map(({ name }) => name)), places };
});

/** It may stand beside a reference. */
export const readDefault = (document: Served['contract']['document'], at: string): unknown =>
  asObject(document.at(at))['default'] ?? asObject(resolveAt(document, at).value)['default'];

interface KnownFields {
  sent: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  /** Fields of which only the service decides (JSON Schema Validation 2020-12 section 9.4). */
  decided: ReadonlySet<string>;
  names: ReadonlyMap<string, string>;
  isOpen: boolean;
}

export const readFields = readOnce(({ contract, kept, role }: Served): KnownFields => {
  const { document } = contract;
  const described = readProperties(document, kept.schemaPointer);
  const ofRecord = new Set(described.map(({ name }) => name));
  const sent = role.requestPointer === undefined ? [] : readProperties(document, role.requestPointer);
  // A record that describes a field without the mark lets an answer show it.
  const hidden = [...sent.filter(({ name }) => !ofRecord.has(name)), ...described]
    .filter(({ schemaPointer }) => hasMark(document, schemaPointer, 'writeOnly'))
    .map(({ name }) => name);
  const names = findOtherStyles(sent, described);
  const foreign = ofRecord.size === 0 ? [] : sent.map(({ name }) => name).filter((name) => !ofRecord.has(name));
  // No record can have the value: a request may take a name where the record has an object.
  const places = new Map(described.map(({ name, schemaPointer }) => [name, schemaPointer]));
  const others = sent.filter(({ name, schemaPointer }) => {
    const own = places.get(name);
    if (own === undefined) return false;
    return areApart(readValueShape(document, schemaPointer, 0), readValueShape(document, own, 0));
  });
  const isSent = new Set(sent.map(({ name }) => name));
  // A request that describes a field without the mark lets a client give it.
  const readOnly = [...sent, ...described.filter(({ name }) => !isSent.has(name))].filter(({ schemaPointer }) =>
    hasMark(document, schemaPointer, 'readOnly'),
  );
  const { requestPointer } = role;
  const { additionalProperties: more } =
    requestPointer === undefined ? {} : asObject(resolveAt(document, requestPointer).value);
  return {
    names,
    decided: new Set(readOnly.map(({ name }) => name)),
    sent: isSent,
    hidden: new Set([...hidden, ...foreign.filter((name) => !names.has(name)), ...others.map(({ name }) => name)]),
    isOpen: sent.length === 0 || more === true || (typeof more === 'object' && more !== null),
  };
});

function findOtherStyles(sent: readonly Property[], described: readonly Property[]): Map<string, string> {
  const isTaken = new Set(sent.map(({ name }) => name));
  const ofRecord = new Set(described.map(({ name }) => name));
  const byPlain = new Map(described.map(({ name }) => [plainName(name), name]));
  const others = sent.flatMap(({ name }): [string, string][] => {
    const own = ofRecord.has(name) ? undefined : byPlain.get(plainName(name));
    return own === undefined || isTaken.has(own) ? [] : [[name, own]];
  });
  return new Map(others);
}

export const isKnownField = (name: string, { sent, isOpen }: KnownFields): boolean => isOpen || sent.has(name);

export const nameAsRecord = (fields: [string, unknown][], { names }: KnownFields): [string, unknown][] =>
  names.size === 0 ? fields : fields.map(([name, value]) => [names.get(name) ?? name, value]);

const KEEPS_EXTRA_FIELDS: Record<string, boolean> = { dropped: false, kept: true, 'refused-400': false };

export function shapeFields(sent: Fields, { world, profile }: Call, served: Served): Fields {
  const fields = readFields(served);
  const keepsExtra = actOn(profile, 'extra-fields', KEEPS_EXTRA_FIELDS);
  const key = served.kept.key?.property;
  const taken = Object.entries(sent).filter(
    ([name]) => (keepsExtra || isKnownField(name, fields)) && !fields.hidden.has(name) && !fields.decided.has(name),
  );
  const kept = nameAsRecord(taken, fields).filter(([name]) => name !== key);
  const chosen = chosenWhenOmitted(sent, served.kept, world);
  return Object.fromEntries(chosen === undefined ? kept : [...kept, chosen]);
}

const OF_TEXTS: { gap: string; message: string; applies: (text: string) => boolean }[] = [
  { gap: 'empty-name', message: 'must not be empty', applies: (text) => text === '' },
  { gap: 'blank-name', message: 'must not be blank', applies: (text) => text !== '' && text.trim() === '' },
];

type Fitting = { texts: readonly string[]; numbers: readonly string[] };

/** Why a profile refuses values that the contract allows; `undefined` if it does not. */
export function findFieldRejection(sent: Fields, { profile, world }: Call, served: Served): string | undefined {
  // A profile that does not tell resources apart is about pets.
  const ofAll = served.kept.isPets ? readFittingOfPets(world.gaps) : NO_FIELDS;
  const fields = profile === world.profile ? ofAll : readFitting(served);
  for (const name of fields.texts) {
    const why = findTextRejection(name, sent[name], profile);
    if (why !== undefined) return why;
  }
  const isNegative = (value: unknown): boolean => isJsonNumber(value) && compareNumbers(value, 0) < 0;
  const rejectsNegative = fields.numbers.length > 0 && actOn(profile, 'negative-category', IS_REJECTED);
  const negative = rejectsNegative ? fields.numbers.find((name) => isNegative(sent[name])) : undefined;
  return negative === undefined ? undefined : `body/${negative} must not be negative`;
}

const NO_FIELDS: Fitting = { texts: [], numbers: [] };

const readFittingOfPets = readOnce((gaps: World['gaps']): Fitting => {
  const listOf = (gap: string): string[] => [fieldOfGap(gap, { gaps }) ?? []].flat();
  return { texts: listOf('empty-name'), numbers: listOf('negative-category') };
});

const readFitting = readOnce(({ kept: { key }, contract, role }: Served): Fitting => {
  if (key === undefined) return NO_FIELDS;
  const [texts, numbers] = [listFreeTexts, listFreeNumbers].map((list) => list(role, { key }, contract));
  return { texts: (texts ?? []).map(({ name }) => name), numbers: (numbers ?? []).map(({ name }) => name) };
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

const IS_REJECTED: Readonly<Record<string, boolean>> = { accepted: false, 'refused-400': true };
const readFieldsOfGaps = readOnce((gaps: World['gaps']) => new Map(gaps.known.map(({ id, field }) => [id, field])));
const fieldOfGap = (id: string, { gaps }: Pick<World, 'gaps'>): string | undefined => readFieldsOfGaps(gaps).get(id);

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

type Moving = { since: number; field: string; values: readonly unknown[] };

const moving = new WeakMap<StoredRecord, Moving>();
const movedTo = new WeakMap<StoredRecord, StoredRecord>();
export const letsStatusMove = (profile: Profile): boolean => actOn(profile, 'status-after-create', MOVES);

export function startMoving(stored: StoredRecord, kept: Kept, { profile, clock, contract, gaps }: World): void {
  if (!letsStatusMove(profile) || !kept.isPets) return;
  const field = fieldOfGap('status-after-create', { gaps }) ?? '';
  moving.set(stored, { since: clock.now(), field, values: listValues(field, kept, contract) });
}

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

const SHOWS_NULL: Readonly<Record<string, boolean>> = { omitted: false, 'as-null': true };
const asItIs = (record: Fields): Fields => record;

type SettingOptions = { contract: Contract; profile: Profile; kept: Kept; key: KeyRule };

/** What the gap `unset-fields` makes of a record: unchanged, or with null for what has no value and may be null. */
export function createUnsetter({ contract, profile, kept, key }: SettingOptions): (record: Fields) => Fields {
  if (!actOn(profile, 'unset-fields', SHOWS_NULL)) return asItIs;
  const names = listUnsettable(contract.document, kept.schemaPointer).map(({ name }) => name);
  const stand = key.property === undefined ? {} : { [key.property]: key.make(1n) };
  return (record) => {
    const unset = names.filter((name) => !Object.hasOwn(record, name));
    const fuller = { ...record, ...Object.fromEntries(unset.map((name) => [name, null])) };
    return contract.validate.value(kept.schemaPointer, withoutHidden({ ...stand, ...fuller }, kept.key)).length === 0
      ? fuller
      : record;
  };
}
