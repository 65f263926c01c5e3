import type { Contract } from '../contract/contract.js';
import { readOnce } from '../contract/document/document.js';
import { actOn } from '../contract/gaps/gaps.js';
import { chooseAccepted, isJsonMediaType, narrowMediaType } from '../contract/media-types.js';
import type { ApiRequest, ApiResponse, Operation } from '../contract/model.js';
import type { Match } from '../contract/operations/match.js';
import { findResponse, listMediaTypes } from '../contract/operations/operations.js';
import type { Role, RoleOperation } from '../contract/resources/resource.js';
import { describeViolation } from '../contract/schemas/violation.js';
import { respondInPlace, replaceResponse, spoil } from './faults/apply-fault.js';
import type { FaultHit } from './faults/faults.js';
import { createRecord } from './operations/create-record.js';
import { actOnRecord, getRecord, removeRecord, replaceRecord, updateRecord } from './operations/existing-record.js';
import { listRecords } from './operations/list-records.js';
import { findCollection, readServed, type Matched, type RoleHandler, type Served } from './operations/respond.js';
import { challenge, rejectCaller } from './request/credentials.js';
import {
  applyGapRules,
  describeNotes,
  describeUnreadable,
  fillDefaults,
  findOperation,
  listMethods,
  pathBelowBase,
  profileFor,
  readRawParameters,
  leaveOutFiles,
  readBody,
} from './request/read-request.js';
import {
  ensureValidResponse,
  KEEPS_NO_STATE,
  removalStatus,
  recordExchange,
  type Outgoing,
} from './response/outgoing.js';
import { createErrorResponse } from './response/errors.js';
import { findPreference, forceResponse } from './response/prefer.js';
import { canBeWritten, writeBody } from './response/write-response.js';
import { listKept, type Kept } from './store/kept.js';
import { pickDelay, type Call, type Handler, type World } from './world/world.js';

interface Serving {
  /** The time at which the request arrived. Default: now. */
  started?: number;
  /** Whether the client has disconnected. Default: never. */
  isGone?: () => boolean;
  onWait?: (cancel: () => void) => void;
}

/** Responds after the prescribed delay; without one, `done` is called at once, unless records are yet to be made. */
export function serveRequest(
  request: ApiRequest,
  world: World,
  done: (response: ApiResponse) => void,
  { started = world.clock.elapsed(), isGone = () => false, onWait }: Serving = {},
): void {
  const serve = (hit?: FaultHit): void => {
    const now = (): void => {
      if (!isGone()) done(handleRequest(request, world, { started, hit }));
    };
    const preparing = prepareRecords(request, world);
    if (preparing === undefined) now();
    else void preparing.then(now, now);
  };
  if (isUndisturbed(world)) return serve();
  const { hit, delay } = holdBack(request, world);
  if (delay === 0) return serve(hit);
  const timer = setTimeout(() => serve(hit), delay);
  // A delayed request must not keep a finished process alive.
  onWait?.(() => clearTimeout(timer));
}

export const isUndisturbed = ({ delay, faults }: World): boolean => delay === undefined && faults.isEmpty;

/** The faults that strike before the operation, and for how long to hold the request back, in milliseconds. */
export function holdBack(request: ApiRequest, world: World): { hit: FaultHit | undefined; delay: number } {
  const match = world.faults.isEmpty ? undefined : findOperation(request, world);
  const hit =
    match?.kind === 'operation'
      ? world.faults.strike('before', {
          request,
          operation: match.operation,
          path: pathBelowBase(request, world),
          status: undefined,
        })
      : undefined;
  return { hit, delay: pickDelay(world) + (hit?.delay ?? 0) };
}

/** Whether the credentials of a request are rejected whatever its body contains, so that the body need not be kept, unless a fault examines it. */
export function isRejectedUnread(request: ApiRequest, world: World): boolean {
  if (!world.faults.isEmpty) return false;
  const match = findOperation(request, world);
  return (
    match.kind === 'operation' && match.operation.secured && rejectCaller(request, match.operation, world) !== undefined
  );
}

