import { type ApiRequest, type ResponseHeaders, TOKEN, type ApiResponse } from '../../contract/message.js';
import { tellViolation, type Violation } from '../../contract/schemas/violation.js';
import {
  findBrokenRules,
  findDocumentedStatus,
  fitRefusal,
  hasOwnErrors,
  isUnsaid,
  createRefusal,
  isRefusal,
  speakSeenCode,
} from './errors.js';
import { messageOf, type Outgoing } from '../world/record-exchange.js';
import { withoutTransferFields } from './write-response.js';
import type { World } from '../world/world.js';
import { formatPlace } from '../../errors.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { encodePath } from '../../contract/operations/encode-path.js';
import type { Operation } from '../../contract/model.js';

/** The answer with the header fields it needs, if it conforms to the contract and to HTTP; otherwise its replacement. */
export function prove(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  if (given.isAsGiven === true) return leaveTransfer(announceRemoval(request, given, world));
  const refused = speakDocumentedStatus(given);
  const broken = findBrokenRules(refused.response, refused.operation, world.contract);
  const fitted =
    broken.length > 0 ||
    (refused.response.status >= 400 && hasOwnErrors(refused.response, refused.operation, world.contract))
      ? fitToContract(refused, world)
      : undefined;
  const isKept = broken.length === 0 || (isUnsaid(refused.response, refused.operation) && isRefusal(refused.response));
  const kept = fitted ?? (isKept ? refused : (fallBack(refused, broken, world) ?? withhold(refused, broken, world)));
  const answer = announceRemoval(request, speakCode(kept, world), world);
  const unsendable = findUnsendable(answer.response);
  return unsendable === undefined ? leaveTransfer(answer) : withholdUnsendable(answer, unsendable);
}

function leaveTransfer(given: Outgoing): Outgoing {
  const headers = withoutTransferFields(given.response.headers);
  return headers === given.response.headers ? given : { ...given, response: { ...given.response, headers } };
}

function speakDocumentedStatus(given: Outgoing): Outgoing {
  const { operation, response } = given;
  if (operation === undefined || response.status !== 400 || !isRefusal(response)) return given;
  const status = findDocumentedStatus(operation, response.status);
  if (status === response.status) return given;
  return { ...given, response: createRefusal(status, messageOf(response) ?? '', response.headers) };
}

function announceRemoval(request: ApiRequest, given: Outgoing, world: World): Outgoing {
  if (given.operation?.deprecated !== true) return given;
  const fields = deprecationHeaders(given.operation, request, world);
  // Two spreads in one literal take Node 20 twenty times as long.
  const headers = Object.assign({}, given.response.headers, fields);
  return { ...given, response: { ...given.response, headers } };
}

function speakCode(given: Outgoing, { profile }: World): Outgoing {
  if (given.operation === undefined || given.response.status < 400) return given;
  return { ...given, response: speakSeenCode(given.response, given.operation.id, profile) };
}

function fitToContract(given: Outgoing, world: World): Outgoing | undefined {
  // A refusal quotes the request.
  const violations = (given.violations ?? []).map((each): Violation =>
    Object.assign({}, each, { message: world.redact(each.message), pointer: world.redact(each.pointer) }),
  );
  const response = fitRefusal(given.response, given.operation, world.contract, violations);
  return response === undefined ? undefined : { reason: messageOf(given.response) ?? '', ...given, response };
}

/** An answer that breaks the contract is never sent: the client gets an error that says why. */
function withhold(given: Outgoing, broken: readonly Violation[], world: World): Outgoing {
  const why = broken.map(tellViolation);
  const [status, reason] = hasOtherAnswer(given, world)
    ? [500, `the mock's own response (${given.response.status}) breaks the contract: ${why.join('; ')}`]
    : [
        501,
        `${given.operation?.id} cannot be served: no response that the contract allows could be generated: ${why[0]}`,
      ];
  const refusal = createRefusal(status, reason);
  const response = fitRefusal(refusal, given.operation, world.contract) ?? refusal;
  return { ...given, response, atFault: 'mock', reason, violations: broken };
}

/** Whether the contract alone gives an answer that keeps it, whatever the client prefers; where it gives none, no handler is wrong. */
function hasOtherAnswer({ call, operation }: Outgoing, world: World): boolean {
  const handler = operation === undefined ? undefined : world.stateless[operation.id];
  if (call === undefined || handler === undefined) return true;
  const { prefer: _, ...headers } = call.request.headers;
  const other = handler({ ...call, request: { ...call.request, headers } });
  return findBrokenRules(other, operation, world.contract).length === 0;
}

