import { operationHandlers } from './describe-operation.js';
import {
  type AdminAnswer,
  type AdminCall,
  type AdminHandler,
  findTwoWorlds,
  nameOfWorld,
  refuseGone,
  NotThere,
  PASSES_NO_GATE,
  collectionHandlers,
  petHandlers,
  requestHandlers,
  worldHandlers,
} from './handlers.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadContract, type Contract } from '../../contract/contract.js';
import { parseJsonBytes, printJson } from '../../contract/document/json.js';
import type { Match } from '../../contract/operations/match.js';
import type { RequestHeaders } from '../../contract/message.js';
import { readParameters } from '../../contract/parameters.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { packageFile } from '../../package-files.js';
import { mapTexts } from '../../redact/map-texts.js';
import { createHandles, BadFault } from '../handles/create-handles.js';
import { BadRecord } from '../handles/records.js';
import type { PetstoreWorld } from '../petstore-world.js';
import { readBodyBytes } from '../http/exchange.js';
import { ADMIN_PATH } from '../world-names.js';
import { guard, rejectMessage, type AdminAccess, type Rejected } from './guard.js';

const SHIPPED_DOCUMENT = 'spec/admin.openapi.yaml';

let document: Contract | undefined;

const HANDLERS: Readonly<Record<string, AdminHandler>> = {
  ...worldHandlers,
  ...petHandlers,
  ...collectionHandlers,
  ...operationHandlers,
  ...requestHandlers,
};

const MIB = 1024 * 1024;

/** Only packs and lists of records may be long. */
const LONG_BODIES: Readonly<Record<string, number>> = {
  loadFixtures: 64 * MIB,
  replacePets: 64 * MIB,
  replaceRecords: 64 * MIB,
};
const MAX_BODY_BYTES = MIB;

/** The admin API of the worlds, as `spec/admin.openapi.yaml` describes it. */
export function createAdmin(
  worlds: Worlds,
  access: AdminAccess,
): (request: IncomingMessage, response: ServerResponse) => void {
  const contract = (document ??= loadContract(packageFile(SHIPPED_DOCUMENT), {
    shownAs: SHIPPED_DOCUMENT,
    trusted: true,
  }));
  const handles = createHandles(worlds, '');
  // Refusals quote the request.
  const reply = (request: IncomingMessage, response: ServerResponse, answered: Answered): void =>
    send(request, response, answered.status < 400 ? answered : redactRefusal(answered, worlds.default.redact));
  return (request, response) => {
    const target = splitTarget(request.url ?? '');
    // Some tools check with HEAD whether the mock is up.
    const match = contract.match(request.method === 'HEAD' ? 'GET' : (request.method ?? ''), target.path);
    const operation = match.kind === 'operation' ? match.operation : undefined;
    const rejected = rejectMessage(request) ?? guard(request, access, operation?.id);
    if (rejected !== undefined) return reply(request, response, refuse(rejected));
    if (match.kind !== 'operation')
      return reply(request, response, refuseUnknown(request, target.path, match, contract));
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const serve = (body: Uint8Array | undefined): void => {
      const given = { match, query: target.query, headers: request.headers as RequestHeaders, body };
      const work = (): Promise<Answered> => answer(given, { contract, worlds, handles, gone: leaving.signal });
      const gate = PASSES_NO_GATE.has(match.operation.id) ? undefined : worlds.gate;
      const answering = orRefuse(() => (gate === undefined ? work() : gate.passAlone(work)));
      void answering.then((answered) => reply(request, response, answered));
    };
    // A body that the operation does not have is not read into memory.
    if (match.operation.requestBody === undefined) return serve(undefined);
    const most = LONG_BODIES[match.operation.id] ?? MAX_BODY_BYTES;
    const { bodies: pool } = worlds.default.memory;
    readBodyBytes(request, { most, pool }, ({ body, bodyLongerThan, bodyHadNoRoom }) => {
      if (bodyHadNoRoom === true) return reply(request, response, refuse(NO_ROOM));
      if (bodyLongerThan !== undefined) return reply(request, response, refuse(describeTooLong(bodyLongerThan)));
      serve(body);
    });
  };
}

const NO_ROOM: Rejected = {
  status: 503,
  code: 'overloaded',
  message: 'too many long bodies are being sent at once; try again',
};

function describeTooLong(most: number): Rejected {
  return { status: 413, code: 'body_too_large', message: `a body has at most ${most} bytes` };
}

type Matched = Match & { kind: 'operation' };

interface Given {
  match: Matched;
  query: string;
  headers: RequestHeaders;
  body: Uint8Array | undefined;
}

