import type { Contract } from '../../contract/contract.js';
import { findExample, listExampleNames } from '../../contract/schemas/examples.js';
import { jsonBody } from '../../contract/document/json.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { ApiRequest, ApiResponse, JsonBody, ResponseHeaders } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Operation } from '../../contract/model.js';
import { sampleValue } from '../../contract/schemas/sample.js';
import type { Handler } from '../world/world.js';
import { findPreference } from '../request/prefer.js';
import { createPrismAnswer, findPrism, PRISM, PRISM_VERSION, type PrismAnswer, type PrismWish } from './prism.js';
import { createRefusal } from './refusals.js';

/** What answers the operations that have no handler of ours. */
export interface Stateless {
  handlers: Record<string, Handler>;
  /** Their ids, in the order of the contract. */
  operationIds: string[];
  /** What is missing to answer them, a sentence; `undefined` when nothing is. */
  missing: string | undefined;
}

export interface StatelessOptions {
  contract: Contract;
  /** The operations that have a handler. */
  stateful: Readonly<Record<string, Handler>>;
  /** The same request gets the same answer for the same seed. */
  seed: number;
  /** Where the team's document is; Prism may be installed there. */
  specPath: string | undefined;
}

/** Handlers for every operation that has none: answered by Prism from the contract, or with 501 where it is not installed. */
export function createStateless({ contract, stateful, seed, specPath }: StatelessOptions): Stateless {
  const operations = contract.operations.filter(({ id }) => !Object.hasOwn(stateful, id));
  const operationIds = operations.map(({ id }) => id);
  if (operations.length === 0) return { handlers: {}, operationIds, missing: undefined };
  const load = findPrism(specPath);
  const handler = load === undefined ? refuse : createHandler(contract, createPrismAnswer(load, contract), seed);
  const handlers = Object.fromEntries(operationIds.map((id) => [id, handler]));
  return { handlers, operationIds, missing: load === undefined ? describeMissing(operationIds) : undefined };
}

const INSTALL = `npm install --save-dev ${PRISM}@${PRISM_VERSION}`;

function describeMissing(ids: readonly string[]): string {
  const told =
    ids.length > MAX_TOLD ? `${ids.slice(0, MAX_TOLD).join(', ')} and ${ids.length - MAX_TOLD} more` : ids.join(', ');
  const verb = ids.length === 1 ? 'needs' : 'need';
  return `${told} ${verb} Prism, which is not installed, and will answer 501; to add it: ${INSTALL}`;
}

const MAX_TOLD = 10;

const refuse: Handler = ({ operation }) =>
  createRefusal(
    501,
    `${operation.id} is answered from the contract by Prism, which is not installed; to add it: ${INSTALL}`,
  );

interface Asked {
  contract: Contract;
  operation: Operation;
  prism: PrismAnswer;
}

function createHandler(contract: Contract, prism: PrismAnswer, seed: number): Handler {
  return ({ operation, request }) => {
    const asked: Asked = { contract, operation, prism };
    const wish = readWish(request, seed);
    const first = ask(asked, wish);
    const isSound = (response: ApiResponse): boolean => contract.validate.response(operation, response).length === 0;
    // An example of the contract's stays what it is, sound or not.
    const isGiven = wish.exampleKey !== undefined || (wish.dynamic !== true && hasExample(contract, operation, first));
    if (isGiven || first.status === 406 || isSound(first)) return first;
    // Texts that Prism samples keep no pattern, and what contains itself ends where it must not; so other ways are tried.
    const others = [() => ask(asked, { ...wish, dynamic: true }), () => sampleBody(asked, wish, first)];
    for (const make of others) {
      const other = make();
      if (isSound(other)) return other;
    }
    return first;
  };
}

/** The answer with no more in its body than the schema requires. */
function sampleBody({ contract, operation }: Asked, wish: PrismWish, answer: ApiResponse): ApiResponse {
  const status = wish.code ?? findSuccess(operation);
  const content = findResponse(operation, status)?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  if (content?.schemaPointer === undefined) return answer;
  const headers = { ...answer.headers, 'Content-Type': content.mediaType };
  return { status, headers, body: jsonBody(sampleValue(contract.document, content.schemaPointer) ?? null) };
}

