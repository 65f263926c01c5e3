import { asText } from '../document/plain.js';
import type { RoleFinder, LikenessCheck, Located, SchemaView } from './bodies.js';
import {
  createLikenessCheck,
  readSuccess,
  compareProperties,
  follow,
  locateList,
  locateMap,
  locateRecord,
} from './bodies.js';
import type { SourceDocument } from '../document/document.js';
import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';
import { reject, type Correction, isManner, listParameters, type Candidate } from './candidates.js';
import { findRoles, readSource } from './find-roles.js';
import type { Resource, ResourceNote, RecordKey } from './resource.js';
import { nameSingular, plainName } from './words.js';

export interface Draft {
  resource: Resource;
  candidate: Candidate;
  finder: RoleFinder;
  correction: Correction;
  /** Whether its item is all that it has, so that it is none unless a create is found elsewhere. */
  isAlone: boolean;
}

export interface Reading {
  document: SourceDocument;
  operations: readonly Operation[];
  view: SchemaView;
  correct: (candidate: Candidate) => Correction;
  stems: ReadonlySet<string>;
  notes: ResourceNote[];
}

export function readResource(candidate: Candidate, reading: Reading): Draft | undefined {
  const correction = reading.correct(candidate);
  if (correction.isResource === false || (correction.isResource !== true && isManner(candidate.name))) return undefined;
  const record = findRecord(candidate, reading, correction);
  if (record === undefined)
    return correction.isResource === true ? rejectAll(candidate, correction) : noteMiss(candidate, reading);
  const notes: ResourceNote[] = [];
  const check = createLikenessCheck(reading.view, record.schemaPointer, record.key);
  const finder: RoleFinder = {
    view: reading.view,
    record: { name: candidate.name, stem: candidate.stem, ...record, members: correction.members ?? {}, check },
    note: ({ id, pointer }, why) => notes.push({ message: `${id} is stateless: ${why}.`, pointer }),
    roleOf: ({ id }) => correction.operations?.[id],
  };
  const operations = findRoles(candidate, finder);
  const isAlone =
    operations.length === 1 &&
    operations[0]?.role === 'get' &&
    listParameters(candidate.segments).length === 0 &&
    correction.isResource !== true;
  const isResource = operations.length >= 2 && operations.some(({ role }) => role === 'get' || role === 'list');
  if (!isAlone && !isResource)
    return correction.isResource === true ? rejectAll(candidate, correction) : noteMiss(candidate, reading);
  const { name, parameter, item, segments, collectionPath } = candidate;
  const { view } = reading;
  const { schemaPointer, key } = record;
  const inPath = item.operations[0]?.parameters.find((each) => each.in === 'path' && each.name === parameter);
  const sent = operations.find(({ role }) => role === 'create')?.requestPointer;
  const taken = sent === undefined ? undefined : view.plainProperties(sent);
  const assigned = [...view.properties(schemaPointer).values()].filter((each) => {
    if (each.name === key.name) return false;
    const isTaken = taken === undefined || taken.has(plainName(each.name));
    return view.schema(each.schemaPointer)['readOnly'] === true || (each.required && !isTaken);
  });
  const resource: Resource = {
    name,
    singular: nameSingular(name),
    collectionPath,
    itemPath: item.path,
    schemaPointer,
    key: {
      property: key.name,
      parameter,
      kind: readKind(view, key.schemaPointer, inPath?.schemaPointer),
      ...readSource(view, operations, key.name),
      schemaPointer: key.schemaPointer,
      ...(view.properties(schemaPointer).has(key.name) ? {} : { isHidden: true }),
    },
    scope: listParameters(segments),
    parent: undefined,
    assigned,
    operations,
    notes,
  };
  return { resource, candidate, finder, correction, isAlone };
}

type FoundRecord = Pick<Property, 'schemaPointer'> & Record<'key', Property>;
type KeyNaming = Pick<Candidate, 'parameter' | 'stem'>;

