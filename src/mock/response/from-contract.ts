import {
  writeSequence,
  findSequenceKind,
  chooseAccepted,
  isJsonMediaType,
  narrowMediaType,
  normalizeMediaType,
} from '../../contract/media-types.js';
import type { Contract } from '../../contract/contract.js';
import type { Handler, Call } from '../world/world.js';
import { readWish, type Wish, findPreference } from './prefer.js';
import { parseJson, copyJson, jsonBody, sameJson, isJsonNumber } from '../../contract/document/json.js';
import type { ApiResponse, ResponseHeaders, Content, Operation, ResponseRule } from '../../contract/model.js';
import { leavesSuccessOpen, findResponse } from '../../contract/operations/operations.js';
import { listPlacedExamples, listExampleNames, type PlacedExample } from '../../contract/schemas/examples.js';
import { leaveOutMarked } from '../../contract/operations/properties.js';
import { makeValue } from '../../contract/samples/repair.js';
import { NOWHERE, type SampleOptions } from '../../contract/samples/sample.js';
import { hasNoContent } from '../../contract/schemas/violation.js';
import { nameSingular, isAnyKeyName, plainName } from '../../contract/resources/words.js';
import { createLoneMaker } from '../values/create-maker.js';
import { formatPlace } from '../../errors.js';
import { createErrorResponse } from './errors.js';
import { sampleHeaders, canBeWritten, writeBody, UNSENDABLE } from './write-response.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { dereference } from '../../contract/document/references.js';

interface StatelessOptions {
  contract: Contract;
  stateful: Readonly<Record<string, Handler>>;
  seed: number;
  specPath: string | undefined;
  prism?: boolean | undefined;
}

export function createStateless({ contract, stateful, seed, specPath, prism = true }: StatelessOptions) {
  const operations = contract.operations.filter(({ id }) => !Object.hasOwn(stateful, id));
  const operationIds = operations.map(({ id }) => id);
  // The shipped contract needs none.
  const none: Record<string, Handler> = {};
  if (operations.length === 0 && specPath === undefined) return { handlers: none, operationIds };
  const sampled = createSampler(contract);
  const askPrism = createPrismFallback(contract, () => {
    const load = prism ? findPrism(specPath) : undefined;
    return load === undefined ? undefined : createPrismAnswer(load, contract);
  });
  const handler: Handler = (call) => {
    const wish = readWish(call.request, seed);
    const { answer, isSound, notes } = sampled(call.operation, wish);
    if (notes.length > 0) call.note ??= notes.join('; ');
    return isSound ? answer : (askPrism(call, wish) ?? answer);
  };
  const named: Handler = (call) => nameByPath(handler(call), call);
  return { handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, named])), operationIds };
}

type Made = { answer: ApiResponse; isSound: boolean; notes: readonly string[] };

const MOST_KEPT = 1000;

function createSampler(contract: Contract): (operation: Operation, wish: Wish) => Made {
  const kept = new Map<string, Made>();
  return (operation, wish) => {
    if (wish.dynamic || wish.exampleKey !== undefined) return make(contract, operation, wish);
    const key = `${operation.id}\n${wish.code}\n${wish.accept}`;
    const known = kept.get(key) ?? make(contract, operation, wish);
    if (kept.size === MOST_KEPT) kept.clear();
    kept.set(key, known);
    return { ...known, answer: { ...known.answer, headers: { ...known.answer.headers } } };
  };
}

function make(contract: Contract, operation: Operation, wish: Wish): Made {
  const broken = new Set<string>();
  const made = makeResponse(contract, operation, wish, (pointer) => broken.add(pointer));
  const places = [...broken].map((pointer) => formatPlace(contract.document.placeOf(pointer)));
  return { ...made, notes: places.map((place) => `the example at ${place} breaks its schema and is not sent`) };
}

