import { actOn, type Profile } from '../../../contract/gaps/gaps.js';
import { readOnce } from '../../../contract/document/document.js';
import { readValueShape, readProperties } from '../../../contract/operations/properties.js';
import { meansNone, orderOf, textOf, type Filter } from '../../../contract/resources/resource.js';
import type { ListQuery } from '../../store/collection.js';
import type { Fields, StoredRecord } from '../../store/stored-record.js';
import type { Call } from '../../world/world.js';
import type { SortTerm } from './page.js';
import { readQuery } from './read-query.js';
import { asFields, type Served } from '../served.js';

/** A filter of a list, and whether the collection's index answers it. */
interface PreparedFilter {
  filter: Filter;
  isIndexed: boolean;
  /** The contract's default, if it means no filter; nothing equals it otherwise. */
  none: unknown;
}

const readFilters = readOnce(prepareFilters);

function prepareFilters({ contract, kept, role }: Served): PreparedFilter[] {
  const properties = readProperties(contract.document, kept.schemaPointer);
  return (role.list?.filters ?? []).map((filter) => {
    const property = properties.find(({ name }) => name === filter.property[0]);
    const parameter = role.operation.parameters.find(
      ({ in: part, name }) => part === 'query' && name === filter.parameter,
    );
    const types = property === undefined ? [] : readValueShape(contract.document, property.schemaPointer, 0).types;
    const isScalar = types.length > 0 && types.every((type) => type !== 'array' && type !== 'object');
    const isSame = parameter?.shape.types.length === 1 && types.includes(parameter.shape.types[0] ?? '');
    const usual = parameter?.schema['default'];
    const isEqual = filter.relation === 'equals' && filter.property.length === 1;
    return { filter, isIndexed: isEqual && isScalar && isSame, none: meansNone(usual) ? usual : NOTHING };
  });
}

const NOTHING = Symbol('nothing');

/** The filters of a call; `undefined` if there are none. */
function readWanted(query: Call['query'], { filter, none }: PreparedFilter): unknown {
  const value = readQuery(query, filter.parameter);
  if (filter.hasCommas === true && value !== undefined)
    return [value].flat().flatMap((each) => textOf(each).split(','));
  return value === none ? undefined : value;
}

/** The query for the collection's index; `'scan'` if every record must be examined. */
export function findIndexed({ query }: Call, served: Served): ListQuery['where'] | 'scan' {
  if (served.role.within !== undefined) return 'scan';
  let where: ListQuery['where'];
  for (const each of readFilters(served)) {
    const value = readWanted(query, each);
    if (value === undefined) continue;
    if (where !== undefined || !each.isIndexed || typeof value === 'object') return 'scan';
    where = { property: each.filter.property[0] ?? '', value };
  }
  return where;
}

/** The records that pass every filter of a call. */
export function chooseRecords(
  all: readonly StoredRecord[],
  { query, path, profile }: Call,
  served: Served,
): readonly StoredRecord[] {
  const owners = (served.role.within ?? []).map(({ parameter, property }) => ({
    property: [property],
    given: path[parameter],
  }));
  const given = readFilters(served)
    .map((each) => ({
      property: each.filter.property,
      fits: findRelation(each.filter, profile),
      wanted: readWanted(query, each),
    }))
    .filter(({ wanted }) => wanted !== undefined);
  if (owners.length + given.length === 0) return all;
  return all.filter(
    ({ record }) =>
      owners.every((owner) => isAnyOf(valueAt(record, owner.property), [owner.given])) &&
      given.every(({ property, fits, wanted }) => fits(valueAt(record, property), [wanted].flat())),
  );
}

function valueAt(record: Fields, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at.flatMap((item: unknown) => asFields(item)?.[name] ?? []);
    return asFields(at)?.[name];
  }, record);
}

type Relation = (value: unknown, given: readonly unknown[]) => boolean;

/** The test of each relation; a missing value passes none but `not`. */
const RELATIONS: Readonly<Record<Filter['relation'], Relation>> = {
  equals: isAnyOf,
  contains: isAnyOf,
  not: (value, given) => !isAnyOf(value, given),
  from: (value, given) => given.every((bound) => compare(value, bound, (order) => order >= 0)),
  to: (value, given) => given.every((bound) => compare(value, bound, (order) => order <= 0)),
  after: (value, given) => given.every((bound) => compare(value, bound, (order) => order > 0)),
  before: (value, given) => given.every((bound) => compare(value, bound, (order) => order < 0)),
  like: (value, given) => [value].flat().some((one) => given.some((text) => includesText(one, text))),
};

/** What each choice of the gaps `lower-bound` and `upper-bound` makes of a bound. */
const LOWER: Readonly<Record<string, Relation>> = {
  inclusive: RELATIONS.from,
  exclusive: RELATIONS.after,
  ignored: () => true,
};
const UPPER: Readonly<Record<string, Relation>> = {
  inclusive: RELATIONS.to,
  exclusive: RELATIONS.before,
  ignored: () => true,
};

function findRelation({ relation }: Filter, profile: Profile): Relation {
  if (relation === 'from') return actOn(profile, 'lower-bound', LOWER);
  return relation === 'to' ? actOn(profile, 'upper-bound', UPPER) : RELATIONS[relation];
}

function isAnyOf(value: unknown, given: readonly unknown[]): boolean {
  const wanted = given.map(textOf);
  return [value].flat().some((one) => one !== undefined && wanted.includes(textOf(one)));
}

function includesText(value: unknown, text: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(textOf(text).toLowerCase());
}

function compare(value: unknown, bound: unknown, fits: (order: number) => boolean): boolean {
  return [value].flat().some((one) => one !== undefined && one !== null && fits(orderOf(one, bound)));
}

/** Sorts by the given properties, records without them last; equal ones keep the order of the list. */
export function sortRecords(records: readonly StoredRecord[], terms: readonly SortTerm[]): readonly StoredRecord[] {
  if (terms.length === 0) return records;
  return records.toSorted(({ record: one }, { record: other }) => {
    for (const { property, sign } of terms) {
      const [a, b] = [valueAt(one, property), valueAt(other, property)];
      const order = compareForSort(a, b);
      if (order !== 0) return a === undefined || b === undefined ? order : sign * order;
    }
    return 0;
  });
}

function compareForSort(a: unknown, b: unknown): number {
  const [lacksA, lacksB] = [a ?? undefined, b ?? undefined].map((value) => value === undefined);
  if (lacksA === true || lacksB === true) return Number(lacksA) - Number(lacksB);
  return orderOf(a, b);
}