/** The transport would throw on such an answer, and the client would wait forever. */
function withholdUnsendable(given: Outgoing, why: string): Outgoing {
  const reason = `the mock's own response (${given.response.status}) cannot be sent: ${why}`;
  return { ...given, response: createRefusal(500, reason), atFault: 'mock', reason };
}

/** The beginning of a note that says why an operation kept no state although it should. */
export const KEEPS_NO_STATE = 'is stateless';

/**
 * The answer from the contract alone, used when an answer made of the mock's own records would break
 * the contract. Undoes what the operation changed, unless that stands whatever is said of it. `undefined` if the contract
 * gives no answer either.
 */
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

function deprecationHeaders(operation: Operation, request: ApiRequest, world: World): ResponseHeaders {
  if (!operation.deprecated) return {};
  const headers: ResponseHeaders = {};
  const { profile } = world;
  const removedAt = findRemovalTime(operation, world);
  if (removedAt !== undefined && actOn(profile, 'sunset-header', SENDS)) {
    headers['Sunset'] = printDate(removedAt); // RFC 8594 section 3
  }
  const successor = world.contract.operations.find(({ id }) => id === operation.successor);
  if (successor !== undefined && actOn(profile, 'successor-link', SENDS)) {
    const path = `${request.mountPath}${successor.server?.basePath ?? world.contract.basePath}${encodePath(successor.path)}`;
    headers['Link'] = `<${path}>; rel="successor-version"`; // RFC 5829 section 3.3
  }
  const since = profile.values?.['deprecation-header'];
  if (since !== undefined) headers['Deprecation'] = String(since); // RFC 9745
  return headers;
}

/** The status of a removed operation; `undefined` while it is served. */
export function removalStatus(operation: Operation, world: World): number | undefined {
  const removedAt = findRemovalTime(operation, world);
  if (removedAt === undefined || world.clock.now() < removedAt) return undefined;
  return actOn(world.profile, 'after-removal', AFTER_REMOVAL);
}

function findRemovalTime(operation: Operation, world: World): number | undefined {
  if (operation.sunset === undefined) return undefined;
  return startOfDay(operation.sunset) + actOn(world.profile, 'removal-hour', REMOVAL_HOUR);
}

// Parsing and printing a date takes longer than an answer does, and a contract has few dates.
const daysByText = new Map<string, number>();
const textsByTime = new Map<number, string>();

function startOfDay(day: string): number {
  const time = daysByText.get(day) ?? Date.parse(`${day}T00:00:00Z`);
  daysByText.set(day, time);
  return time;
}

function printDate(time: number): string {
  const text = textsByTime.get(time) ?? new Date(time).toUTCString();
  textsByTime.set(time, text);
  return text;
}

/** What a field value may hold as Node sends it: a tab, and the visible characters of Latin-1 (RFC 9110 section 5.5). */
const NOT_IN_A_VALUE = /[^\t\u0020-\u007E\u0080-\u00FF]/;

/** Most answers have this type; checking a constant each time would cost 0.1 µs an answer. */
const JSON_TYPE = 'application/json';

/**
 * Why an answer cannot be put into HTTP, a sentence without a full stop; `undefined` when it can. Header fields
 * come from contracts, profiles and handlers, and a transport throws at one that it cannot write.
 */
export function findUnsendable({ status, headers, body }: ApiResponse): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `${status} is not a status that HTTP allows`;
  if (body !== undefined && typeof body.text !== 'string') return 'its body has no text';
  for (const name in headers) {
    const value: unknown = headers[name];
    if (value === JSON_TYPE && name === 'Content-Type') continue;
    if (value !== undefined && sendable.get(name) === value) continue;
    if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a valid name of a header field`;
    if (typeof value !== 'string') return `the header field ${name} is not a text`;
    const odd = NOT_IN_A_VALUE.exec(value)?.[0];
    if (odd !== undefined) return `the header field ${name} holds ${describe(odd)}, which HTTP cannot carry`;
    if (sendable.size === MOST_REMEMBERED) sendable.clear();
    sendable.set(name, value);
  }
  return undefined;
}

/** The last value checked of each field: most are the same in every answer. */
const sendable = new Map<string, string>();
const MOST_REMEMBERED = 64;

function describe(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