function makeResponse(
  contract: Contract,
  operation: Operation,
  wish: Wish,
  onBroken: (pointer: string) => void,
): Omit<Made, 'notes'> {
  const sound = (answer: ApiResponse): Omit<Made, 'notes'> => ({ answer, isSound: true });
  const reject = (code: number, message: string): Omit<Made, 'notes'> => sound(createErrorResponse(code, message));
  const status = wish.code ?? findStatus(operation);
  const rule = status === undefined ? undefined : findResponse(operation, status);
  if (status === 200 && rule === undefined && leavesSuccessOpen(operation))
    return sound({ status, headers: {}, body: undefined });
  if (status === undefined || rule === undefined)
    return reject(501, `${operation.id} cannot be served: the contract documents no response that HTTP can send`);
  const headers = sampleHeaders(contract, rule, { ...readOptions(contract, operation, wish), make: undefined });
  if (rule.content.length === 0 || hasNoContent(status)) return sound({ status, headers, body: undefined });
  const chosen = chooseAccepted(rule.content, wish.accept);
  if (chosen === undefined || !canBeWritten(chosen)) {
    const offered = rule.content.map(({ mediaType }) => mediaType).join(' or ');
    return reject(406, `Accept is ${wish.accept}, but the response ${status} is ${offered}`);
  }
  const answers = listCandidates(contract, { operation, rule, ...chosen, wish, status, headers, onBroken });
  let first: ApiResponse | undefined;
  for (const { write, pointer } of answers) {
    const answer = write();
    const violations = contract.validate.response(operation, answer);
    // An example that the client asked for by name is sent unchanged.
    if (wish.exampleKey !== undefined || violations.length === 0) return sound(answer);
    if (pointer !== undefined && violations.some(({ part }) => part === 'body')) onBroken(pointer);
    first ??= answer;
  }
  if (first !== undefined) return { answer: first, isSound: false };
  // A client that asks for an unknown example should learn which ones exist.
  const known = listExampleNames(contract.document, rule, chosen.content.mediaType).join(', ') || 'none';
  return reject(400, `the response ${status} of ${operation.id} has no example ${wish.exampleKey}; it has ${known}`);
}

interface Answering {
  operation: Operation;
  rule: ResponseRule;
  content: Content;
  mediaType: string;
  wish: Wish;
  status: number;
  headers: ApiResponse['headers'];
  onBroken: (pointer: string) => void;
}

type Candidate = { write: () => ApiResponse; pointer?: string };

function* listCandidates(
  contract: Contract,
  { operation, rule, content, mediaType, wish, status, headers, onBroken }: Answering,
): Generator<Candidate> {
  const { document } = contract;
  const { schemaPointer: pointer } = content;
  const kind = findSequenceKind(content.mediaType);
  const write = (value: unknown, isAsWritten = false): ApiResponse => {
    if (kind !== undefined && Array.isArray(value) && (content.itemPointer !== undefined || kind !== 'events')) {
      const sequence = { value, text: writeSequence(value, kind) };
      return { status, headers: { 'Content-Type': content.mediaType, ...headers }, body: sequence };
    }
    const described = { document, pointer, isAsWritten };
    const { body, type } = writeBody(value, narrowMediaType(mediaType, value), described);
    const isText = content.isUtf8 === true && mediaType === content.mediaType && !isJsonMediaType(type);
    return { status, headers: { 'Content-Type': isText ? `${type}; charset=utf-8` : type, ...headers }, body };
  };
  const anything = /^(?:\*|application\/\*$)|\bjson\b/.test(mediaType) ? {} : 'string';
  const named = { mediaType: content.mediaType, name: wish.exampleKey };
  const given = wish.dynamic ? [] : listPlacedExamples(document, rule, named);
  const show = (value: unknown): unknown =>
    pointer === undefined ? value : leaveOutMarked(contract, pointer, value, 'writeOnly');
  const writeGiven = ({ value, text }: PlacedExample): ApiResponse => {
    const shown = show(value);
    if (text === undefined || !sameJson(shown, value)) return write(shown, true);
    if (!isJsonMediaType(mediaType)) return write(text, true);
    const parsed = parseJson(text);
    if (!parsed.ok) return write(shown, true);
    return { ...write(parsed.value, true), body: { value: parsed.value, text } };
  };
  for (const each of given) yield { write: () => writeGiven(each), pointer: each.pointer };
  if (wish.exampleKey !== undefined) return;
  const options = { ...readOptions(contract, operation, wish), onBroken, check: contract.validate.value };
  const { itemPointer } = content;
  if (itemPointer !== undefined) {
    const items = [0, 1].map((index) => makeValue(document, itemPointer, { ...options, index }).value ?? {});
    yield { write: () => write(items) };
  }
  if (pointer === undefined) return yield { write: () => write(anything, true) };
  yield { write: () => write(show(makeValue(document, pointer, options).value)) };
  yield { write: () => write(anything) };
}

function readOptions({ validate }: Contract, { id, path }: Operation, { dynamic, seed }: Wish): SampleOptions {
  const about = path.split('/').findLast((step) => step !== '' && !step.includes('{')) ?? '';
  return {
    without: 'writeOnly',
    accepts: (pointer, value) => validate.value(pointer, value).length === 0,
    generated: dynamic,
    make: createLoneMaker(dynamic ? `${id} ${seed}` : id),
    place: { ...NOWHERE, name: nameSingular(about) },
    ...(dynamic ? { index: hash(seed) } : {}),
  };
}

