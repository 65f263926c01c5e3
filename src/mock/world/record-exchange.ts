import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import type { Violation } from '../../contract/schemas/violation.js';
import type { RecordedExchange, Side } from './journal.js';
import type { Call, World } from './world.js';

/** An answer on its way out, with the facts for the journal. */
export interface Outgoing {
  response: ApiResponse;
  operation?: Operation | undefined;
  atFault?: Side;
  reason?: string;
  violations?: readonly Violation[];
  notes?: readonly string[];
  faults?: readonly string[];
  crash?: unknown;
  /** Whether a user stated it word for word and knows what it breaks of the contract, so that nothing is put in its place. */
  isAsGiven?: boolean;
  /** The accepted request, if it was accepted. */
  call?: Call;
}

const NONE: readonly never[] = Object.freeze([]);

/** Reports a finished exchange to the journal, the coverage, the list of callers, and listeners. */
export function recordExchange(request: ApiRequest, given: Outgoing, world: World, started: number): void {
  const { operation, response } = given;
  const duration = world.clock.elapsed() - started;
  const time = world.clock.now() - Math.round(duration);
  const status = response.transport?.cut === 'reset' ? 0 : response.status;
  const exchange: RecordedExchange = {
    world: world.name,
    time,
    duration,
    method: request.method,
    url: `${request.mountPath}${request.path}${request.query === '' ? '' : `?${request.query}`}`,
    status,
    operationId: operation?.id,
    atFault: given.atFault,
    reason: given.reason ?? messageOf(response),
    violations: given.violations ?? NONE,
    notes: given.notes ?? NONE,
    faults: given.faults ?? NONE,
    crash: given.crash,
  };
  if (operation !== undefined) {
    if (status !== 0) world.coverage.addAnswer(operation, status);
    if (operation.deprecated) world.callers.note(operation.id, request, time);
  }
  world.journal.add({ exchange, operation, request, response });
  world.onExchange(exchange);
}

/** Reports bytes that were refused before they became a request. No world has seen them, so no journal keeps them. */
export function reportUnreadable(
  refusal: ApiResponse,
  { method = '-', url = '-' }: { method?: string | undefined; url?: string | undefined },
  world: World,
): void {
  world.onExchange({
    world: world.name,
    time: world.clock.now(),
    duration: 0,
    method,
    url,
    status: refusal.status,
    operationId: undefined,
    atFault: 'client',
    reason: messageOf(refusal),
    violations: NONE,
    notes: NONE,
    faults: NONE,
    crash: undefined,
  });
}

/** The message of a handler's own refusal. */
export function messageOf({ status, body }: ApiResponse): string | undefined {
  return status < 400 ? undefined : (body?.value as { message?: string } | undefined)?.message;
}
