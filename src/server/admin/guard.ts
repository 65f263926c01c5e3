import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../mock/response/outgoing.js';
import { errorCodeOf } from '../../mock/response/errors.js';
import { isSame } from '../../mock/request/credentials.js';
import { findMessageProblem } from '../http/middleware.js';

export interface AdminAccess {
  enabled: boolean;
  /** The required bearer token; without one, only a mock on loopback answers. */
  token: string | undefined;
  loopback: boolean;
}

export type Rejected = { status: number; code: string; message: string; headers?: Record<string, string> };

const OPEN_TO_ALL: ReadonlySet<string> = new Set(['getHealth', 'getReadiness']);
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

export function guard(request: IncomingMessage, access: AdminAccess, operationId?: string): Rejected | undefined {
  if (operationId !== undefined && OPEN_TO_ALL.has(operationId)) return undefined;
  return refuseStranger(request, access) ?? refuseOtherSite(request) ?? refuseMediaType(request);
}

/** Why the console's page is not shown. It contains no data of the mock, so anyone may open it from anywhere. */
export const guardPage = (request: IncomingMessage, access: AdminAccess): Rejected | undefined =>
  access.enabled && access.token !== undefined ? undefined : refuseStranger(request, access);

export function rejectMessage(request: IncomingMessage): Rejected | undefined {
  const problem = findMessageProblem(request);
  return problem && { ...problem, code: errorCodeOf(problem.status), message: messageOf(problem) ?? '' };
}

function refuseStranger(request: IncomingMessage, { enabled, token, loopback }: AdminAccess): Rejected | undefined {
  if (!enabled) return { status: 404, code: 'not_found', message: 'the admin API of this mock is off' };
  if (token !== undefined) return askForToken(request, token);
  if (!loopback) {
    const message =
      'other machines can reach this mock, so its admin API needs a token: start it with PETSTORE_MOCK_ADMIN_TOKEN set';
    return { status: 403, code: 'forbidden', message };
  }
  // With DNS rebinding, the Host field still has the name of the attacking page.
  if (isLoopbackHost((request.headers.host ?? '').replace(/:\d*$/, ''))) return undefined;
  const message = `the admin API responds only to localhost and loopback addresses, and this request was sent to ${request.headers.host ?? 'no host'}`;
  return { status: 403, code: 'forbidden', message };
}

function askForToken({ headers: { authorization } }: IncomingMessage, token: string): Rejected | undefined {
  const sent = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  // Node decodes header fields as Latin-1; a token with other characters arrives as its UTF-8 bytes.
  if (isSame(Buffer.from(token), Buffer.from(sent, 'latin1'))) return undefined;
  const wrong = authorization !== undefined;
  const message = wrong
    ? 'this is not the token of the admin API'
    : 'the admin API of this mock needs its token: send Authorization: Bearer <token>';
  const challenge = `Bearer realm="petstore-mock admin"${wrong ? ', error="invalid_token"' : ''}`;
  return { status: 401, code: 'unauthorized', message, headers: { 'WWW-Authenticate': challenge } };
}

function refuseOtherSite({ headers }: IncomingMessage): Rejected | undefined {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const fromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!fromElsewhere && (origin === undefined || origin === `http://${host ?? ''}`)) return undefined;
  const message = `the admin API rejects requests from pages of other sites${origin === undefined ? '' : `, such as ${origin}`}`;
  return { status: 403, code: 'forbidden', message };
}

/** Another site can submit a form without a preflight, but never as JSON (Fetch standard, section 2.2.2). */
function refuseMediaType({ method, headers }: IncomingMessage): Rejected | undefined {
  const sent = headers['content-type'];
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!WITH_BODY.has(method ?? '') && !(hasBody && headers['content-length'] !== '0')) return undefined;
  if (sent?.split(';')[0]?.trim().toLowerCase() === 'application/json') return undefined;
  const message = `a call with ${method ?? ''} must be sent as Content-Type: application/json, even an empty one ({}); this was sent ${sent ?? 'without'}`;
  return { status: 415, code: 'unsupported_media_type', message };
}

/** Whether only this machine can reach a host: `localhost`, `127.0.0.0/8` or `::1`, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(bare);
}