function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum % 1000;
}

function findStatus({ responses }: Operation): number | undefined {
  const statuses = responses.map(({ status }) => status);
  const first =
    statuses.filter((status) => status.startsWith('2')).toSorted()[0] ??
    (statuses.includes('default') ? '200' : undefined) ??
    statuses.filter((status) => status.startsWith('3')).toSorted()[0] ??
    (statuses.length > 0 ? '200' : undefined);
  return first === undefined ? undefined : Number(first.replace('XX', '00'));
}

function nameByPath(response: ApiResponse, call: Call): ApiResponse {
  const { operation, request, world, path } = call;
  const isJson = typeof response.body?.value === 'object' && isJsonMediaType(response.headers['Content-Type'] ?? '');
  if (!operation.path.includes('{') || response.status >= 400 || !isJson) return response;
  if (findPreference(request.headers['prefer'] ?? '', 'example') !== undefined) return response;
  const names = listTemplateNames(operation.path).filter((name) => !isAnyKeyName(name));
  const given = new Map(names.map((name) => [plainName(name), path[name]]));
  const value = copyJson(response.body?.value);
  const isRight = (): boolean =>
    world.contract.validate.response(operation, { ...response, body: jsonBody(value) }).length === 0;
  const places = listPlaces(value, given, 0);
  const changed = places.filter((place) => put(place, isRight));
  return changed.length === 0 ? response : { ...response, body: jsonBody(value) };
}

type NamedPlace = { holder: Record<string, unknown>; name: string; given: unknown };

const MOST_DEEP_NAME = 2;

function listPlaces(value: unknown, given: ReadonlyMap<string, unknown>, depth: number): NamedPlace[] {
  if (Array.isArray(value)) return value.flatMap((each) => listPlaces(each, given, depth));
  if (typeof value !== 'object' || value === null || depth > MOST_DEEP_NAME) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => {
    const own = given.get(plainName(name));
    const isPlace = own !== undefined && (typeof holder[name] === 'string' || isJsonNumber(holder[name]));
    return isPlace ? [{ holder, name, given: own }] : listPlaces(holder[name], given, depth + 1);
  });
}

function put({ holder, name, given }: NamedPlace, isRight: () => boolean): boolean {
  const before = holder[name];
  const other = typeof given === 'string' && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : String(given);
  for (const value of [given, other]) {
    holder[name] = value;
    if (isRight()) return true;
  }
  holder[name] = before;
  return false;
}

/** Prism's answer where the mock can make none; `find` is asked at the first use, since Prism takes seconds to load. */
export function createPrismFallback(
  contract: Contract,
  find: () => PrismAnswer | undefined,
): (call: Call, wish: Wish) => ApiResponse | undefined {
  let prism: PrismAnswer | undefined;
  let isSought = false;
  return (call, wish) => {
    if (!isSought) prism = find();
    isSought = true;
    const outcome = prism?.(call.operation, wish);
    if (outcome?.kind === 'broken') call.note ??= outcome.message;
    const made = outcome?.kind === 'answer' ? toResponse(outcome, call.operation) : undefined;
    const isSound = made !== undefined && contract.validate.response(call.operation, made).length === 0;
    return isSound ? made : undefined;
  };
}

function toResponse(outcome: PrismOutcome & { kind: 'answer' }, operation: Operation): ApiResponse | undefined {
  const headers: ResponseHeaders = {};
  for (const [name, value] of Object.entries(outcome.headers)) {
    // Prism marks deprecation with a value that is not the date RFC 9745 requires; the mock announces removals itself.
    if (!['string', 'number', 'boolean'].includes(typeof value) || name === 'deprecation') continue;
    headers[name === 'Content-type' ? 'Content-Type' : name] = String(value).replace(UNSENDABLE, '?');
  }
  const { 'Content-Type': named = '', ...others } = headers;
  const content = findResponse(operation, outcome.status)?.content ?? [];
  if (content.length === 0) return { status: outcome.status, headers: others, body: undefined };
  // For a media range Prism says `text/plain`, whatever the body is.
  const isNamed = content.some(({ mediaType }) => mediaType === normalizeMediaType(named));
  const mediaType = isNamed || typeof outcome.body === 'string' ? named : 'application/json';
  if (typeof outcome.body !== 'string' && !isJsonMediaType(mediaType)) return undefined;
  // Text that is not JSON is sent as it is.
  const isText = !isJsonMediaType(mediaType) && typeof outcome.body === 'string';
  const body = isText ? { value: outcome.body, text: String(outcome.body) } : jsonBody(outcome.body ?? null);
  return { status: outcome.status, headers: { 'Content-Type': mediaType, ...others }, body };
}