function prepareRecords(request: ApiRequest, world: World): Promise<void> | undefined {
  const { collections } = world;
  if (collections.isComplete) return undefined;
  const match = findOperation(request, world);
  if (match.kind !== 'operation') return undefined;
  const found = findCollection(match, world);
  if (found === undefined || collections.isOpen(found.kept, found.within)) return undefined;
  return isServed(request, match, world) ? collections.prepare(found.kept, found.within) : undefined;
}

function isServed(request: ApiRequest, { operation, pathValues }: Matched, world: World): boolean {
  if (isRejectedUnread(request, world)) return false;
  const { contract } = world;
  const profile = profileFor(operation, world);
  const reading = readRawParameters(operation, pathValues, request, { contract, profile });
  if (contract.validate.parameters(operation, reading).length > 0) return false;
  const body = readBody(operation, request, profile);
  if (body.kind !== 'read') return body.kind !== 'rejected';
  return contract.validate.requestBody(operation, body.mediaType, body.value, body.parts).length === 0;
}

/** Answers a request that could not be served, through no fault of its own; it may be sent again. */
export function respondUnserved(
  request: ApiRequest,
  world: World,
  { status, message }: { status: number; message: string },
): ApiResponse {
  const match = findOperation(request, world);
  const operation = match.kind === 'operation' ? match.operation : undefined;
  const response = createErrorResponse(status, message, status === 503 ? { 'Retry-After': '1' } : {});
  const checked = ensureValidResponse(request, { response, operation, reason: message }, world);
  recordExchange(request, checked, world, world.clock.elapsed());
  return checked.response;
}

/** The pipeline: answers any request, and never throws. */
export function handleRequest(
  request: ApiRequest,
  world: World,
  { started = world.clock.elapsed(), hit }: { started?: number; hit?: FaultHit | undefined } = {},
): ApiResponse {
  const given = orCrash(undefined, () => answer(request, world, hit));
  // A user's handler may return something that is not a response.
  const checked = orCrash(given.operation, () => {
    // An error quotes the request, and clients print it: a key in the wrong place must not appear.
    const { atFault, reason, response } = given;
    const message = atFault === 'client' && reason !== undefined ? world.redact(reason) : reason;
    if (message === undefined || message === reason) return ensureValidResponse(request, given, world);
    const redacted = createErrorResponse(response.status, message, response.headers);
    return ensureValidResponse(request, { ...given, response: redacted }, world);
  });
  const sent = world.faults.isEmpty && hit === undefined ? checked : applyFaults(request, checked, world, hit);
  recordExchange(request, sent, world, started);
  return sent.response;
}

