import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../contract/message.js';
import { handleRequest } from '../mock/handle-request.js';
import type { World } from '../mock/world.js';
import { readBodyBytes } from './read-body-bytes.js';

/** A middleware as Node's `http`, Connect and Express call it. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Puts a world behind HTTP: answers every request below the contract's base
 * path and passes on everything else.
 */
export function createMiddleware(world: World): Middleware {
  return (request, response, next) => {
    const target = splitTarget(request.url ?? '/');
    if (!isBelow(world.contract.basePath, target.path)) return next();
    const apiRequest: ApiRequest = {
      method: request.method ?? 'GET',
      path: target.path,
      mountPath: mountPathOf(request),
      query: target.query,
      headers: request.headers as ApiRequest['headers'],
      body: undefined,
    };
    if (!hasBody(request)) return send(handleRequest(apiRequest, world), apiRequest, response);
    readBodyBytes(request, (body) => send(handleRequest({ ...apiRequest, ...body }, world), apiRequest, response));
  };
}

/** Express cuts the mount path off `url` and keeps it in `baseUrl`. */
function mountPathOf(request: IncomingMessage & { baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** Path and query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
function splitTarget(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  return question === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}

function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/');
}

/** Whether a body follows (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function send(answer: ApiResponse, request: ApiRequest, response: ServerResponse): void {
  // The client has gone; there is nobody to tell.
  if (response.destroyed || response.writableEnded) return;
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body.text) });
  response.end(request.method === 'HEAD' ? undefined : body.text);
}
