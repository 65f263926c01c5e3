import { jsonBody } from '../../contract/document/json.js';
import type { ApiRequest, ApiResponse, ResponseHeaders, Operation } from '../../contract/model.js';
import { TOKEN } from '../../contract/model.js';
import { describeViolation, type Violation } from '../../contract/schemas/violation.js';
import {
  findBrokenRules,
  findDocumentedStatus,
  fitError,
  hasOwnErrors,
  isUndocumented,
  createErrorResponse,
  isOwnError,
} from './errors.js';
import { OF_TRANSFER } from './write-response.js';
import type { World, Call } from '../world/world.js';
import { remember } from '../../contract/document/plain.js';
import { formatPlace } from '../../errors.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { encodePath } from '../../contract/operations/match.js';
import type { RecordedExchange, Side } from '../world/journal.js';

export function ensureValidResponse(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  if (given.isAsGiven === true) return withoutTransferFields(announceRemoval(request, given, world));
  const { operation } = given;
  const isOpen = given.response.status === 400 && operation !== undefined && isOwnError(given.response);
  const status = isOpen ? findDocumentedStatus(operation, 400) : given.response.status;
  const documented = (): ApiResponse =>
    createErrorResponse(status, messageOf(given.response) ?? '', given.response.headers);
  const stated = status !== given.response.status ? { ...given, response: documented() } : given;
  const { response } = stated;
  const { contract } = world;
  const isPlain = response.status < 400 && operation !== undefined;
  const broken = isPlain
    ? contract.validate.response(operation, response)
    : findBrokenRules(response, operation, contract);
  const hasOwn = broken.length > 0 || (response.status >= 400 && hasOwnErrors(response, operation, world.contract));
  // Where the operation documents no such error, the contract's Error body may have no place for our message.
  const isKept = broken.length === 0 || (isUndocumented(response, operation) && isOwnError(response));
  const kept =
    (hasOwn ? fitToContract(stated, world) : undefined) ??
    (isKept ? stated : (fallBack(stated, broken, world) ?? withhold(stated, broken, world)));
  const checked = announceRemoval(request, useSeenCode(kept, world), world);
  const why = findUnsendable(checked.response);
  if (why === undefined) return withoutTransferFields(checked);
  // The transport would throw, and the client would wait forever.
  const reason = `the mock's own response (${checked.response.status}) cannot be sent: ${why}`;
  return { ...checked, response: createErrorResponse(500, reason), atFault: 'mock', reason };
}

/** Contracts describe gzip and trailers, but only the transport can state them truly; a client would fail. */
function withoutTransferFields(given: Outgoing): Outgoing {
  const { headers } = given.response;
  for (const name in headers) {
    if (name === 'Content-Type' || !OF_TRANSFER.test(name)) continue;
    // The transport does close a connection that a handler of the user's says is closed.
    const isTrue = (each: string): boolean => each.toLowerCase() === 'connection' && headers[each] === 'close';
    const others = Object.entries(headers).filter(([each]) => isTrue(each) || !OF_TRANSFER.test(each));
    return { ...given, response: { ...given.response, headers: Object.fromEntries(others) } };
  }
  return given;
}

function useSeenCode(given: Outgoing, { profile }: World): Outgoing {
  const { operation, response } = given;
  const codes = profile.seen?.['error-codes'];
  if (codes === undefined || operation === undefined || response.status < 400 || response.body === undefined)
    return given;
  const start = `${operation.id} ${response.status} `;
  const code = codes.find((each) => each.startsWith(start))?.slice(start.length);
  if (code === undefined) return given;
  return { ...given, response: { ...response, body: jsonBody({ ...(response.body.value as object), code }) } };
}

function fitToContract(given: Outgoing, { redact, contract }: World): Outgoing | undefined {
  // A rejection quotes the request.
  const violations = (given.violations ?? []).map((each): Violation =>
    Object.assign({}, each, { message: redact(each.message), pointer: redact(each.pointer) }),
  );
  const response = fitError(given.response, given.operation, contract, violations);
  return response && { reason: messageOf(given.response) ?? '', ...given, response };
}

function withhold(given: Outgoing, broken: readonly Violation[], world: World): Outgoing {
  const why = broken.map(describeViolation);
  const isWrong = hasOtherAnswer(given, world);
  const reason = isWrong
    ? `the mock's own response (${given.response.status}) breaks the contract: ${why.join('; ')}`
    : `${given.operation?.id} cannot be served: no response that the contract allows could be generated: ${why[0]}`;
  const error = createErrorResponse(isWrong ? 500 : 501, reason);
  const response = fitError(error, given.operation, world.contract) ?? error;
  return { ...given, response, atFault: 'mock', reason, violations: broken };
}

function hasOtherAnswer({ call, operation }: Outgoing, world: World): boolean {
  const handler = operation === undefined ? undefined : world.stateless[operation.id];
  if (call === undefined || handler === undefined) return true;
  const { prefer: _, ...headers } = call.request.headers;
  const other = handler({ ...call, request: { ...call.request, headers } });
  return findBrokenRules(other, operation, world.contract).length === 0;
}