function answer(request: ApiRequest, world: World, hit: FaultHit | undefined): Outgoing {
  const match = findOperation(request, world);

  if (match.kind === 'unknown-path') {
    if (actOn(world.profile, 'unknown-path', { 'not-found': false, 'unauthorized-first': true })) {
      const challenged = challenge(request, world.contract.security, world);
      if (challenged !== undefined) return reject(401, challenged.message, { headers: challenged.headers });
    }
    const { basePath, operations } = world.contract;
    const paths = [...new Set(operations.map(({ path, server }) => `${server?.basePath ?? basePath}${path}`))];
    const shown = [...paths.slice(0, MAX_PATHS_SHOWN), ...(paths.length > MAX_PATHS_SHOWN ? ['...'] : [])].join(', ');
    return reject(404, `the contract has no path ${request.path}; its paths are ${shown}`);
  }

  if (match.kind === 'wrong-method') return respondToOtherMethod(request, match, world);
  const { operation } = match;

  // A fault takes precedence over anything in the request itself.
  if (hit?.effect !== undefined) return respondInPlace(hit.effect, operation, world);

  const forced = request.headers['prefer'] === undefined ? undefined : forceResponse(operation, request, world);
  if (forced?.kind === 'rejected') return reject(400, forced.message, { operation });
  if (forced !== undefined) return { response: forced.response, operation, reason: forced.note };

  // Credentials are checked before anything else in the request (`#/components/securitySchemes/apiKey`).
  if (operation.secured) {
    const rejected = rejectCaller(request, operation, world);
    if (rejected !== undefined)
      return reject(rejected.status, rejected.message, { operation, headers: rejected.headers });
  }

  const removed = removalStatus(operation, world);
  if (removed !== undefined) {
    const instead = operation.successor === undefined ? '' : `; use ${operation.successor} instead`;
    return reject(removed, `${operation.id} was removed on ${operation.sunset}${instead}`, { operation });
  }

  if (!acceptsResponse(request, operation) && actOn(world.profile, 'unacceptable', REJECTS)) {
    const offered = listMediaTypes(operation).join(' or ');
    return reject(406, `Accept is ${request.headers['accept']}, but the responses are ${offered}`, { operation });
  }

  const profile = profileFor(operation, world);
  const reading = readRawParameters(operation, match.pathValues, request, { contract: world.contract, profile });

  const unreadable = describeUnreadable(reading, profile);
  if (unreadable !== undefined) return reject(400, unreadable, { operation });

  const body = readBody(operation, request, profile);
  if (body.kind === 'rejected') return reject(body.status, body.message, { operation });

  const violations = world.contract.validate.parameters(operation, reading);
  if (body.kind === 'read')
    violations.push(...world.contract.validate.requestBody(operation, body.mediaType, body.value, body.parts));
  const sent = body.kind === 'read' ? body.value : undefined;
  world.coverage.addRequest({ operation, parameters: reading, body: sent, violations });

  if (violations.length > 0) {
    const status = applyGapRules(operation, reading, violations, { contract: world.contract, profile });
    if (status !== undefined)
      return reject(status, violations.map(describeViolation).join('; '), { operation, violations });
  }

  const handler = world.handlers[operation.id] ?? world.stateless[operation.id];
  if (handler === undefined) return reject(501, `${operation.id} has no handler`, { operation, atFault: 'mock' });
  fillDefaults(operation, reading);
  const call: Call = {
    operation,
    request,
    path: reading.path,
    query: reading.query,
    body: body.kind === 'read' ? leaveOutFiles(body) : undefined,
    world,
    profile,
    keepsState: false,
    undo: undefined,
    note: undefined,
  };
  return orCrash(operation, () => {
    const response = handler(call);
    if (call.failure !== undefined) return { response, operation, atFault: 'mock', ...call.failure };
    return { response, operation, notes: describeNotes(reading, call.note), call };
  });
}

function applyFaults(request: ApiRequest, checked: Outgoing, world: World, before: FaultHit | undefined): Outgoing {
  const { operation } = checked;
  if (operation === undefined) return checked;
  const { status } = checked.response;
  // A fault has already replaced this response; no further one strikes it.
  const after =
    before?.effect === undefined
      ? world.faults.strike('after', { request, operation, path: pathBelowBase(request, world), status })
      : undefined;
  const hit = after ?? before;
  if (hit === undefined) return checked;
  const faults = [...(before?.ids ?? []), ...(after?.ids ?? [])];
  const due = after ?? { ...hit, delay: 0 };
  const instead = after?.effect === undefined ? undefined : replaceResponse(after.effect, operation, world);
  const replaced = instead === undefined ? checked : ensureValidResponse(request, { ...checked, ...instead }, world);
  const response = spoil(replaced.response, due, { request, operation, world });
  return { ...replaced, response, faults, reason: checked.reason ?? `fault injection: ${faults.join(' and ')}` };
}

function orCrash(operation: Operation | undefined, produce: () => Outgoing): Outgoing {
  try {
    return produce();
  } catch (crash) {
    const reason = 'the mock failed to respond; this is a bug of the mock';
    return { response: createErrorResponse(500, reason), operation, atFault: 'mock', reason, crash };
  }
}

const REJECTS: Record<string, boolean> = { 'refused-400': true, 'refused-406': true, ignored: false };
const WRONG_METHOD: Record<string, number> = { 'refused-405': 405, 'not-found': 404 };
const MAX_PATHS_SHOWN = 10;

