import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { listen } from './listen.js';

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A listener that answers as real services do when their code throws: 500. Nothing is left unhandled, which would end
 * the tests of others: a client that hangs up throws as well.
 */
function serveOrFail(serve: Serve): RequestListener {
  return (request, response) => {
    serve(request, response).catch(() => {
      if (response.headersSent) return void response.destroy();
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"crashed"}');
    });
  };
}

/** Serves on a free port of this machine; the URL has none of the service's own paths. */
export async function serveLocally(serve: Serve): Promise<{ url: string; close: () => Promise<void> }> {
  const { port, close } = await listen(createServer(serveOrFail(serve)));
  return { url: `http://127.0.0.1:${port}`, close };
}
