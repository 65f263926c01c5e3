import type { ApiRequest, ApiResponse } from '../contract/message.js';
import type { FaultHit } from './faults/faults.js';
import { findStruck, handleRequest } from './handle-request.js';
import { pickDelay, type World } from './world/world.js';

export interface Serving {
  /** The clock's reading when the request came. Default: now. */
  started?: number;
  /** Whether the client has gone, so that there is nobody to answer. Default: never. */
  isGone?: () => boolean;
  /** Called when the request is held back, with what ends the wait. Whoever sees the client leave calls that. */
  onWait?: (cancel: () => void) => void;
}

/**
 * Answers a request in its own time: holds it back as world and faults want,
 * then hands the answer on, which the transport may have to hold back and to
 * cut (`response.transport`). Without a delay `done` is called before this returns.
 */
export function serveRequest(
  request: ApiRequest,
  world: World,
  done: (response: ApiResponse) => void,
  { started = world.clock.elapsed(), isGone = () => false, onWait }: Serving = {},
): void {
  if (world.delay === undefined && world.faults.isEmpty) return done(handleRequest(request, world, { started }));
  const hit = strikeBefore(request, world);
  const answer = (): void => {
    // A client that did not wait has changed nothing.
    if (!isGone()) done(handleRequest(request, world, { started, hit }));
  };
  const delay = pickDelay(world) + (hit?.delay ?? 0);
  if (delay === 0) return answer();
  const timer = setTimeout(answer, delay);
  // A process that is done must not wait for what nobody waits for.
  onWait?.(() => clearTimeout(timer));
}

function strikeBefore(request: ApiRequest, world: World): FaultHit | undefined {
  if (world.faults.isEmpty) return undefined;
  const struck = findStruck(request, world);
  return struck === undefined ? undefined : world.faults.strike('before', struck);
}
