import type { ApiRequest, ApiResponse } from '../contract/message.js';
import type { FaultHit } from './faults/faults.js';
import { findStruck, handleRequest } from './handle-request.js';
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
 * the transport has to delay or cut (`response.transport`). Without a delay, `done` is called before this returns.
 */
export function serveRequest(
  request: ApiRequest,
  world: World,
  done: (response: ApiResponse) => void,
  { started = world.clock.elapsed(), isGone = () => false, onWait }: ServeOptions = {},
): void {
  if (world.delay === undefined && world.faults.isEmpty) return done(handleRequest(request, world, { started }));
  const hit = strikeBefore(request, world);
  const answer = (): void => {
    // A request whose client did not wait changes nothing.
    if (!isGone()) done(handleRequest(request, world, { started, hit }));
  };
  const delay = pickDelay(world) + (hit?.delay ?? 0);
  if (delay === 0) return answer();
  const timer = setTimeout(answer, delay);
  // A delayed request must not keep a finished process alive.
  onWait?.(() => clearTimeout(timer));
}

function strikeBefore(request: ApiRequest, world: World): FaultHit | undefined {
  if (world.faults.isEmpty) return undefined;
  const struck = findStruck(request, world);
  return struck === undefined ? undefined : world.faults.strike('before', struck);
}
