import type { AdminAnswer, AdminCall } from './handlers.js';
import { findTwoWorlds, nameOfWorld, refuseGone, NotThere, PASSES_NO_GATE, HANDLERS } from './handlers.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadContract, type Contract } from '../../contract/contract.js';
import { parseJsonBytes, printJson } from '../../contract/document/json.js';
import type { Match } from '../../contract/operations/match.js';
import type { RequestHeaders } from '../../contract/model.js';
import { readParameters } from '../../contract/parameters.js';
import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { packageFile } from '../../package-files.js';
import { mapTexts } from '../../redact/redactor.js';
import { createHandles } from '../handles/create-handles.js';
import { BadInput } from '../handles/records.js';
import type { PetstoreWorld } from '../petstore-world.js';
import { readBodyBytes } from '../http/middleware.js';
import { ADMIN_PATH } from '../world-names.js';
import { guard, rejectMessage, type AdminAccess, type Rejected } from './guard.js';

const SHIPPED_DOCUMENT = 'spec/admin.openapi.yaml';

let document: Contract | undefined;

const MIB = 1024 * 1024;
const LONG = 64 * MIB;
const LONG_BODIES: Readonly<Record<string, number>> = { loadFixtures: LONG, replacePets: LONG, replaceRecords: LONG };
const MAX_BODY_BYTES = MIB;

/** The admin API of the worlds, as `spec/admin.openapi.yaml` describes it. */
export function createAdmin(
  worlds: Worlds,
  access: AdminAccess,
): (request: IncomingMessage, response: ServerResponse) => void {
  const shipped = { shownAs: SHIPPED_DOCUMENT, trusted: true };
  const contract = (document ??= loadContract(packageFile(SHIPPED_DOCUMENT), shipped));
  const handles = createHandles(worlds, '');
  return (request, response) => {
    const { method = '', url = '' } = request;
    // The path below the admin API, and the query. Express removes only the mount path.
    const [path = '', ...rest] = url.slice(url.indexOf(ADMIN_PATH) + ADMIN_PATH.length).split('?');
    const reply = (answered: Answered): void => {
      // Rejections quote the request.
      const told = answered.status < 400 ? answered.body : mapTexts(answered.body, worlds.default.redact, OUR_OWN);
      send(request, response, { ...answered, body: told });
    };
    // Some tools check with HEAD whether the mock is up.
    const match = contract.match(method === 'HEAD' ? 'GET' : method, path);
    const operation = match.kind === 'operation' ? match.operation : undefined;
    const rejected = rejectMessage(request) ?? guard(request, access, operation?.id);
    if (rejected !== undefined) return reply(refuse(rejected));
    if (match.kind !== 'operation') return reply(refuse(describeUnknown(method, path, match, contract)));
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const { id, requestBody } = match.operation;
    const serve = (body?: Uint8Array): void => {
      const given = { match, query: rest.join('?'), headers: request.headers as RequestHeaders, body };
      const work = (): Promise<Answered> => answer(given, { contract, worlds, handles, gone: leaving.signal });
      const gate = PASSES_NO_GATE.has(id) ? undefined : worlds.gate;
      void orRefuse(() => (gate === undefined ? work() : gate.passAlone(work))).then(reply);
    };
    // A body that the operation does not have is not read into memory.
    if (requestBody === undefined) return serve();
    const limits = { most: LONG_BODIES[id] ?? MAX_BODY_BYTES, pool: worlds.default.memory.bodies };
    readBodyBytes(request, limits, ({ body, bodyLongerThan: most, bodyHadNoRoom }) => {
      const noRoom = 'too many long bodies are being sent at once; try again';
      const tooLong = `a body has at most ${most} bytes`;
      if (bodyHadNoRoom === true) return reply(refuse({ status: 503, code: 'overloaded', message: noRoom }));
      if (most !== undefined) return reply(refuse({ status: 413, code: 'body_too_large', message: tooLong }));
      serve(body);
    });
  };
}