export const KEEPS_NO_STATE = 'is stateless';

/** The contract's own response where one made of records would break it; undoes what the operation changed. */
function fallBack(given: Outgoing, broken: readonly Violation[], world: World): Outgoing | undefined {
  const { call, operation } = given;
  const handler = operation === undefined ? undefined : world.stateless[operation.id];
  if (call?.keepsState !== true || handler === undefined) return undefined;
  const response = handler(call);
  const isSound = findBrokenRules(response, operation, world.contract).length === 0;
  const stands = isSound && call.standsAnyway === true;
  if (!stands) call.undo?.();
  if (!isSound) return undefined;
  const places = broken.slice(0, 2).map(({ message, contract }) => `${message} (${formatPlace(contract)})`);
  const what = stands ? 'generated from the contract' : KEEPS_NO_STATE;
  return { ...given, response, notes: [...(given.notes ?? []), `${what}: ${places.join('; ')}`] };
}

const DAY_MS = 86_400_000;

/** Milliseconds from the start of the removal day to the removal. */
const REMOVAL_HOUR: Record<string, number> = { 'start-of-day': 0, 'end-of-day': DAY_MS };

const AFTER_REMOVAL: Record<string, number | undefined> = {
  'gone-410': 410,
  'not-found-404': 404,
  'still-served': undefined,
};

const SENDS: Record<string, boolean> = { sent: true, absent: false };

function announceRemoval(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  const { operation } = given;
  if (operation?.deprecated !== true) return given;
  const fields: ResponseHeaders = {};
  const { profile } = world;
  const removedAt = findRemovalTime(operation, world);
  // RFC 8594 section 3.
  if (removedAt !== undefined && actOn(profile, 'sunset-header', SENDS)) fields['Sunset'] = printTime(removedAt);
  const successor = world.contract.operations.find(({ id }) => id === operation.successor);
  if (successor !== undefined && actOn(profile, 'successor-link', SENDS)) {
    const path = `${request.mountPath}${successor.server?.basePath ?? world.contract.basePath}${encodePath(successor.path)}`;
    fields['Link'] = `<${path}>; rel="successor-version"`; // RFC 5829 section 3.3
  }
  const since = profile.values?.['deprecation-header'];
  if (since !== undefined) fields['Deprecation'] = String(since); // RFC 9745
  // Two spreads in one literal take Node 20 twenty times as long.
  const headers = Object.assign({}, given.response.headers, fields);
  return { ...given, response: { ...given.response, headers } };
}

export function removalStatus(operation: Operation, world: World): number | undefined {
  const removedAt = findRemovalTime(operation, world);
  if (removedAt === undefined || world.clock.now() < removedAt) return undefined;
  return actOn(world.profile, 'after-removal', AFTER_REMOVAL);
}

function findRemovalTime(operation: Operation, world: World): number | undefined {
  const { sunset } = operation;
  if (sunset === undefined) return undefined;
  return readDay(sunset) + actOn(world.profile, 'removal-hour', REMOVAL_HOUR);
}

// Parsing and printing a date takes longer than an answer does, and a contract has few dates.
const readDay = remember((day: string) => Date.parse(`${day}T00:00:00Z`));
const printTime = remember((time: number) => new Date(time).toUTCString());

/** What a field value may hold as Node sends it: a tab, and the visible characters of Latin-1 (RFC 9110 section 5.5). */
const NOT_IN_A_VALUE = /[^\t\u0020-\u007E\u0080-\u00FF]/;

/** Most answers have this type; checking a constant each time would cost 0.1 µs an answer. */
const JSON_TYPE = 'application/json';

/** Why a response cannot be put into HTTP; the transport would throw. `undefined` if it can. */
export function findUnsendable({ status, headers, body }: ApiResponse): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `${status} is not a status that HTTP allows`;
  if (body !== undefined && typeof body.text !== 'string') return 'its body has no text';
  for (const name in headers) {
    const value: unknown = headers[name];
    if (value === JSON_TYPE && name === 'Content-Type') continue;
    if (value !== undefined && sendable.get(name) === value) continue;
    if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a valid name of a header field`;
    if (typeof value !== 'string') return `the header field ${name} is not a text`;
    const point = NOT_IN_A_VALUE.exec(value)?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    if (point !== undefined) return `the header field ${name} holds U+${point}, which HTTP cannot carry`;
    if (sendable.size === MOST_REMEMBERED) sendable.clear();
    sendable.set(name, value);
  }
  return undefined;
}

const sendable = new Map<string, string>();
const MOST_REMEMBERED = 64;

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
  world.onExchange?.(exchange);
}

/** Reports bytes that were refused before they became a request. No world has seen them, so no journal keeps them. */
export function reportUnreadable(
  refusal: ApiResponse,
  { method = '-', url = '-' }: { method?: string | undefined; url?: string | undefined },
  world: World,
): void {
  world.onExchange?.({
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

export const messageOf = ({ status, body }: ApiResponse): string | undefined =>
  status < 400 ? undefined : (body?.value as { message?: string } | undefined)?.message;
