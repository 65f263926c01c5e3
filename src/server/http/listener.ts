import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Worlds } from '../../mock/world/worlds.js';
import { openPage } from '../console/open-page.js';
import { openAdmin } from '../open-admin.js';
import { hasAdminPaths } from '../world-names.js';
import { createExpressApp } from './express-app.js';
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
  const admin = isOpen && options.admin !== undefined ? openAdmin(worlds, options.admin, options.news) : undefined;
  const page = openPage(worlds, options.admin);
  // The first request outside the API creates the Express app.
  let app: RequestListener | undefined;
  return (request, response, next) => {
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
