import { readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { listDefaultFilters } from '../../contract/resources/resource.js';
import { readProperties, type Property, readValueShape } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { mendKept, type MendOptions } from '../fixtures/mend-record.js';
import { createUnsetter } from '../fixtures/unset-fields.js';
import type { Collection } from '../store/collection.js';
import type { Key } from '../store/keys.js';
import { describeByPath, fitKey } from '../store/path-fields.js';
import type { Fields } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import { readDefault } from './patches/fill-removed.js';
import { createDraw } from '../values/draw.js';
import { createMaker } from '../values/create-maker.js';
import { makeAt } from '../values/make-at.js';
import type { Served } from './served.js';
import { readFields } from './shape-fields.js';
import { isTimeOfChange, isTimeOfEnd, stampTime } from '../values/times.js';

export interface Completing {
  call: Call;
  served: Served;
  collection: Collection;
  within: readonly Key[];
  /** The record before the change. */
  before?: Fields;
}

/**
 * A record with the fields that the service assigns, conforming to the contract. `undefined` if what the client
 * sends cannot become one.
 */
export function completeRecord(fields: Fields, completing: Completing): Fields | undefined {
  const record = makeWhole(fields, completing);
  const { call, served, collection } = completing;
  const { contract, kept } = served;
  return record === undefined
    ? undefined
    : createUnsetter({ contract, kept, profile: call.profile, key: collection.key })(record);
}

function makeWhole(fields: Fields, completing: Completing): Fields | undefined {
  const { call, served, collection } = completing;
  const { kept, contract } = served;
  const plan = readPlan(served);
  const named = nameByPath(fields, completing, plan);
  if (plan.isWhole) return named;
  const now = call.world.clock.now();
  const index = collection.size;
  const make = createMaker({
    draw: createDraw(`${kept.name} ${index}`),
    index,
    now,
    isNew: completing.before === undefined,
  });
  const isMissing = ({ name }: Property): boolean => isAssignedNow(name, named, completing.before);
  const assigned = plan.assigned.filter(isMissing).flatMap(({ name, schemaPointer }) => {
    const schema = asObject(resolveAt(contract.document, schemaPointer).value);
    if (isTimeOfEnd(name) && !plan.required.has(name)) return [];
    const place = { name, subject: kept.singular, holder: named, siblings: plan.names };
    // The states of what comes into being are listed from the first on.
    const nth = Array.isArray(schema['enum']) ? 0 : index;
    const value =
      stampTime(name, schema, now) ?? makeAt(contract.document, schemaPointer, { now, index: nth, make, place });
    return value === undefined ? [] : [[name, value] as const];
  });
  const defaults = completing.before === undefined ? plan.defaults.filter(([name]) => !Object.hasOwn(named, name)) : [];
  const whole = { ...named, ...Object.fromEntries([...assigned, ...defaults]) };
  const key = collection.key.property;
  // Storing the record makes its key; until then any possible key will do.
  const stand = key === undefined || whole[key] !== undefined ? {} : { [key]: collection.key.make(BigInt(index + 1)) };
  const mend: Mend = (replaces, base = {}) =>
    mendKept({ ...base, ...stand, ...whole }, kept, contract, {
      now,
      index,
      make,
      subject: kept.singular,
      replaces,
      key,
    });
  const mended =
    mend(false) ?? (completing.before === undefined ? mendNew(mend, completing) : mendChanged(mend, completing));
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
  const sample = (): Fields =>
    asObject(sampleValue(contract.document, kept.schemaPointer, { accepts, optional: true }));
  return mend(true) ?? mend(true, sample());
}

/** What the contract lets a client send may be nothing that it lets a record have. */
function noteChanged(sent: Fields, record: Fields, { call, served, before }: Completing): void {
  const changed = Object.keys(sent).filter((name) => sent[name] !== before?.[name] && record[name] !== sent[name]);
  if (changed.length === 0) return;
  const { singular } = served.kept;
  call.note ??= `the contract allows body/${changed.join(', body/')} in the request, but not in a ${singular}, so the stored ${singular} has another value`;
}

/** A new record gets everything that is missing; a changed one, the time of the change, unless the client sends it. */
function isAssignedNow(name: string, fields: Fields, before: Fields | undefined): boolean {
  if (before === undefined) return !Object.hasOwn(fields, name);
  return isTimeOfChange(name) && fields[name] === before[name];
}

/** Sets the properties that repeat what is in the path: the parent's key, and the other values. */
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
  /** Of all properties. */
  names: readonly string[];
  assigned: readonly Property[];
  defaults: readonly (readonly [string, unknown])[];
  required: ReadonlySet<string>;
  /** JSON Pointers to the schemas of the properties, by name. */
  places: ReadonlyMap<string, string>;
}

const readPlan = readOnce(makePlan);

function makePlan(served: Served): Plan {
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
  return {
    isWhole,
    names,
    assigned: kept.assigned,
    defaults,
    required: new Set(required.map(({ name }) => name)),
    places,
  };
}
