import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createHttpTools } from '../../../src/mcp/http.js';
import { openLasting } from '../../../src/server/lasting/open-lasting.js';
import { setUp, type SetUpOptions } from '../../../src/server/set-up.js';
import { startServer } from '../../../src/server/start-petstore-mock.js';
import { caller, type ConnectedClient } from './connect-client.js';

/** A mock that serves its tools over HTTP, as the program does. */
export async function startWithTools(
  options: SetUpOptions & { host?: string } = {},
  shared?: string,
): Promise<{ url: string; tools: string }> {
  const lasting = await openLasting({ shared });
  const { worlds, contract } = setUp({ ...options, tracking: lasting?.tracking });
  await lasting?.attach(worlds);
  const server = await startServer(worlds, {
    host: options.host ?? '127.0.0.1',
    port: 0,
    cors: true,
    adminToken: options.adminToken,
    openTools: async (now, access) =>
      createHttpTools(now, { access, spec: options.spec, apiKey: [options.apiKey ?? 'petstore-dev-key'].flat()[0] }),
  });
  onTestFinished(() => server.close(0).then(() => lasting?.close()));
  const origin = `http://127.0.0.1:${server.port}`;
  return { url: `${origin}${contract.basePath}`, tools: `${origin}/__admin/mcp` };
}

/** The SDK's client, connected over HTTP. */
export async function connectOverHttp(
  tools: string,
  { headers = {}, ...options }: ConstructorParameters<typeof Client>[1] & { headers?: Record<string, string> } = {},
): Promise<Pick<ConnectedClient, 'client' | 'call'>> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(tools), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return { client, call: caller(client) };
}
