import type { Contract } from '../../contract/contract.js';
import { jsonBody } from '../../contract/document/json.js';
import { isJsonMediaType, normalizeMediaType } from '../../contract/media-types.js';
import type { ApiResponse, ResponseHeaders } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Call } from '../world/world.js';
import type { Wish } from './prefer.js';
import { UNSENDABLE } from './write-response.js';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { dereference } from '../../contract/document/references.js';

/**
 * What Prism answers where the mock itself can make nothing that keeps the contract; `undefined` if it cannot either.
 * `find` is asked at the first such operation, since Prism takes seconds to load.
 */
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
  const { 'Content-Type': named = '', ...others } = readHeaders(outcome.headers);
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

/** Prism marks deprecated operations with a value that is not the date RFC 9745 requires; the mock announces removals itself. */
function readHeaders(made: Record<string, unknown>): ResponseHeaders {
  const headers: ResponseHeaders = {};
  for (const [name, value] of Object.entries(made)) {
    if (!['string', 'number', 'boolean'].includes(typeof value) || name === 'deprecation') continue;
    headers[name === 'Content-type' ? 'Content-Type' : name] = String(value).replace(UNSENDABLE, '?');
  }
  return headers;
}

const PRISM = '@stoplight/prism-http';

/** Prism's answer to a wish, why it has none, or how it broke. */
export type PrismOutcome =
  | { kind: 'answer'; status: number; headers: Record<string, unknown>; body: unknown }
  | { kind: 'problem' | 'broken'; message: string };

type PrismAnswer = (operation: Operation, wish: Wish) => PrismOutcome;

/** The modules, resolved as Prism itself resolves them. */
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

/** The parts of Prism in use. Its public entry is asynchronous throughout; the mocker inside is not. */
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

/** Prism for one contract. Loading it takes a second, so the first answer does it. */
export function createPrismAnswer(load: NodeJS.Require, contract: Contract): PrismAnswer {
  let parts: Attempt<PrismParts> | undefined;
  const resources = new Map<string, Attempt<object>>();
  return (operation, wish) => {
    parts ??= attempt('cannot be loaded', () => loadParts(load));
    if ('broken' in parts) return parts.broken;
    const { made } = parts;
    const resource =
      resources.get(operation.id) ?? attempt('cannot read the document', () => readResource(made, contract, operation));
    // What broke once is not tried again.
    resources.set(operation.id, resource);
    if ('broken' in resource) return resource.broken;
    const answered = attempt('cannot respond', () => answer(made, resource.made, wish));
    return 'broken' in answered ? answered.broken : answered.made;
  };
}

type Attempt<Made> = { made: Made } | { broken: PrismOutcome };

/** Prism is not ours and may throw anything, such as a stack that overflows at a schema that contains itself. */
function attempt<Made>(what: string, make: () => Made): Attempt<Made> {
  try {
    return { made: make() };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { broken: { kind: 'broken', message: `Prism ${what} (${why})` } };
  }
}

function loadParts(load: NodeJS.Require): PrismParts {
  const { default: mock } = load(PARTS.mocker) as { default: PrismParts['mock'] };
  const { transformOas3Operations } = load(PARTS.transformer) as PrismParts;
  const { bundleTarget, decycle } = load(PARTS.json) as PrismParts;
  // Prism 5.12 has Faker 6, which is a default export; in 5.15 and later it is a named one.
  type Seeded = { seed(seed: number[]): void };
  const { faker, default: older } = load(PARTS.faker) as { faker?: Seeded; default?: Seeded };
  const seedFaker = (seed: string): void => (faker ?? older)?.seed([...Buffer.from(seed)]);
  return { mock, transformOas3Operations, bundleTarget, decycle, seedFaker };
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

function answer(parts: PrismParts, resource: object, wish: Wish): PrismOutcome {
  parts.seedFaker(wish.seed);
  const input = { validations: [], data: { method: 'get', url: { path: '/' }, headers: {} } };
  const made = parts.mock({ resource, input, config: { ...wish } })(SILENT);
  if (made._tag === 'Left') return { kind: 'problem', message: made.left.detail ?? made.left.message };
  const { statusCode, headers = {}, body } = made.right;
  return { kind: 'answer', status: statusCode, headers, body };
}

const ignore = (): void => {};
const SILENT = { info: ignore, debug: ignore, success: ignore, warn: ignore, error: ignore, trace: ignore };