function findSuccess({ responses }: Operation): number {
  const first = responses.map(({ status }) => status).find((status) => status.startsWith('2')) ?? '200';
  return Number(first.replace('XX', '00'));
}

function hasExample({ document }: Contract, operation: Operation, { status }: ApiResponse): boolean {
  const rule = findResponse(operation, status);
  return rule !== undefined && findExample(document, rule) !== undefined;
}

/** `Prefer: code=`, `example=`, `dynamic=` and `seed=`, as Prism reads them. */
function readWish(request: ApiRequest, seed: number): PrismWish {
  const { prefer = '', accept } = request.headers;
  const code = findPreference(prefer, 'code');
  const own = findPreference(prefer, 'seed');
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: findPreference(prefer, 'example'),
    dynamic: findPreference(prefer, 'dynamic') === 'true',
    seed: own ?? [seed, request.method, request.path, request.query, textOf(request.body)].join(' '),
    mediaTypes: acceptedTypes(accept),
  };
}

/** Who takes anything gets JSON where there is some. */
function acceptedTypes(accept = '*/*'): string[] {
  return accept.trim() === '*/*' ? ['application/json', '*/*;q=0.5'] : accept.split(',').map((each) => each.trim());
}

function textOf(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString('latin1');
}

function ask(asked: Asked, wish: PrismWish): ApiResponse {
  const { operation, prism } = asked;
  const outcome = prism(operation, wish);
  if (outcome.kind === 'problem') return refuseWish(asked, wish, outcome.message);
  const { 'Content-Type': named = '', ...others } = readHeaders(outcome.headers);
  const content = findResponse(operation, outcome.status)?.content ?? [];
  if (content.length === 0) return { status: outcome.status, headers: others, body: undefined };
  // For a range Prism says `text/plain`, whatever the body is.
  const isNamed = content.some(({ mediaType }) => mediaType === named.toLowerCase());
  const mediaType = isNamed || typeof outcome.body === 'string' ? named : 'application/json';
  if (typeof outcome.body !== 'string' && !isJsonMediaType(mediaType)) {
    return createRefusal(406, `the mock cannot write ${mediaType}; send Accept: application/json`);
  }
  const headers = { 'Content-Type': mediaType, ...others };
  return { status: outcome.status, headers, body: makeBody(outcome.body, mediaType) };
}

/** Who asks for an example that there is not should learn which there are. */
function refuseWish({ operation, contract }: Asked, wish: PrismWish, problem: string): ApiResponse {
  if (wish.exampleKey === undefined) {
    return createRefusal(500, `${operation.id} cannot be answered from the contract: ${problem}`);
  }
  const status = wish.code ?? findSuccess(operation);
  const rule = findResponse(operation, status);
  const names = rule === undefined ? [] : listExampleNames(contract.document, rule);
  const known = names.length === 0 ? 'none' : names.join(', ');
  return createRefusal(
    400,
    `the answer ${status} of ${operation.id} has no example ${wish.exampleKey}; it has ${known}`,
  );
}

/** Prism's own word for deprecated operations is no date, as RFC 9745 wants one; the mock announces removals itself. */
function readHeaders(made: Record<string, unknown>): ResponseHeaders {
  const headers: ResponseHeaders = {};
  for (const [name, value] of Object.entries(made)) {
    if (
      (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') ||
      name === 'deprecation'
    )
      continue;
    headers[name === 'Content-type' ? 'Content-Type' : name] = sanitize(String(value));
  }
  return headers;
}

/** What no header field may hold (RFC 9110 section 5.5). */
function sanitize(text: string): string {
  return text.replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '?');
}

/** A text that is no JSON is sent as it is. */
function makeBody(value: unknown, mediaType = 'application/json'): JsonBody {
  return !isJsonMediaType(mediaType) && typeof value === 'string' ? { value, text: value } : jsonBody(value ?? null);
}
