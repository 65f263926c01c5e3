import type { Contract } from '../../contract/contract.js';
import { readOnce } from '../../contract/document/document.js';
import { readProperties, type Property, readValueShape } from '../../contract/operations/properties.js';
import { isAnyKeyName, plainName } from '../../contract/resources/words.js';
import type { Key } from './keys.js';
import type { Kept } from './kept.js';
import type { Fields } from './stored-record.js';

/** A property of a record that repeats a value of its path: `file_key` of what is at `/files/{file_key}/comments`. */
interface PathField {
  property: string;
  schemaPointer: string;
  /** The place of the parameter in the scope. */
  index: number;
}

const readFields = readOnce((_contract: Contract) => new Map<Kept, readonly PathField[]>());

/** What the path says of each record of a collection, apart from its key. */
export function describeByPath(kept: Kept, within: readonly Key[], contract: Contract): Fields {
  if (kept.scope.length === 0) return NOTHING;
  const known = readFields(contract);
  const fields = known.get(kept) ?? listFields(kept, contract);
  known.set(kept, fields);
  return Object.fromEntries(
    fields.map(({ property, schemaPointer, index }) => [property, fitKey(within[index], schemaPointer, contract)]),
  );
}

const NOTHING: Fields = Object.freeze({});

function listFields({ scope, schemaPointer: record, key, parent }: Kept, { document }: Contract): PathField[] {
  const properties = readProperties(document, record).filter(({ name, schemaPointer }) => {
    const { types } = readValueShape(document, schemaPointer, 0);
    return name !== key?.property && !types.some((type) => NO_KEYS.has(type));
  });
  const at = ({ name, schemaPointer }: Property, index: number): PathField => ({
    property: name,
    schemaPointer,
    index,
  });
  const ofParent = properties.filter(({ name }) => name === parent?.property).map((each) => at(each, scope.length - 1));
  const named = scope.flatMap((parameter, index) => {
    const own = properties.find(({ name }) => name === parameter);
    const found = own ?? properties.find(({ name }) => plainName(name) === plainName(parameter));
    return found === undefined || isAnyKeyName(parameter) ? [] : [at(found, index)];
  });
  return [...ofParent, ...named];
}

const NO_KEYS: ReadonlySet<string> = new Set(['object', 'array', 'boolean']);

/** A key as the property has it, where that has a number for what is a text in a path, or the other way round. */
export function fitKey(key: unknown, at: string | undefined, { validate }: Contract): unknown {
  if (at === undefined || validate.value(at, key).length === 0) return key;
  const other = typeof key === 'string' && /^[1-9]\d{0,14}$/.test(key) ? Number(key) : String(key);
  return validate.value(at, other).length === 0 ? other : key;
}
