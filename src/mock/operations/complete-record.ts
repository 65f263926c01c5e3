import { readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { listDefaultFilters } from '../../contract/resources/resource.js';
import {
  readProperties,
  type Property,
  hasMark,
  readValueShape,
  areApart,
} from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { mendKept, type MendOptions, createUnsetter, makeAt } from '../fixtures/mend-record.js';
import type { Collection } from '../store/collection.js';
import type { Key, Fields } from '../store/kept.js';
import { describeByPath, fitKey } from '../store/make-keys.js';
import type { Call } from '../world/world.js';

import { createDraw } from '../values/making.js';
import { createMaker } from '../values/create-maker.js';
import type { Served } from './served.js';
import { isTimeOfChange, isTimeOfEnd, stampTime } from '../values/times.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { plainName } from '../../contract/resources/words.js';
import { chosenWhenOmitted } from './record-gaps.js';

interface Completing {
  call: Call;
  served: Served;
  collection: Collection;
  within: readonly Key[];
  before?: Fields;
}

/**
 * A record with the fields that the service assigns, conforming to the contract. `undefined` if what the client
 * sends cannot become one.
 */
export function completeRecord(fields: Fields, completing: Completing): Fields | undefined {
  const record = makeWhole(fields, completing);
  if (record === undefined) return undefined;
  const { call, served, collection } = completing;
  const { contract, kept } = served;
  return createUnsetter({ contract, kept, profile: call.profile, key: collection.key })(record);
}

function makeWhole(fields: Fields, completing: Completing): Fields | undefined {
  const { call, served, collection, before } = completing;
  const { kept, contract } = served;
  const plan = readPlan(served);
  const named = nameByPath(fields, completing, plan);
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
  const whole = { ...named, ...Object.fromEntries([...assigned, ...defaults]) };
  const key = collection.key.property;
  // Storing the record makes its key; until then any possible key will do.
  const stand = key === undefined || whole[key] !== undefined ? {} : { [key]: collection.key.make(BigInt(index + 1)) };
  const options = { now, index, make, subject: kept.singular, key };
  const mend: Mend = (replaces, base = {}) =>
    mendKept({ ...base, ...stand, ...whole }, kept, contract, { ...options, replaces });
  const mended = mend(false) ?? (isNew ? mendNew(mend, completing) : mendChanged(mend, completing));
  if (mended !== undefined) noteChanged(fields, mended, completing);
  if (mended === undefined || key === undefined || whole[key] !== undefined) return mended;
  return Object.fromEntries(Object.entries(mended).filter(([name]) => name !== key));
}

type Mend = (replaces: MendOptions['replaces'], base?: Fields) => Fields | undefined;

/**
 * What is no value of a record, of one that was valid as a request; a patch is judged by the record alone. What a record
 * must have and a replacement need not name stays as it was.
 */
function mendChanged(mend: Mend, { served: { role }, before }: Completing): Fields | undefined {
  if (role.requestPointer === undefined || role.patch !== undefined) return undefined;
  return mend('types') ?? (role.role === 'replace' ? (mend('types', before) ?? mend(true, before)) : undefined);
}

/** A record may need more than what is required, to be one of several kinds. */
function mendNew(mend: Mend, { served: { contract, kept } }: Completing): Fields | undefined {
  const accepts = (at: string, value: unknown): boolean => contract.validate.value(at, value).length === 0;
  return (
    mend(true) ?? mend(true, asObject(sampleValue(contract.document, kept.schemaPointer, { accepts, optional: true })))
  );
}

/** What the contract lets a client send may be nothing that it lets a record have. */
function noteChanged(sent: Fields, record: Fields, { call, served, before }: Completing): void {
  const changed = Object.keys(sent).filter((name) => sent[name] !== before?.[name] && record[name] !== sent[name]);
  if (changed.length === 0) return;
  const { singular } = served.kept;
  call.note ??= `the contract allows body/${changed.join(', body/')} in the request, but not in a ${singular}, so the stored ${singular} has another value`;
}

function nameByPath(fields: Fields, { served, call, within }: Completing, { places }: Plan): Fields {
  const { kept, contract, role } = served;
  const outer = role.within ?? [];
  if (kept.scope.length + outer.length === 0) return fields;
  const named = outer.map(({ parameter, property }) => [
    property,
    fitKey(call.path[parameter], places.get(property), contract),
  ]);
  return { ...fields, ...describeByPath(kept, within, contract), ...Object.fromEntries(named) };
}

/** How to turn a request into a complete record; read from the contract once. */
interface Plan {
  /** Whether a request plus a key is already a complete record. */
  isWhole: boolean;
  names: readonly string[];
  defaults: readonly (readonly [string, unknown])[];
  required: ReadonlySet<string>;
  /** JSON Pointers to the schemas of the properties, by name. */
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
export function readDefault(document: Served['contract']['document'], at: string): unknown {
  return asObject(document.at(at))['default'] ?? asObject(resolveAt(document, at).value)['default'];
}

/** Which fields of a record a request may have. */
interface KnownFields {
  sent: ReadonlySet<string>;
  /** Fields of the request that are not part of the record, so no response shows them. */
  hidden: ReadonlySet<string>;
  /** Fields of which only the service decides (JSON Schema Validation 2020-12 section 9.4). */
  decided: ReadonlySet<string>;
  /** The record's names for fields that a request writes in another style: `FriendlyName` is `friendly_name`. */
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

export function isKnownField(name: string, { sent, isOpen }: KnownFields): boolean {
  return isOpen || sent.has(name);
}

export function nameAsRecord(fields: [string, unknown][], { names }: KnownFields): [string, unknown][] {
  return names.size === 0 ? fields : fields.map(([name, value]) => [names.get(name) ?? name, value]);
}

const KEEPS_EXTRA_FIELDS: Record<string, boolean> = { dropped: false, kept: true, 'refused-400': false };

/** The part of a request that is stored: without the key, and only the extra fields that the profile keeps. */
export function shapeFields(sent: Fields, { world, profile }: Call, served: Served): Fields {
  const fields = readFields(served);
  const keepsExtra = actOn(profile, 'extra-fields', KEEPS_EXTRA_FIELDS);
  const key = served.kept.key?.property;
  const taken = Object.entries(sent).filter(
    ([name]) => (keepsExtra || isKnownField(name, fields)) && !fields.hidden.has(name) && !fields.decided.has(name),
  );
  const kept = nameAsRecord(taken, fields).filter(([name]) => name !== key);
  const chosen = chosenWhenOmitted(sent, served.kept, world);
  // `fromEntries` defines own properties, so a field called `__proto__` stays data.
  return Object.fromEntries(chosen === undefined ? kept : [...kept, chosen]);
}
