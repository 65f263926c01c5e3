import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { createRefusal } from '../mock/refusals.js';
import type { World } from '../mock/world.js';
import { createMiddleware } from './middleware.js';

/** The Express app that hosts a world: the API's middleware, and an Error body for everything beside it. */
export function createExpressApp(world: World): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(createMiddleware(world));
  app.use((request: Request, response: Response) => {
    const where = `${request.baseUrl}${world.contract.basePath}`;
    sendRefusal(response, 404, `there is nothing at ${request.originalUrl}; the API is at ${where}`);
  });
  // Express knows an error handler by its four parameters.
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    sendRefusal(response, 400, 'the request cannot be read');
  });
  return app;
}

function sendRefusal(response: Response, status: number, message: string): void {
  const { headers, body } = createRefusal(status, message);
  response.writeHead(status, headers).end(body?.text);
}
