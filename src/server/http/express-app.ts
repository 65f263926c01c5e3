import { createRequire } from 'node:module';
import type createExpress from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { ApiResponse } from '../../contract/message.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { allowOrigins, answerOutside, describeOutside, findMessageProblem } from './outside.js';
import { createMiddleware, type ServingOptions } from './middleware.js';

/** The Express app that hosts worlds: the API's middleware, and an Error body for all other requests. */
export function createExpressApp(worlds: Worlds, options: ServingOptions): Express {
  // Loaded here, since loading takes long and requests to the API do not need it.
  const express = createRequire(import.meta.url)('express') as typeof createExpress;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(createMiddleware(worlds, options));
  if (options.cors) app.use(allowOrigins);
  app.use((request: Request, response: Response) => {
    const problem = findMessageProblem(request);
    if (problem !== undefined) return write(response, problem);
    write(response, answerOutside(describeOutside(request), worlds));
  });
  // Express recognises an error handler by its four parameters.
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    write(response, createErrorResponse(400, 'the request cannot be read'));
  });
  return app;
}

function write(response: Response, { status, headers, body }: ApiResponse): void {
  const text = body?.text ?? '';
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}
