import type { ParameterValues, ParameterReading } from '../../contract/parameters.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type {
  PetstoreWorld,
  PetstoreWorlds,
  Exchange,
  RequestFilter,
  LoadOptions,
  Records,
  NewPet,
  Pet,
  PetStatus,
} from '../petstore-world.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import type { Rejected } from './guard.js';
import type { DelayRange } from '../../mock/world/clock.js';
import { resetWorld, type World } from '../../mock/world/world.js';
import { mapTexts } from '../../redact/redactor.js';
import { PetstoreMockError } from '../../errors.js';
import { worldPath } from '../world-names.js';
import type { Fault } from '../../mock/faults/faults.js';
import { NAMES, writeHar } from '../handles/requests.js';
import { findKept, describeRecord } from '../handles/records.js';
import { type Int64, printJson } from '../../contract/document/json.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { type SourceDocument, escapePointer } from '../../contract/document/document.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { findExample } from '../../contract/schemas/examples.js';
import { FORM, MULTIPART } from '../../contract/media-types.js';
import { writeForm } from '../../contract/forms.js';
import type { Content, Operation, Parameter } from '../../contract/model.js';
import { sampleValue, NOWHERE, type SampleOptions } from '../../contract/samples/sample.js';
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

export interface BodyField {
  /** Its place as a JSON Pointer, in which `*` is any item of a list: `/tags/*`. */
  pointer: string;
  required: boolean;
  types: readonly string[];
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

function visit({ at, schemas, required }: Place, document: SourceDocument, fields: Fields, visited: Set<string>) {
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

const parentOf = ({ parent }: Kept, { collections }: World): Kept | undefined =>
  collections.kept.find(({ name }) => name === parent?.resource);

function listKeys(kept: Kept, within: readonly Key[] | undefined, { collections, profile }: World): Key[] {
  if (within === undefined || within.length !== kept.scope.length) return [];
  const collection = collections.open(kept, within);
  const order = actOn(profileOf(profile, nameInIds(kept)), 'list-order', listOrder);
  return collection.list({ order, limit: MOST_KEYS }).flatMap(({ record }) => keyOf(record, collection.key) ?? []);
}

export interface AdminCall extends Pick<ParameterReading, 'path' | 'query'> {
  body: unknown;
  readonly world: PetstoreWorld;
  handles: PetstoreWorlds;
  worlds: Worlds;
  gone: AbortSignal;
}

export type AdminAnswer = { status: number; body?: unknown };

/** Answers one operation of the admin API. Throws a `PetstoreMockError` if the call fails. */
export type AdminHandler = (call: AdminCall) => Promise<AdminAnswer>;

const done: AdminAnswer = { status: 204 };
const after = async (work: Promise<unknown>): Promise<AdminAnswer> => work.then(() => done);
export const ok = (body: unknown): AdminAnswer => ({ status: 200, body });

export class NotThere extends Error {}

/** What tells about the process itself, or waits for others, and so must not keep them out. */
export const PASSES_NO_GATE: ReadonlySet<string> = new Set(['getHealth', 'getReadiness', 'waitForRequests']);
export const nameOfWorld = (reading: ParameterReading): string => listNamed(reading)[0] ?? DEFAULT_WORLD;

export function findTwoWorlds(reading: ParameterReading): string[] {
  const [one, two = one] = listNamed(reading);
  return one === two ? [] : [`the header X-Petstore-World names the world ${one}, query/world the world ${two}`];
}

/** RFC 9110, section 13.1.1: a call with `If-Match: *` is for what is there, and makes no world. */
export function refuseGone(reading: ParameterReading, worlds: Worlds): Rejected | undefined {
  const name = nameOfWorld(reading);
  if (reading.header['If-Match'] === undefined || worlds.has(name)) return undefined;
  const message = `there is no world ${name}; a call without If-Match creates it`;
  return { status: 412, code: 'no_such_world', message };
}

const listNamed = ({ header, query }: ParameterReading): string[] =>
  [header['X-Petstore-World'], query['world']].filter((name) => typeof name === 'string');

const nameOf = ({ path }: AdminCall): string => String(path['name']);

const noWorld = (call: AdminCall): NotThere =>
  new NotThere(`there is no world ${nameOf(call)}; there are ${call.worlds.names().join(', ')}`);

function enter({ world: { name }, worlds }: AdminCall): World {
  const entry = worlds.enter(name);
  if ('world' in entry) return entry.world;
  throw new NotThere(`there is no world ${name}`);
}

function describeWorld(call: AdminCall): AdminAnswer {
  const name = nameOf(call);
  const { contract, redact } = call.worlds.default;
  return ok(mapTexts({ name, path: worldPath(name, contract.basePath) }, redact));
}

async function describeClock({ world }: AdminCall, change?: Promise<Date>): Promise<AdminAnswer> {
  await change;
  const now = await world.clock.now();
  return ok({ now: now.toISOString(), frozen: await world.clock.isFrozen() });
}

const filterOf = (query: ParameterValues): RequestFilter =>
  Object.fromEntries(NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));

const show = ({ crash, ...exchange }: Exchange): object =>
  crash === undefined ? exchange : { ...exchange, crash: crash instanceof Error ? crash.message : 'no Error' };

function recordsOf({ world, path, query }: AdminCall): Records<Record<string, unknown>> {
  const written = typeof query['within'] === 'string' ? query['within'] : '';
  const within = written === '' ? [] : written.split(',').map((key) => decodeURIComponent(key));
  return world.collection(String(path['collection']), { within });
}

const keyInPath = ({ path }: AdminCall): string => String(path['key']);

function orNone<Of>(record: Of | undefined, call: AdminCall): Of {
  if (record !== undefined) return record;
  throw new NotThere(`the collection ${String(call.path['collection'])} has no record ${keyInPath(call)}`);
}

async function noSnapshot({ snapshots }: AdminCall['world'], name: string): Promise<NotThere> {
  const names = await snapshots.list();
  return new NotThere(
    `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}`,
  );
}

export const HANDLERS: Readonly<Record<string, AdminHandler>> = {
  getHealth: async ({ worlds }) => {
    const problem = worlds.gate?.problem;
    return ok(problem === undefined ? { status: 'ok' } : { status: 'unavailable', reason: problem });
  },

  getReadiness: async ({ worlds }) => {
    const problem = worlds.gate?.problem;
    return problem === undefined
      ? ok({ status: 'ok' })
      : { status: 503, body: { code: 'unavailable', message: problem, status: 503 } };
  },

  async reset({ body, world, worlds }) {
    if ((body as { allWorlds?: boolean }).allWorlds !== true) await world.reset();
    else for (const each of worlds.all()) resetWorld(each);
    return done;
  },

  listWorlds: async ({ handles }) => ok({ worlds: await handles.worlds() }),

  async getWorld(call) {
    if (!call.worlds.has(nameOf(call))) throw noWorld(call);
    return describeWorld(call);
  },

  async createWorld(call) {
    call.handles.world(nameOf(call));
    return describeWorld(call);
  },

  async dropWorld(call) {
    const name = nameOf(call);
    if (name === DEFAULT_WORLD)
      throw new PetstoreMockError('bad-world', 'the default world cannot be dropped; reset it.');
    if (!call.worlds.drop(name)) throw noWorld(call);
    return done;
  },

  getDelay: async ({ world }) => ok(await world.delay.get()),
  setDelay: async ({ world, body }) => ok(await world.delay.set(body as DelayRange)),
  resetDelay: async ({ world }) => ok(await world.delay.reset()),
  getClock: async (call) => describeClock(call),
  setClock: async (call) => describeClock(call, call.world.clock.set((call.body as { date: string }).date)),
  advanceClock: async (call) => describeClock(call, call.world.clock.advance((call.body as { ms: number }).ms)),
  freezeClock: async (call) => describeClock(call, call.world.clock.freeze((call.body as { date?: string }).date)),
  resetClock: async (call) => describeClock(call, call.world.clock.reset()),
  getProfile: async ({ world }) => ok(await world.profile.get()),

  chooseInProfile: async ({ world, body }) =>
    ok(await world.profile.choose((body as { choices: Record<string, string> }).choices)),

  resetProfile: async ({ world }) => ok(await world.profile.reset()),

  listCollections: async ({ world }) => ok({ collections: await world.collections() }),

  async getRecordSchema(call) {
    const world = enter(call);
    return ok(describeRecord(findKept(world, String(call.path['collection'])), world.contract));
  },

  async describeOperation(call) {
    const world = enter(call);
    const id = String(call.path['operationId']);
    const operation = world.contract.operations.find((each) => each.id === id);
    if (operation === undefined) throw new NotThere(`the contract has no operation ${id}`);
    return ok(describeOperation(operation, world));
  },

  listRecords: async (call) => ok(await recordsOf(call).list()),
  addRecord: async (call) => ({ status: 201, body: await recordsOf(call).add(call.body as object) }),
  replaceRecords: async (call) => ok(await recordsOf(call).replace(call.body as object[])),
  clearRecords: async (call) => after(recordsOf(call).clear()),
  countRecords: async (call) => ok({ count: await recordsOf(call).count() }),
  getRecord: async (call) => ok(orNone(await recordsOf(call).get(keyInPath(call)), call)),

  async updateRecord(call) {
    const record = await recordsOf(call).update(keyInPath(call), call.body as Record<string, unknown>);
    return ok(orNone(record, call));
  },

  async removeRecord(call) {
    orNone((await recordsOf(call).remove(keyInPath(call))) || undefined, call);
    return done;
  },

  async listPets({ world, query }) {
    const status = query['status'] as PetStatus | undefined;
    return ok(await world.pets.list(status === undefined ? {} : { status }));
  },

  addPet: async ({ world, body }) => ({ status: 201, body: await world.pets.add(body as NewPet) }),
  replacePets: async ({ world, body }) => ok(await world.pets.replace(body as Pet[])),
  clearPets: async ({ world }) => after(world.pets.clear()),
  countPets: async ({ world }) => ok({ count: await world.pets.count() }),

  async getPet({ world, path }) {
    const id = path['petId'] as Int64;
    const pet = await world.pets.get(id);
    if (pet === undefined) throw new NotThere(`no pet has the id ${id}`);
    return ok(pet);
  },

  exportFixtures: async ({ world }) => ok({ pack: await world.snapshots.export() }),

  async loadFixtures({ world, body }) {
    const { pack, ...options } = body as { pack: string } & LoadOptions;
    await world.snapshots.load(pack, options);
    return done;
  },

  async useFixtures({ world, body }) {
    const { fixtures, ...options } = body as { fixtures: string; seed?: number; count?: number };
    const shipped = listShippedPacks();
    // A path would let the caller read files of this machine.
    if (!shipped.includes(fixtures)) {
      const message = `there is no shipped fixture pack ${fixtures}; there are ${shipped.join(', ')}. To use another, put its text to /fixtures with start: true.`;
      throw new PetstoreMockError('unusable-fixtures', message);
    }
    await world.useFixtures(fixtures, options);
    return done;
  },

  listSnapshots: async ({ world }) => ok({ snapshots: await world.snapshots.list() }),
  saveSnapshot: async ({ world, path }) => after(world.snapshots.save(String(path['snapshot']))),

  async removeSnapshot({ world, path }) {
    const name = String(path['snapshot']);
    if (!(await world.snapshots.remove(name))) throw await noSnapshot(world, name);
    return done;
  },

  async restoreSnapshot({ world, path }) {
    const name = String(path['snapshot']);
    if (!(await world.snapshots.list()).includes(name)) throw await noSnapshot(world, name);
    await world.snapshots.restore(name);
    return done;
  },

  listRequests: async ({ world, query }) => ok((await world.requests.list(filterOf(query))).map(show)),
  countRequests: async ({ world, query }) => ok({ count: await world.requests.count(filterOf(query)) }),
  writeHar: async ({ world, query }) => ok(writeHar(await world.requests.list(filterOf(query)))),

  async waitForRequests({ world, query, gone }) {
    const options = { count: Number(query['count']), timeout: Number(query['timeout']) };
    const waiting = world.requests.waitFor(filterOf(query), { ...options, signal: gone });
    return ok((await waiting).map(show));
  },

  clearRequests: async ({ world }) => after(world.requests.clear()),

  async listViolations({ world, worlds }) {
    const exchanges = await world.violations();
    const entry = worlds.enter(world.name);
    const total = 'world' in entry ? entry.world.journal.faultyCount : exchanges.length;
    return ok({ total, exchanges: exchanges.map(show) });
  },

  assertNoViolations: async ({ world, body }) =>
    after(world.assertNoViolations({ allow: (body as { allow?: RequestFilter[] }).allow ?? [] })),

  async getCoverage({ world, query }) {
    const threshold = query['threshold'] as number | undefined;
    const allWorlds = query['allWorlds'] === true;
    return ok(await world.coverage({ allWorlds, ...(threshold === undefined ? {} : { threshold }) }));
  },

  listDeprecatedCallers: async ({ world }) => ok(await world.deprecatedCallers()),
  listFaults: async ({ world }) => ok(await world.faults.list()),

  async addFault({ world, body }) {
    const { remove: _remove, ...planted } = await world.faults.add(body as Fault);
    return { status: 201, body: planted };
  },

  async removeFault({ world, path }) {
    const id = String(path['faultId']);
    if (!(await world.faults.remove(id))) throw new NotThere(`there is no fault ${id}`);
    return done;
  },

  clearFaults: async ({ world }) => after(world.faults.clear()),
};
