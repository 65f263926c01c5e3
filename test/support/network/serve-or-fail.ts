import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * A listener that answers as real services do when their code throws: 500. Nothing is left unhandled, which would end
 * the tests of others: a client that hangs up throws as well.
 */
export function serveOrFail(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): RequestListener {
  return (request, response) => {
    serve(request, response).catch(() => {
      if (response.headersSent) return void response.destroy();
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"crashed"}');
    });
  };
}
