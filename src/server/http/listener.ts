import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRefusal } from '../../mock/answer/refusals.js';
import { tellUnreadable } from '../../mock/world/record-exchange.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { isLoopbackHost } from '../admin/guard.js';
import { openPage } from '../console/open-page.js';
import { openAdmin } from '../open-admin.js';
import { hasAdminPaths } from '../world-names.js';
import { createExpressApp } from './express-app.js';
import { findMessageProblem } from './find-message-problem.js';
import { createMiddleware, type ServingOptions } from './middleware.js';

/** A function that `http.createServer` calls with two arguments, and Express or Connect with three. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * Answers the API without Express, whose own share of a request is
 * larger than both validations. Other requests go to the surrounding app
 * or, without one, get an Error body from our own Express app.
 */
export function createListener(worlds: Worlds, options: ServingOptions): Listener {
  const middleware = createMiddleware(worlds, options);
  const isOpen = options.admin !== undefined && (options.admin.enabled || !hasAdminPaths(worlds.default.contract));
  const admin = isOpen && options.admin !== undefined ? openAdmin(worlds, options.admin, options) : undefined;
  const page = openPage(worlds, options.admin);
  // The first request outside the API creates the Express app.
  let app: RequestListener | undefined;
  const isGuarded = !options.cors && options.admin?.loopback === true;
  return (request, response, next) => {
    // What is no host at all is refused as malformed.
    if (isGuarded && !isOwnHost(request) && findMessageProblem(request) === undefined) {
      return refuseHost(request, response, worlds);
    }
    if (admin?.(request, response) === true || page(request, response, next !== undefined)) return;
    middleware(request, response, () => {
      if (next !== undefined) return next();
      app ??= createExpressApp(worlds, options);
      // Express finds no path in a target such as `http://`, and would answer with its own page.
      if (request.url?.startsWith('/') !== true) request.url = `/${request.url ?? ''}`;
      app(request, response);
    });
  };
}

/**
 * Whether a request was meant for this machine. With `--no-cors`, pages of other origins cannot use the mock, but one whose
 * host name was rebound to its address has the same origin (DNS rebinding). Only clients other than browsers send no host.
 */
function isOwnHost({ headers }: IncomingMessage): boolean {
  const { host = '' } = headers;
  return host === '' || isLoopbackHost(host.replace(/:\d*$/, ''));
}

/** RFC 9110 section 15.5.20. */
function refuseHost(request: IncomingMessage, response: ServerResponse, worlds: Worlds): void {
  const message = `with --no-cors, this mock responds only to localhost and loopback addresses, and this request was sent to ${request.headers.host ?? ''}; start it with --host, or with --cors`;
  const refusal = createRefusal(421, worlds.default.redact(message));
  tellUnreadable(refusal, request, worlds.default);
  const text = refusal.body?.text ?? '';
  response.writeHead(refusal.status, { ...refusal.headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}