function respondToOtherMethod(request: ApiRequest, match: Match & { kind: 'wrong-method' }, world: World): Outgoing {
  const allow = listMethods(match.allowed, world);
  if (request.method === 'OPTIONS') return { response: { status: 204, headers: { Allow: allow }, body: undefined } };
  const status = actOn(world.profile, 'wrong-method', WRONG_METHOD);
  const message = `${request.path} has no ${request.method}; it has ${allow}`;
  return reject(status, message, { headers: status === 405 ? { Allow: allow } : {} });
}

function acceptsResponse(request: ApiRequest, operation: Operation): boolean {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return true;
  // A success without a body is acceptable to everyone.
  if (operation.responses.some(({ status, content }) => status.startsWith('2') && content.length === 0)) return true;
  const offered = listMediaTypes(operation).map((mediaType) => ({ mediaType }));
  return chooseAccepted(offered, accept) !== undefined;
}

function reject(
  status: number,
  reason: string,
  { headers, ...rest }: Omit<Outgoing, 'response'> & { headers?: Record<string, string> } = {},
): Outgoing {
  return { response: createErrorResponse(status, reason, headers), atFault: 'client', reason, ...rest };
}

const ROLES: Readonly<Record<Role, RoleHandler>> = {
  list: listRecords,
  create: createRecord,
  get: getRecord,
  replace: replaceRecord,
  update: updateRecord,
  remove: removeRecord,
  action: actOnRecord,
};

export const createHandlers = readOnce((contract: Contract): Readonly<Record<string, Handler>> => {
  const handle = (kept: Kept) =>
    kept.operations.map((role) => [role.operation.id, createHandler(contract, kept, role)] as const);
  return Object.fromEntries(listKept(contract).flatMap(handle));
});

function createHandler(contract: Contract, kept: Kept, role: RoleOperation): Handler {
  const handle = ROLES[role.role];
  const { mediaType, schemaPointer } = role.success;
  // What is no JSON shows no record, and the contract has all that is known of it.
  const isOpaque = mediaType !== undefined && schemaPointer === undefined && !isJsonMediaType(mediaType);
  let served: Served | undefined;
  return (call) => {
    if (asksForExample(call)) return respondStateless(call);
    const response = handle(call, (served ??= readServed(contract, kept, role)));
    if (response === undefined) {
      call.note ??= `${KEEPS_NO_STATE}: the request cannot be turned into a valid record`;
      return respondStateless(call);
    }
    call.keepsState = true;
    return response.status < 300 && isOpaque ? respondStateless(call) : writeAsAccepted(response, call, contract);
  };
}

function writeAsAccepted(response: ApiResponse, { operation, request }: Call, contract: Contract): ApiResponse {
  const { accept } = request.headers;
  const { status, headers, body } = response;
  if (body === undefined || status >= 300 || accept === undefined || accept === '*/*') return response;
  const chosen = chooseAccepted(findResponse(operation, status)?.content ?? [], accept);
  const mediaType = narrowMediaType(chosen?.mediaType ?? '', body.value);
  if (chosen === undefined || mediaType === headers['Content-Type'] || !canBeWritten(chosen)) return response;
  const described = { document: contract.document, pointer: chosen.content.schemaPointer };
  const written = writeBody(body.value, mediaType, described);
  const made = { ...response, headers: { ...headers, 'Content-Type': written.type }, body: written.body };
  return contract.validate.response(operation, made).length === 0 ? made : response;
}

function asksForExample({ request, operation, world }: Call): boolean {
  const { prefer } = request.headers;
  if (prefer === undefined || world.stateless[operation.id] === undefined) return false;
  return (
    findPreference(prefer, 'example') !== undefined ||
    findPreference(prefer, 'seed') !== undefined ||
    findPreference(prefer, 'dynamic') === 'true'
  );
}

function respondStateless(call: Call): ReturnType<Handler> {
  const { operation, world } = call;
  return world.stateless[operation.id]?.(call) ?? createErrorResponse(501, `${operation.id} has no handler`);
}
