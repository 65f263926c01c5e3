import type { RequestListener } from 'node:http';
import type { World } from '../mock/world.js';
import { createExpressApp } from './express-app.js';
import { listen, type Listening } from './listen.js';
import { createMiddleware, type ServingOptions } from './middleware.js';

export interface ServerOptions extends ServingOptions {
  host: string;
  port: number;
}

/** Puts a world on a port. */
export function startServer(world: World, options: ServerOptions): Promise<Listening> {
  return listen(createListener(world, options), options);
}

/** The API is answered before Express is asked, whose own share of a request is larger than both validations. */
function createListener(world: World, options: ServingOptions): RequestListener {
  const middleware = createMiddleware(world, options);
  // Express is made when something beside the API is first asked for.
  let app: RequestListener | undefined;
  return (request, response) =>
    middleware(request, response, () => {
      app ??= createExpressApp(world, options);
      // In a target such as `http://` Express finds no path, and would answer with a page of its own.
      if (request.url?.startsWith('/') !== true) request.url = `/${request.url ?? ''}`;
      app(request, response);
    });
}
