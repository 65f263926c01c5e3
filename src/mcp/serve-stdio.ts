import type { Readable, Writable } from 'node:stream';
import { createMcpServer } from './create-server.js';
import { createDesk, type Permissions } from './desk.js';
import { findMock } from './mocks/find-mock.js';
import { startMock } from './mocks/start-mock.js';
import { serveStdio, StdioServerTransport } from './sdk.js';

/** Where a server of tools reads and writes, and what it may do. */
export interface StdioOptions {
  permissions: Permissions & { folder: string };
  input: Readable;
  output: Writable;
  /** The token of the admin API of mocks that run already. */
  adminToken: string | undefined;
  /** Called with what goes wrong beside the calls, such as a line that is no message. */
  onError: (message: string) => void;
}

/**
 * Serves the tools to one client over two streams (specification 2026-07-28, Transports, stdio; clients of the revisions
 * since 2024-11-05 are served as well). When the client is gone, its calls are cancelled and the mocks stop.
 */
export function serveToolsOverStdio({ permissions, input, output, adminToken, onError }: StdioOptions): {
  close: () => Promise<void>;
} {
  const { folder } = permissions;
  const desk = createDesk(permissions, {
    start: (options) => startMock(options, folder),
    find: (url, spec) => findMock(url, { spec, token: adminToken }),
  });
  if (adminToken !== undefined) desk.keepSecret(adminToken);
  const serving = serveStdio(() => createMcpServer(desk), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => onError(error.message),
  });
  const close = async (): Promise<void> => {
    await serving.close();
    await desk.close();
  };
  input.once('end', () => void close());
  return { close };
}
