import type { Property } from '../operations/properties.js';
import type { SchemaView } from './schema-view.js';
import type { RecordKey } from './resource.js';
import { plainName } from './words.js';

/** The name of the key in an item path, and the collection it belongs to. */
export interface KeyNaming {
  parameter: string;
  /** The singular of the collection's name, plain. */
  stem: string;
  /** Whether the contract says that it is a text. */
  isText?: boolean;
}

/** The endings of parameter names with the properties that they may mean, the likeliest first. */
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

/** The properties that `{pet}` and `{idOrName}` may mean. */
const ANY = ['id', 'uuid', 'gid', 'uid', 'pk', 'sid', 'slug', 'key', 'code', 'login', 'name'];

/** What such a parameter means that is a text, where the `id` of the records is a number: `/orgs/{org}`. */
const TEXTS = ['slug', 'login', 'handle', 'username', 'uuid', 'gid', 'uid'];

/** The property of a record that an item path's parameter means; `undefined` if that is uncertain. */
export function findKey(view: SchemaView, record: string, naming: KeyNaming): Property | undefined {
  const find = (names: readonly string[]): Property | undefined =>
    names
      .map((name) => view.findProperty(record, name))
      .find((each) => each !== undefined && isScalar(view, each) && view.isCertain(record, each.name));
  const found = find(listNames(naming));
  const isOther =
    found !== undefined && naming.isText === true && plainName(found.name) === 'id' && isNumber(view, found);
  return (isOther && isBare(naming) ? find(TEXTS) : undefined) ?? found;
}

/** `{pet}`, which does not say what of a pet it is. */
function isBare({ parameter, stem }: KeyNaming): boolean {
  const plain = plainName(parameter);
  return plain === stem || plain === `${stem}s`;
}

function isNumber(view: SchemaView, { schemaPointer }: Property): boolean {
  const types = view.types(schemaPointer);
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
}

function listNames(naming: KeyNaming): string[] {
  const { parameter, stem } = naming;
  const plain = plainName(parameter);
  if (isBare(naming) || /(?:^id|id)or[a-z]+$|or(?:id|uuid|slug)$/.test(plain)) {
    return [parameter, `${stem}id`, ...ANY];
  }
  const [ending, properties] = ENDINGS.find(([each]) => plain.endsWith(each)) ?? ['', []];
  return [parameter, ...properties, ...(ending === '' ? [] : [`${stem}${ending}`])];
}

function isScalar(view: SchemaView, { schemaPointer }: Property): boolean {
  const types = view.types(schemaPointer);
  return types.every((type) => type === 'string' || type === 'integer' || type === 'number');
}

/** Whether a member that stands alone in an answer is the key of a record, as records or as paths call it. */
export function isKeyName(name: string, { property, parameter }: RecordKey): boolean {
  return name === property || plainName(name) === plainName(parameter);
}

/** The type of a key's values. */
export function readKind(view: SchemaView, property: string, parameter: string | undefined): RecordKey['kind'] {
  const types = view.types(property);
  if (types.includes('integer') || types.includes('number')) return 'integer';
  if (types.length === 0 && parameter !== undefined) return readKind(view, parameter, undefined);
  const says = [property, ...(parameter === undefined ? [] : [parameter])].map((each) => view.schema(each));
  return says.some(isUuid) ? 'uuid' : 'text';
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function isUuid({ format, example, pattern }: Record<string, unknown>): boolean {
  const isWritten = typeof example === 'string' && UUID.test(example);
  return /^(?:uuid|guid)$/i.test(String(format)) || (isWritten && pattern === undefined);
}
