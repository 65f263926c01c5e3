import type { ApiRequest, ApiResponse } from '../contract/message.js';
import type { FaultHit } from './faults/faults.js';
import { findStruck, handleRequest, isRefusedUnread } from './handle-request.js';
import { findCollection, type Matched } from './operations/find-collection.js';
import { findOperation } from './request/find-operation.js';
import { profileFor } from './request/profile-for.js';
import { readBody } from './request/read-body.js';
import { readRawParameters } from './request/read-query.js';
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
  if (world.delay === undefined && world.faults.isEmpty) return answer();
  const hit = strikeBefore(request, world);
  const delay = pickDelay(world) + (hit?.delay ?? 0);
  if (delay === 0) return answer(hit);
  const timer = setTimeout(() => answer(hit), delay);
  // A delayed request must not keep a finished process alive.
  onWait?.(() => clearTimeout(timer));
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
  return contract.validate.requestBody(operation, body.mediaType, body.value).length === 0;
}

function strikeBefore(request: ApiRequest, world: World): FaultHit | undefined {
  if (world.faults.isEmpty) return undefined;
  const struck = findStruck(request, world);
  return struck === undefined ? undefined : world.faults.strike('before', struck);
}
