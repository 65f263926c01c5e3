import { type SourceDocument, escapePointer } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { findExample } from '../../contract/schemas/examples.js';
import { FORM, MULTIPART } from '../../contract/media-types.js';
import { writeForm } from '../../contract/forms.js';
import type { Content, Operation, Parameter } from '../../contract/model.js';
import { sampleValue, NOWHERE, type SampleOptions } from '../../contract/samples/sample.js';
import type { World } from '../../mock/world/world.js';
import { present } from '../console/describe-mock.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { profileOf } from '../../contract/gaps/profile.js';
import { nameInIds } from '../../contract/resources/resource.js';
import { listOrder } from '../../mock/operations/list-records.js';
import { createMaker } from '../../mock/values/create-maker.js';
import { createDraw } from '../../mock/values/making.js';
import { keyOf, type Key, type Kept } from '../../mock/store/kept.js';
import { NotThere, ok, type AdminHandler } from './handlers.js';

/** What a request of an operation may have, and where to begin: enough for a form. The page has the types (`console/`). */
export function describeOperation(operation: Operation, world: World) {
  const { id, method, path, deprecated, pointer, requestBody: body } = operation;
  const { document, basePath } = world.contract;
  // The mock's documented key; a user's own key is a placeholder.
  const { headers, query } = present(operation, world);
  const { file, line } = document.placeOf(pointer);
  const stated = body && findExample(document, { ...body, status: '', headers: [] })?.value;
  return {
    operationId: id,
    method,
    path,
    base: basePath,
    summary: document.textAt(`${pointer}/summary`),
    description: document.textAt(`${pointer}/description`),
    deprecated,
    contract: { file, line },
    parameters: operation.parameters.map((each) => describeParameter(each, operation, world)),
    body: body && {
      required: body.required,
      description: document.textAt(`${body.pointer}/description`),
      contents: body.content.map((content) => describeContent(operation, content, stated, world)),
    },
    credentials: { headers, query: query.map(([name, value]) => ({ name, value })) },
  };
}

function describeParameter(parameter: Parameter, operation: Operation, world: World) {
  const { name, required, pointer, schema, schemaPointer, style, explode, shape } = parameter;
  const { document } = world.contract;
  const stated = asObject(document.at(pointer));
  const [named] = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const keys: unknown[] = parameter.in === 'path' ? findKeys(name, operation, world) : [];
  // Of a list, those of its items.
  const choices = asList(schema['enum'] ?? asObject(schema['items'])['enum']);
  const sampled = schemaPointer === undefined ? undefined : sampleValue(document, schemaPointer);
  const isEmptyList = Array.isArray(sampled) && sampled.length === 0;
  // A list without items states nothing, so that one begins with an item.
  const item = isEmptyList ? sampleValue(document, `${schemaPointer}/items`) : undefined;
  return {
    name,
    in: parameter.in,
    required,
    deprecated: stated['deprecated'] === true,
    description: asText(stated['description']) ?? asText(schema['description']),
    style,
    explode,
    types: shape.types,
    choices: choices.length === 0 && shape.types.join('') === 'boolean' ? [true, false] : choices,
    example: keys[0] ?? stated['example'] ?? named ?? schema['default'] ?? (item === undefined ? sampled : [item]),
    keys,
  };
}

