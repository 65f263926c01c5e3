import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Worlds } from '../../mock/world/worlds.js';
import { openPage } from '../console/open-page.js';
import { openAdmin } from '../open-admin.js';
import { createExpressApp } from './express-app.js';
import { createMiddleware, type ServingOptions } from './middleware.js';

/** What `http.createServer` calls with two parameters, and Express or Connect with three. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * The API is answered before Express is asked, whose own share of a request is
 * larger than both validations. What is not the API goes to the app that this
 * is mounted in, or else gets an Error body from an Express app of its own.
 */
export function createListener(worlds: Worlds, options: ServingOptions): Listener {
  const middleware = createMiddleware(worlds, options);
  const admin = options.admin === undefined ? undefined : openAdmin(worlds, options.admin, options.news);
  const page = openPage(worlds, options.admin);
  // Express is made when something beside the API is first asked for.
  let app: RequestListener | undefined;
  return (request, response, next) => {
    if (admin?.(request, response) === true || page(request, response, next !== undefined)) return;
    middleware(request, response, () => {
      if (next !== undefined) return next();
      app ??= createExpressApp(worlds, options);
      // In a target such as `http://` Express finds no path, and would answer with a page of its own.
      if (request.url?.startsWith('/') !== true) request.url = `/${request.url ?? ''}`;
      app(request, response);
    });
  };
}
