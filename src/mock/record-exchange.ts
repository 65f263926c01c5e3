import type { ApiRequest, ApiResponse } from '../contract/message.js';
import type { Operation } from '../contract/model.js';
import type { Violation } from '../contract/schemas/violation.js';
import type { RecordedExchange, Side } from './journal.js';
import type { World } from './world.js';

/** An answer on its way out, with what the journal wants to know of it. */
export interface Answer {
  response: ApiResponse;
  operation?: Operation | undefined;
  atFault?: Side;
  reason?: string;
  violations?: readonly Violation[];
  notes?: readonly string[];
  faults?: readonly string[];
  crash?: unknown;
}

const NONE: readonly never[] = Object.freeze([]);

/** Tells journal, coverage, the list of callers and whoever listens of an exchange that is over. */
export function recordExchange(request: ApiRequest, given: Answer, world: World, started: number): void {
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

/** What a handler's own refusal says. */
export function messageOf({ status, body }: ApiResponse): string | undefined {
  return status < 400 ? undefined : (body?.value as { message?: string } | undefined)?.message;
}
