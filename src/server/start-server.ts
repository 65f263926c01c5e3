import type { RequestListener } from 'node:http';
import type { World } from '../mock/world.js';
import { listen, type Listening } from './listen.js';
import { createMiddleware } from './middleware.js';

/** Puts a world on a port. */
export function startServer(world: World, address: { host: string; port: number }): Promise<Listening> {
  return listen(createListener(world), address.host, address.port);
}

/** The API is answered before Express is asked, whose own share of a request is larger than both validations. */
function createListener(world: World): RequestListener {
  const middleware = createMiddleware(world);
  // Express is loaded when something beside the API is first asked for.
  let app: Promise<RequestListener> | undefined;
  return (request, response) =>
    middleware(request, response, () => {
      app ??= import('./express-app.js').then(({ createExpressApp }) => createExpressApp(world));
      void app.then((handle) => handle(request, response));
    });
}