function describeContent(operation: Operation, content: Content, stated: unknown, world: World) {
  const { mediaType, schemaPointer } = content;
  const value = stated ?? makeBody(operation, content, world);
  const fields = schemaPointer === undefined ? [] : listFields(world.contract.document, schemaPointer);
  if (mediaType === FORM || mediaType === MULTIPART) {
    // As it is sent, with the boundary of its example where it has one.
    const form = writeForm(asObject(value), content);
    return { mediaType: form.mediaType, example: form.text, fields, files: content.files ?? [] };
  }
  const isPlain = typeof value === 'string' && !mediaType.includes('json');
  const example = value === undefined ? '' : isPlain ? value : printJson(value);
  // The body itself is a file where it is no text.
  return { mediaType, example, fields, files: /json|xml|^text\//.test(mediaType) ? [] : [''] };
}

const LONGEST_BODY = 1500;

function makeBody(operation: Operation, { mediaType, schemaPointer }: Content, world: World): unknown {
  if (schemaPointer === undefined) return undefined;
  const { contract, collections, clock } = world;
  const own = collections.kept.find(({ operations }) => operations.some((each) => each.operation === operation));
  const now = clock.now();
  const make = createMaker({ draw: createDraw(operation.id), index: 0, now, isNew: true });
  const place = { ...NOWHERE, subject: own?.singular ?? '' };
  const sampled = (options: SampleOptions): unknown =>
    sampleValue(contract.document, schemaPointer, { without: 'readOnly', ...options });
  const isGood = (value: unknown): boolean =>
    value !== undefined &&
    printJson(value).length <= LONGEST_BODY &&
    contract.validate.requestBody(operation, mediaType, value).length === 0;
  // All that a client may send, else what it must.
  const whole = sampled({ optional: true, now, make, place });
  if (isGood(whole)) return whole;
  const least = sampled({ now, make, place });
  return isGood(least) ? least : sampled({});
}

/** A value that a body may have somewhere, in the contract's words. */
export interface BodyField {
  /** Its place as a JSON Pointer, in which `*` is any item of a list: `/tags/*`. */
  pointer: string;
  required: boolean;
  types: readonly string[];
  /** The only values that it may have. */
  choices: unknown[];
  description: string | undefined;
}

const DEPTH = 5;
const MOST = 300;
const MOST_VISITED = 3000;

type Fields = Map<string, BodyField>;

/** The values below the schema at a pointer, outer ones first; those that only responses have are left out. */
export function listFields(document: SourceDocument, pointer: string): BodyField[] {
  const fields: Fields = new Map();
  // Places with their schemas: alternatives may lead back to each other.
  const visited = new Set<string>();
  let level: Place[] = [{ at: '', schemas: [pointer], required: true }];
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((place) => visit(place, document, fields, visited));
  return [...fields.values()];
}

type Place = { at: string; schemas: readonly string[]; required: boolean };

function visit(
  { at, schemas, required }: Place,
  document: SourceDocument,
  fields: Fields,
  visited: Set<string>,
): Place[] {
  const id = `${at}\n${schemas.join('\n')}`;
  if (visited.has(id) || visited.size >= MOST_VISITED) return [];
  visited.add(id);
  const merged = mergeSchemas(document, readDialect(document.root), schemas);
  const { types = [], rules } = merged;
  if (rules['readOnly'] === true || fields.size >= MOST) return [];
  const known = fields.get(at);
  const constant = rules['const'] === undefined ? [] : [rules['const']];
  const choices = [...(known?.choices ?? []), ...asList(rules['enum']), ...constant];
  const description = known?.description ?? asText(rules['description']);
  if (at !== '')
    fields.set(at, { pointer: at, required, types: [...(known?.types ?? []), ...types], choices, description });
  return [
    ...merged.choices.flat().map((each) => ({ at, schemas: [each], required })),
    ...[...merged.properties].map(([name, own]) => ({
      at: `${at}/${escapePointer(name)}`,
      schemas: own,
      required: merged.required.has(name),
    })),
    ...(merged.items.length === 0 ? [] : [{ at: `${at}/*`, schemas: merged.items, required: false }]),
  ];
}

const MOST_KEYS = 20;

function findKeys(parameter: string, operation: Operation, world: World): Key[] {
  const own = world.collections.kept.find(({ operations }) => operations.some((each) => each.operation === operation));
  if (own?.key?.parameter === parameter) return listKeys(own, findParents(own, world), world);
  for (let below = own; below !== undefined; below = parentOf(below, world)) {
    const at = parentOf(below, world);
    if (at !== undefined && below.parent?.parameter === parameter) return listKeys(at, findParents(at, world), world);
  }
  return [];
}

function findParents(kept: Kept, world: World): Key[] | undefined {
  if (kept.scope.length === 0) return [];
  const parent = parentOf(kept, world);
  const above = parent === undefined ? undefined : findParents(parent, world);
  const [first] = parent === undefined ? [] : listKeys(parent, above, world);
  return above === undefined || first === undefined ? undefined : [...above, first];
}

function parentOf({ parent }: Kept, { collections }: World): Kept | undefined {
  return collections.kept.find(({ name }) => name === parent?.resource);
}

function listKeys(kept: Kept, within: readonly Key[] | undefined, { collections, profile }: World): Key[] {
  if (within === undefined || within.length !== kept.scope.length) return [];
  const collection = collections.open(kept, within);
  const order = actOn(profileOf(profile, nameInIds(kept)), 'list-order', listOrder);
  return collection.list({ order, limit: MOST_KEYS }).flatMap(({ record }) => keyOf(record, collection.key) ?? []);
}

/** What a request may have, from the contract and the records of a world. */
export const operationHandlers: Readonly<Record<string, AdminHandler>> = {
  async describeOperation({ world: { name }, worlds, path }) {
    const entry = worlds.enter(name);
    if (!('world' in entry)) throw new NotThere(`there is no world ${name}`);
    const id = String(path['operationId']);
    const operation = entry.world.contract.operations.find((each) => each.id === id);
    if (operation === undefined) throw new NotThere(`the contract has no operation ${id}`);
    return ok(describeOperation(operation, entry.world));
  },
};
