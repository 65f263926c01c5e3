import { type SourceDocument, escapePointer } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { findExample } from '../../contract/schemas/examples.js';
import { FORM, MULTIPART } from '../../contract/media-types.js';
import { writeForm } from '../../contract/forms.js';
import type { Content, Operation, Parameter, RequestBody } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { NOWHERE, type SampleOptions } from '../../contract/samples/sampling.js';
import type { World } from '../../mock/world/world.js';
import { present } from '../console/describe-mock.js';
import { readDialect, type Dialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { profileOf } from '../../contract/gaps/profile.js';
import { nameInIds } from '../../contract/resources/resource.js';
import { listOrder } from '../../mock/operations/list-records.js';
import { createMaker } from '../../mock/values/create-maker.js';
import { createDraw } from '../../mock/values/making.js';
import { keyOf, type Key, type Kept } from '../../mock/store/kept.js';
import { NotThere, ok, type AdminHandler } from './handlers.js';

/** What a request of an operation may have, and where to begin: enough for a form. */
export interface OperationForm {
  operationId: string;
  method: string;
  /** The template below {@link base}. */
  path: string;
  /** The base path of the API. */
  base: string;
  summary: string | undefined;
  description: string | undefined;
  deprecated: boolean;
  /** Its place in the contract. */
  contract: { file: string; line: number | undefined };
  parameters: FormParameter[];
  body: FormBody | undefined;
  /** The header fields and query parameters that show the mock's documented key; a user's own key is a placeholder. */
  credentials: { headers: Record<string, string>; query: { name: string; value: string }[] };
}

interface FormParameter {
  name: string;
  in: Parameter['in'];
  required: boolean;
  deprecated: boolean;
  description: string | undefined;
  style: Parameter['style'];
  explode: boolean;
  /** The JSON types that it may have; none means any. */
  types: readonly string[];
  /** The only values that the contract allows; of a list, those of its items. */
  choices: unknown[];
  example: unknown;
  keys: unknown[];
}

interface FormBody {
  required: boolean;
  description: string | undefined;
  contents: FormContent[];
}

interface FormContent {
  mediaType: string;
  example: string;
  fields: BodyField[];
  /** The fields of a form that are files; `['']` if the body itself is one. */
  files: readonly string[];
}

export function describeOperation(operation: Operation, world: World): OperationForm {
  const { id, method, path, deprecated, pointer, requestBody } = operation;
  const { document, basePath } = world.contract;
  const { headers, query } = present(operation, world);
  const { file, line } = document.placeOf(pointer);
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
    body: requestBody === undefined ? undefined : describeBody(operation, requestBody, world),
    credentials: { headers, query: query.map(([name, value]) => ({ name, value })) },
  };
}

function describeParameter(parameter: Parameter, operation: Operation, world: World): FormParameter {
  const { name, required, pointer, schema, schemaPointer, style, explode, shape } = parameter;
  const { document } = world.contract;
  const stated = asObject(document.at(pointer));
  const [named] = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const [key, ...keys] = parameter.in === 'path' ? findKeys(name, operation, world) : [];
  const choices = asList(schema['enum'] ?? asObject(schema['items'])['enum']);
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
    example: key ?? stated['example'] ?? named ?? schema['default'] ?? sampleParameter(schemaPointer, document),
    keys: key === undefined ? [] : [key, ...keys],
  };
}

/** A list without items states nothing, so that one begins with an item. */
function sampleParameter(pointer: string | undefined, document: SourceDocument): unknown {
  if (pointer === undefined) return undefined;
  const value = sampleValue(document, pointer);
  if (!Array.isArray(value) || value.length > 0) return value;
  const item = sampleValue(document, `${pointer}/items`);
  return item === undefined ? value : [item];
}

function describeBody(operation: Operation, body: RequestBody, world: World): FormBody {
  const { document } = world.contract;
  const stated = findExample(document, { ...body, status: '', headers: [] });
  return {
    required: body.required,
    description: document.textAt(`${body.pointer}/description`),
    contents: body.content.map((content) => describeContent(operation, content, stated?.value, world)),
  };
}

function describeContent(operation: Operation, content: Content, stated: unknown, world: World): FormContent {
  const { document } = world.contract;
  const { mediaType, schemaPointer } = content;
  const value = stated ?? makeBody(operation, content, world);
  const fields = schemaPointer === undefined ? [] : listFields(document, schemaPointer);
  if (mediaType === FORM || mediaType === MULTIPART) {
    const form = writeForm(asObject(value), content);
    return { mediaType: form.mediaType, example: form.text, fields, files: content.files ?? [] };
  }
  const text =
    value === undefined ? '' : typeof value === 'string' && !mediaType.includes('json') ? value : printJson(value);
  return { mediaType, example: text, fields, files: /json|xml|^text\//.test(mediaType) ? [] : [''] };
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

interface Listing {
  document: SourceDocument;
  dialect: Dialect;
  fields: Map<string, BodyField>;
  /** Places with their schemas: alternatives may lead back to each other. */
  visited: Set<string>;
}

/** The values below the schema at a pointer, outer ones first; those that only answers have are left out. */
export function listFields(document: SourceDocument, pointer: string): BodyField[] {
  const listing = {
    document,
    dialect: readDialect(document.root),
    fields: new Map<string, BodyField>(),
    visited: new Set<string>(),
  };
  let level: Place[] = [{ at: '', schemas: [pointer], required: true }];
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((place) => visit(place, listing));
  return [...listing.fields.values()];
}

interface Place {
  at: string;
  schemas: readonly string[];
  required: boolean;
}

function visit({ at, schemas, required }: Place, { document, dialect, fields, visited }: Listing): Place[] {
  const id = `${at}\n${schemas.join('\n')}`;
  if (visited.has(id) || visited.size >= MOST_VISITED) return [];
  visited.add(id);
  const merged = mergeSchemas(document, dialect, schemas);
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
  const { kept } = world.collections;
  const own = kept.find(({ operations }) => operations.some((each) => each.operation === operation));
  if (own === undefined) return [];
  if (own.key?.parameter === parameter) return listKeys(own, findParents(own, world), world);
  for (let at = parentOf(own, kept), below = own; at !== undefined; below = at, at = parentOf(at, kept))
    if (below.parent?.parameter === parameter) return listKeys(at, findParents(at, world), world);
  return [];
}

/** The first record at each level above a collection; `undefined` if one is missing. */
function findParents(kept: Kept, world: World): Key[] | undefined {
  if (kept.scope.length === 0) return [];
  const parent = parentOf(kept, world.collections.kept);
  const above = parent === undefined ? undefined : findParents(parent, world);
  const [first] = parent === undefined ? [] : listKeys(parent, above, world);
  return above === undefined || first === undefined ? undefined : [...above, first];
}

function parentOf({ parent }: Kept, all: readonly Kept[]): Kept | undefined {
  return parent === undefined ? undefined : all.find(({ name }) => name === parent.resource);
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
