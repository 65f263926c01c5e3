import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, type Server } from '../sdk.js';

/** So many sessions are kept; the one that has been quiet longest ends for another. */
const MOST = 64;

const HEADER = 'mcp-session-id';

/** Sessions of clients of revisions before 2026-07-28 (specification 2025-11-25, Transports, Session Management). */
export function createSessions(createServer: () => Server): { serve: (request: Request) => Promise<Response> } {
  /** The one that was used last comes last. */
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => keep(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createServer().connect(transport);
    return transport;
  };
  const keep = (id: string, transport: WebStandardStreamableHTTPServerTransport): void => {
    sessions.delete(id);
    sessions.set(id, transport);
    const [oldest, quiet] = [...sessions][0] ?? [];
    if (sessions.size <= MOST || oldest === undefined) return;
    sessions.delete(oldest);
    void quiet?.close();
  };
  return {
    async serve(request) {
      const id = request.headers.get(HEADER);
      if (id === null) return (await open()).handleRequest(request);
      const transport = sessions.get(id);
      if (transport === undefined) return refuseSession();
      keep(id, transport);
      return transport.handleRequest(request);
    },
  };
}

/** A client that reads this begins another session. */
function refuseSession(): Response {
  const error = { code: -32_001, message: 'there is no such session, or it has ended; begin another with initialize' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
