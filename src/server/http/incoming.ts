import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** A middleware for Node's `http`, Connect and Express. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The header fields on which an answer depends (RFC 9110 section 12.5.5), so that caches store the variants separately. */
export const VARY = { withCors: 'Origin, Prefer, X-Petstore-World', withoutCors: 'Prefer, X-Petstore-World' };

export interface Target {
  path: string;
  query: string;
}

/** Express moves the mount path from `url` to `baseUrl`. */
export function mountPathOf(request: IncomingMessage & { baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** The path and the query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
export function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  return question === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}

const SHORT_BYTES = 16 * 1024;

/** Whether a body is short enough to be read without a check for room. */
export function isShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;
}

/** Whether a body follows (RFC 9112 section 6.3). */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