type Context = Pick<AdminCall, 'worlds' | 'handles' | 'gone'> & { contract: Contract };

interface Answered extends AdminAnswer {
  headers?: Record<string, string>;
}

function refuseUnknown(
  { method = '' }: IncomingMessage,
  path: string,
  match: Exclude<Match, Matched>,
  contract: Contract,
): Answered {
  if (match.kind === 'unknown-path') {
    const paths = [...new Set(contract.operations.map((operation) => operation.path))].join(', ');
    return refuse({
      status: 404,
      code: 'not_found',
      message: `the admin API has no ${path === '' ? '/' : path}; it has ${paths}`,
    });
  }
  const allow = match.allowed.join(', ');
  const message = `${path} has no ${method}; it has ${allow}`;
  return refuse({ status: 405, code: 'method_not_allowed', message, headers: { Allow: allow } });
}

async function answer(given: Given, context: Context): Promise<Answered> {
  const { contract, handles, worlds } = context;
  const { match } = given;
  const { operation } = match;
  const reading = readParameters(operation, {
    pathValues: match.pathValues,
    query: given.query,
    headers: given.headers,
  });
  const parsed = operation.requestBody === undefined ? undefined : parseJsonBytes(given.body ?? new Uint8Array());
  if (parsed?.ok === false) {
    return refuse({ status: 400, code: 'invalid_request', message: `body: ${parsed.problem.message}` });
  }
  const violations = [
    ...contract.validate.parameters(operation, reading),
    ...(parsed === undefined ? [] : contract.validate.requestBody(operation, 'application/json', parsed.value)),
  ];
  const others = [
    ...reading.badEscapes.map(
      ({ part, name, raw }) => `${part}/${name} has a percent escape that is not UTF-8: ${raw}`,
    ),
    ...reading.unknown.map((name) => `query/${name} is not a parameter of this call`),
    ...findTwoWorlds(reading),
  ];
  if (violations.length > 0 || others.length > 0) return refuseInvalid(violations, others);
  const named = nameOfWorld(reading);
  const gone = refuseGone(reading, worlds);
  if (gone !== undefined) return refuse(gone);
  const handler = HANDLERS[operation.id];
  if (handler === undefined) throw new Error(`the admin API has no handler for ${operation.id}`);
  const { path, query } = reading;
  for (const { in: part, name, schema } of operation.parameters)
    if (part === 'query') query[name] ??= schema['default'];
  return handler({
    path,
    query,
    body: parsed?.value,
    get world(): PetstoreWorld {
      return handles.world(named);
    },
    handles,
    worlds,
    gone: context.gone,
  });
}

async function orRefuse(work: () => Promise<Answered>): Promise<Answered> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotThere) return refuse({ status: 404, code: 'not_found', message: error.message });
    if ((error instanceof BadFault || error instanceof BadRecord) && error.violations.length > 0) {
      const { code, message, violations } = error;
      return { status: 400, body: { code, message, status: 400, violations } };
    }
    if (error instanceof PetstoreMockError) {
      return refuse({ status: STATUSES[error.code] ?? 400, code: error.code, message: error.message });
    }
    return refuse({
      status: 500,
      code: 'internal_error',
      message: 'the mock failed to respond; this is a bug of the mock',
    });
  }
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  'store-full': 507,
  unavailable: 503,
  'wait-timeout': 408,
  violations: 409,
  'low-coverage': 409,
};

function refuse({ status, code, message, headers }: Rejected): Answered {
  return { status, body: { code, message, status }, ...(headers === undefined ? {} : { headers }) };
}

function refuseInvalid(violations: readonly Violation[], others: readonly string[]): Answered {
  const message = [...violations.map((violation) => violation.message), ...others].join('; ');
  return { status: 400, body: { code: 'invalid_request', message, status: 400, violations } };
}

/** The parts of a refusal that callers cannot influence. */
const OUR_OWN: ReadonlySet<string> = new Set(['code', 'part', 'rule', 'contract']);

function redactRefusal(refusal: Answered, redact: (text: string) => string): Answered {
  return { ...refusal, body: mapTexts(refusal.body, redact, OUR_OWN) };
}

/** The path below the admin API, and the query. Express removes only the mount path. */
function splitTarget(url: string): { path: string; query: string } {
  const [path = '', ...query] = url.slice(url.indexOf(ADMIN_PATH) + ADMIN_PATH.length).split('?');
  return { path, query: query.join('?') };
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, body, headers }: Answered): void {
  if (response.destroyed || response.writableEnded) return;
  const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers };
  if (body === undefined) return void response.writeHead(status, always).end();
  const text = printJson(body);
  const described = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...always, ...described }).end(method === 'HEAD' ? undefined : text);
}