const PRISM = '@stoplight/prism-http';

export type PrismOutcome =
  | { kind: 'answer'; status: number; headers: Record<string, unknown>; body: unknown }
  | { kind: 'problem' | 'broken'; message: string };

type PrismAnswer = (operation: Operation, wish: Wish) => PrismOutcome;

const PARTS = {
  mocker: './mocker',
  transformer: '@stoplight/http-spec/oas3/operation',
  json: '@stoplight/json',
  faker: '@faker-js/faker',
};

/** Finds Prism beside this package or where the team's document is. `undefined` if there is no usable one. */
export function findPrism(specPath: string | undefined): NodeJS.Require | undefined {
  const places = [import.meta.url, ...(specPath === undefined ? [] : [resolve(specPath)])];
  for (const place of places) {
    try {
      const prism = createRequire(createRequire(place).resolve(PRISM));
      for (const part of Object.values(PARTS)) prism.resolve(part);
      return prism;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

interface PrismParts {
  mock: (request: object) => (logger: object) => Either;
  transformOas3Operations: (document: unknown) => Record<string, unknown>[];
  bundleTarget: (options: { document: unknown; path: string; cloneDocument: boolean }) => Record<string, unknown>;
  decycle: (value: unknown) => unknown;
  seedFaker: (seed: string) => void;
}

type Either =
  | { _tag: 'Left'; left: Error & { detail?: string } }
  | { _tag: 'Right'; right: { statusCode: number; headers?: Record<string, unknown>; body?: unknown } };

export function createPrismAnswer(load: NodeJS.Require, contract: Contract): PrismAnswer {
  let parts: Attempt<PrismParts> | undefined;
  const resources = new Map<string, Attempt<object>>();
  return (operation, wish) => {
    parts ??= attempt('cannot be loaded', () => {
      const { default: mock } = load(PARTS.mocker) as { default: PrismParts['mock'] };
      const { transformOas3Operations } = load(PARTS.transformer) as PrismParts;
      const { bundleTarget, decycle } = load(PARTS.json) as PrismParts;
      // Prism 5.12 has Faker 6, which is a default export; in 5.15 and later it is a named one.
      type Seeded = { seed(seed: number[]): void };
      const { faker, default: older } = load(PARTS.faker) as { faker?: Seeded; default?: Seeded };
      const seedFaker = (seed: string): void => (faker ?? older)?.seed([...Buffer.from(seed)]);
      return { mock, transformOas3Operations, bundleTarget, decycle, seedFaker };
    });
    if ('broken' in parts) return parts.broken;
    const { made } = parts;
    const resource =
      resources.get(operation.id) ?? attempt('cannot read the document', () => readResource(made, contract, operation));
    resources.set(operation.id, resource);
    if ('broken' in resource) return resource.broken;
    const answered = attempt('cannot respond', () => runMocker(made, resource.made, wish));
    return 'broken' in answered ? answered.broken : answered.made;
  };
}

type Attempt<Of> = { made: Of } | { broken: PrismOutcome };

function attempt<Of>(what: string, work: () => Of): Attempt<Of> {
  try {
    return { made: work() };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { broken: { kind: 'broken', message: `Prism ${what} (${why})` } };
  }
}

function readResource(parts: PrismParts, contract: Contract, operation: Operation): object {
  const method = operation.method.toLowerCase();
  const item = dereference(contract.document, `/paths/${operation.path.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const { openapi, info } = contract.document.root as { openapi: string; info: object };
  const document = parts.decycle({ openapi, info, paths: { [operation.path]: item } }) as object;
  const operations = parts.transformOas3Operations(document);
  // Callbacks go to somebody's network, and the mock calls nobody.
  const { callbacks: _callbacks, ...target } = operations.find((each) => each['method'] === method) ?? {};
  const whole = { ...document, __target__: target };
  return parts.bundleTarget({ document: whole, path: '#/__target__', cloneDocument: false });
}

function runMocker(parts: PrismParts, resource: object, wish: Wish): PrismOutcome {
  parts.seedFaker(wish.seed);
  const input = { validations: [], data: { method: 'get', url: { path: '/' }, headers: {} } };
  const made = parts.mock({ resource, input, config: { ...wish } })(SILENT);
  if (made._tag === 'Left') return { kind: 'problem', message: made.left.detail ?? made.left.message };
  const { statusCode, headers = {}, body } = made.right;
  return { kind: 'answer', status: statusCode, headers, body };
}

const ignore = (): void => {};
const SILENT = { info: ignore, debug: ignore, success: ignore, warn: ignore, error: ignore, trace: ignore };