function findRecord(candidate: Candidate, { view, stems }: Reading, correction: Correction): FoundRecord | undefined {
  const { item, collection, stem, parameter } = candidate;
  const inPath = item.operations.flatMap(({ parameters }) =>
    parameters.filter((each) => each.in === 'path' && each.name === parameter),
  );
  const isText =
    inPath.length > 0 && inPath.every(({ shape: { types } }) => types.length === 1 && types[0] === 'string');
  const keyOf = (pointer: string): Property | undefined =>
    correction.key === undefined
      ? findKey(view, pointer, candidate, isText)
      : view.findProperty(pointer, correction.key);
  const check: LikenessCheck = (pointer) => (keyOf(pointer) === undefined ? undefined : 'alike');
  const find = (method: string, operations: readonly Operation[], locate: typeof locateRecord): Located | undefined => {
    const operation = operations.find((each) => each.method === method);
    const body = operation === undefined ? undefined : readSuccess(operation)?.schemaPointer;
    if (body === undefined) return undefined;
    const member = locate === locateList ? correction.members?.list : correction.members?.record;
    return member === undefined ? locate(view, body, stem, check) : follow(view, body, member);
  };
  const ofCollection = collection?.operations ?? [];
  const hasGet = item.operations.some(({ method }) => method === 'GET');
  const located = hasGet
    ? find('GET', item.operations, locateRecord)
    : (find('GET', ofCollection, locateList) ?? find('POST', ofCollection, locateRecord));
  const key = located === undefined ? undefined : keyOf(located.pointer);
  if (located === undefined || key === undefined)
    return hasGet && correction.key === undefined ? findHidden(candidate, view) : undefined;
  if (correction.key === undefined && namesAnother(view, located.pointer, { parameter, stem }, stems)) return undefined;
  return { schemaPointer: view.settle(located.pointer), key };
}

/** A record that does not show its key, if the list has such records by their keys: `{"a7": {"name": "Home"}}`. */
function findHidden({ item, collection, stem, parameter }: Candidate, view: SchemaView): FoundRecord | undefined {
  const bodyOf = (operations: readonly Operation[], wanted = 'GET'): string | undefined => {
    const found = operations.find(({ method }) => method === wanted);
    return found === undefined ? undefined : readSuccess(found)?.schemaPointer;
  };
  const [one, all] = [bodyOf(item.operations), bodyOf(collection?.operations ?? [])];
  if (one === undefined || all === undefined || view.properties(one).size === 0) return undefined;
  const isAlike: LikenessCheck = (pointer) => (compareProperties(view, pointer, one) === 1 ? 'alike' : undefined);
  if (locateMap(view, all, stem, isAlike) === undefined) return undefined;
  const [inPath] = item.operations.flatMap(({ parameters }) => parameters.filter(({ name }) => name === parameter));
  if (inPath?.schemaPointer === undefined) return undefined;
  // What a create says of the key alone may say more of it than the path: that it is a UUID.
  const created = bodyOf(collection?.operations ?? [], 'POST');
  const alone = created === undefined ? undefined : view.findProperty(created, parameter);
  const key = { name: parameter, required: false, schemaPointer: alone?.schemaPointer ?? inPath.schemaPointer };
  return { schemaPointer: view.settle(one), key };
}

function namesAnother(
  view: SchemaView,
  record: string,
  { parameter, stem: own }: KeyNaming,
  stems: ReadonlySet<string>,
): boolean {
  const stem = plainName(parameter).replace(/(?:id|uuid|key|code|name|slug|sid)$/, '');
  if (stem === '' || stem === own || own.endsWith(stem) || stem.endsWith(own) || !stems.has(stem)) return false;
  const ownKey = view.findProperty(record, 'id') ?? view.findProperty(record, `${own}id`);
  return ownKey !== undefined && view.findProperty(record, parameter) !== undefined;
}

function rejectAll({ collectionPath, item, name }: Candidate, correction: Correction): never {
  const { key } = correction;
  const message =
    key === undefined
      ? `the responses of ${collectionPath} and ${item.path} have no record with a key; name the property with \`key\`, and the place of the record with \`members\`.`
      : `the response of ${item.path} has no property ${key} that could be the key of ${name}.`;
  return reject(correction, key === undefined ? '' : 'key', message);
}

