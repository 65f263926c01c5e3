import type { ApiRequest, ApiResponse } from '../contract/message.js';
import { prove } from './answer/prove.js';
import { createRefusal } from './answer/refusals.js';
import type { FaultHit } from './faults/strike.js';
import { findStruck, handleRequest, isRefusedUnread } from './handle-request.js';
import { findCollection, type Matched } from './operations/find-collection.js';
import { findOperation } from './request/find-operation.js';
import { profileFor } from './request/profile-for.js';
import { readBody } from './request/read-body.js';
import { readRawParameters } from './request/read-query.js';
import type { GateRefusal } from './world/gate.js';
import { recordExchange } from './world/record-exchange.js';
import { pickDelay, type World } from './world/world.js';

export interface ServeOptions {
  /** The time at which the request arrived. Default: now. */
  started?: number;
  /** Whether the client has disconnected. Default: never. */
  isGone?: () => boolean;
  /** Called when the request is held back, with a function that ends the wait, to be called when the client disconnects. */
  onWait?: (cancel: () => void) => void;
}

/**
 * Answers a request after the delay that the world and its faults prescribe. Passes the answer on, together with what
 * the transport has to delay or cut (`response.transport`). Without a delay, `done` is called before this returns, unless
 * the records that the request is about are yet to be made: others are served meanwhile.
 */
export function serveRequest(
  request: ApiRequest,
  world: World,
  done: (response: ApiResponse) => void,
  { started = world.clock.elapsed(), isGone = () => false, onWait }: ServeOptions = {},
): void {
  const answer = (hit?: FaultHit): void => {
    const now = (): void => {
      // A request whose client did not wait changes nothing.
      if (!isGone()) done(handleRequest(request, world, { started, hit }));
    };
    const preparing = prepareRecords(request, world);
    if (preparing === undefined) now();
    else void preparing.then(now, now);
  };
  if (isUndisturbed(world)) return answer();
  const { hit, delay } = holdBack(request, world);
  if (delay === 0) return answer(hit);
  const timer = setTimeout(() => answer(hit), delay);
  // A delayed request must not keep a finished process alive.
  onWait?.(() => clearTimeout(timer));
}

/** Whether no delay and no fault is to be asked about, which is the common case. */
export function isUndisturbed({ delay, faults }: World): boolean {
  return delay === undefined && faults.isEmpty;
}

/** The faults that strike before the operation, and for how long to hold the request back, in milliseconds. */
export function holdBack(request: ApiRequest, world: World): { hit: FaultHit | undefined; delay: number } {
  const hit = strikeBefore(request, world);
  return { hit, delay: pickDelay(world) + (hit?.delay ?? 0) };
}

/** Makes the records of the collection that a request is about; `undefined` if they are there, or none are needed. */
function prepareRecords(request: ApiRequest, world: World): Promise<void> | undefined {
  const { collections } = world;
  if (collections.isComplete) return undefined;
  const match = findOperation(request, world);
  const found = match.kind === 'operation' ? findCollection(match, world) : undefined;
  if (match.kind !== 'operation' || found === undefined || collections.isOpen(found.kept, found.within))
    return undefined;
  return isServed(request, match, world) ? collections.prepare(found.kept, found.within) : undefined;
}

/** Whether a request will reach its handler. Records are not made for what is refused; this is asked once for each collection. */
function isServed(request: ApiRequest, { operation, pathValues }: Matched, world: World): boolean {
  if (isRefusedUnread(request, world)) return false;
  const { contract } = world;
  const profile = profileFor(operation, world);
  const reading = readRawParameters(operation, pathValues, request, { contract, profile });
  if (contract.validate.parameters(operation, reading).length > 0) return false;
  const body = readBody(operation, request, profile);
  if (body.kind !== 'read') return body.kind !== 'refused';
  return contract.validate.requestBody(operation, body.mediaType, body.value, body.parts).length === 0;
}

function strikeBefore(request: ApiRequest, world: World): FaultHit | undefined {
  if (world.faults.isEmpty) return undefined;
  const struck = findStruck(request, world);
  return struck === undefined ? undefined : world.faults.strike('before', struck);
}

/** Answers a request that could not be served, through no fault of its own; it may be sent again. */
export function answerUnserved(request: ApiRequest, world: World, { status, message }: GateRefusal): ApiResponse {
  const match = findOperation(request, world);
  const operation = match.kind === 'operation' ? match.operation : undefined;
  const response = createRefusal(status, message, status === 503 ? { 'Retry-After': '1' } : {});
  const proven = prove(request, { response, operation, reason: message }, world);
  recordExchange(request, proven, world, world.clock.elapsed());
  return proven.response;
}