type Matched = Match & { kind: 'operation' };
type Given = { match: Matched; query: string; headers: RequestHeaders; body: Uint8Array | undefined };
type Context = Pick<AdminCall, 'worlds' | 'handles' | 'gone'> & { contract: Contract };

interface Answered extends AdminAnswer {
  headers?: Record<string, string>;
}

function describeUnknown(method: string, path: string, match: Exclude<Match, Matched>, contract: Contract): Rejected {
  if (match.kind === 'unknown-path') {
    const paths = [...new Set(contract.operations.map((operation) => operation.path))].join(', ');
    const message = `the admin API has no ${path === '' ? '/' : path}; it has ${paths}`;
    return { status: 404, code: 'not_found', message };
  }
  const allow = match.allowed.join(', ');
  const message = `${path} has no ${method}; it has ${allow}`;
  return { status: 405, code: 'method_not_allowed', message, headers: { Allow: allow } };
}

async function answer({ match, query: asked, headers, body }: Given, context: Context): Promise<Answered> {
  const { contract, handles, worlds, gone } = context;
  const { operation, pathValues } = match;
  const reading = readParameters(operation, { pathValues, query: asked, headers });
  const parsed = operation.requestBody === undefined ? undefined : parseJsonBytes(body ?? new Uint8Array());
  if (parsed?.ok === false)
    return refuse({ status: 400, code: 'invalid_request', message: `body: ${parsed.problem.message}` });
  const violations = [
    ...contract.validate.parameters(operation, reading),
    ...(parsed === undefined ? [] : contract.validate.requestBody(operation, 'application/json', parsed.value)),
  ];
  const reasons = [
    ...violations.map(({ message }) => message),
    ...reading.badEscapes.map(
      ({ part, name, raw }) => `${part}/${name} has a percent escape that is not UTF-8: ${raw}`,
    ),
    ...reading.unknown.map((name) => `query/${name} is not a parameter of this call`),
    ...findTwoWorlds(reading),
  ];
  if (reasons.length > 0)
    return { status: 400, body: { code: 'invalid_request', message: reasons.join('; '), status: 400, violations } };
  const missing = refuseGone(reading, worlds);
  if (missing !== undefined) return refuse(missing);
  const handler = HANDLERS[operation.id];
  if (handler === undefined) throw new Error(`the admin API has no handler for ${operation.id}`);
  const { path, query } = reading;
  for (const { in: part, name, schema } of operation.parameters)
    if (part === 'query') query[name] ??= schema['default'];
  const named = nameOfWorld(reading);
  return handler({
    path,
    query,
    body: parsed?.value,
    get world(): PetstoreWorld {
      return handles.world(named);
    },
    handles,
    worlds,
    gone,
  });
}

async function orRefuse(work: () => Promise<Answered>): Promise<Answered> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotThere) return refuse({ status: 404, code: 'not_found', message: error.message });
    if (error instanceof BadInput && error.violations.length > 0) {
      const { code, message, violations } = error;
      return { status: 400, body: { code, message, status: 400, violations } };
    }
    if (error instanceof PetstoreMockError)
      return refuse({ status: STATUSES[error.code] ?? 400, code: error.code, message: error.message });
    const message = 'the mock failed to respond; this is a bug of the mock';
    return refuse({ status: 500, code: 'internal_error', message });
  }
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  'store-full': 507,
  unavailable: 503,
  'wait-timeout': 408,
  violations: 409,
  'low-coverage': 409,
};

const refuse = ({ status, code, message, headers }: Rejected): Answered => ({
  status,
  body: { code, message, status },
  ...(headers === undefined ? {} : { headers }),
});

const OUR_OWN: ReadonlySet<string> = new Set(['code', 'part', 'rule', 'contract']);

function send({ method }: IncomingMessage, response: ServerResponse, { status, body, headers }: Answered): void {
  if (response.destroyed || response.writableEnded) return;
  const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers };
  if (body === undefined) return void response.writeHead(status, always).end();
  const text = printJson(body);
  const described = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...always, ...described }).end(method === 'HEAD' ? undefined : text);
}