function noteMiss({ item, collectionPath, name }: Candidate, { view, notes }: Reading): undefined {
  const get = item.operations.find(({ method }) => method === 'GET');
  const writes = item.operations.some(({ method }) => method === 'PUT' || method === 'PATCH' || method === 'DELETE');
  const body = get === undefined ? undefined : readSuccess(get)?.schemaPointer;
  if (get === undefined || body === undefined || !writes || view.properties(body).size === 0) return undefined;
  const why = `it is not clear which property in the response of ${get.id} is the key of ${name}`;
  notes.push({ message: `${collectionPath} is stateless: ${why}.`, pointer: get.pointer, missed: { name, why } });
  return undefined;
}

const ENDINGS: readonly (readonly [ending: string, properties: readonly string[]])[] = [
  ['uuid', ['uuid', 'id']],
  ['guid', ['guid', 'id']],
  ['gid', ['gid', 'id']],
  ['uid', ['uid', 'uuid', 'id']],
  ['pk', ['pk', 'id']],
  ['sid', ['sid']],
  ['slug', ['slug']],
  ['identifier', ['identifier', 'id']],
  ['id', ['id', 'uuid', 'sid', 'guid']],
  ['key', ['key', 'id']],
  ['code', ['code', 'id']],
  ['username', ['username', 'login', 'handle', 'name']],
  ['name', ['name']],
  ['number', ['number', 'id']],
  ['handle', ['handle']],
  ['token', ['token', 'id']],
  ['ref', ['ref', 'reference', 'id']],
];

const ANY = ['id', 'uuid', 'gid', 'uid', 'pk', 'sid', 'slug', 'key', 'code', 'login', 'name'];
const TEXTS = ['slug', 'login', 'handle', 'username', 'uuid', 'gid', 'uid'];

function findKey(view: SchemaView, record: string, naming: KeyNaming, isText: boolean): Property | undefined {
  const isOfTypes = (property: Property, ...allowed: string[]): boolean =>
    view.types(property.schemaPointer).every((type) => allowed.includes(type));
  const find = (names: readonly string[]): Property | undefined =>
    names
      .map((name) => view.findProperty(record, name))
      .find((each) => each && isOfTypes(each, 'string', 'integer', 'number') && view.isCertain(record, each.name));
  const { parameter, stem } = naming;
  const plain = plainName(parameter);
  // `{pet}`, which does not say what of a pet it is.
  const isBare = plain === stem || plain === `${stem}s`;
  const [ending, properties] = ENDINGS.find(([each]) => plain.endsWith(each)) ?? ['', []];
  // `no` of a firing for `{firingNo}`.
  const rest = plain.startsWith(stem) ? plain.slice(stem.length) : '';
  const ofEnding = [
    parameter,
    ...properties,
    ...(ending === '' ? [] : [`${stem}${ending}`]),
    ...(rest === '' ? [] : [rest]),
  ];
  const isOpen = isBare || /(?:^id|id)or[a-z]+$|or(?:id|uuid|slug)$/.test(plain);
  const found = find(isOpen ? [parameter, `${stem}id`, ...ANY] : ofEnding);
  const isNumber =
    found !== undefined && view.types(found.schemaPointer).length > 0 && isOfTypes(found, 'integer', 'number');
  const isOther = isText && isBare && isNumber && plainName(found.name) === 'id';
  return (isOther ? find(TEXTS) : undefined) ?? found;
}

/** Whether a member that stands alone in an answer is the key of a record, as records or as paths call it. */
export const isKeyName = (name: string, { property, parameter }: RecordKey): boolean =>
  name === property || plainName(name) === plainName(parameter);

function readKind(view: SchemaView, property: string, parameter: string | undefined): RecordKey['kind'] {
  const types = view.types(property);
  if (types.includes('integer') || types.includes('number')) return 'integer';
  if (types.length === 0 && parameter !== undefined) return readKind(view, parameter, undefined);
  const says = [property, parameter].map((each) => (each === undefined ? {} : view.schema(each)));
  const isUuid = says.some(({ format, example, pattern }) => {
    const isWritten = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(asText(example) ?? '');
    return /^(?:uuid|guid)$/i.test(String(format)) || (isWritten && pattern === undefined);
  });
  return isUuid ? 'uuid' : 'text';
}
