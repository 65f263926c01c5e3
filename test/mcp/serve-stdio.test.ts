import { expect, test } from 'vitest';
import { connectClient } from './support/connect-client.js';

test.each([
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(
    (revision) => [revision, { supportedProtocolVersions: [revision] }] as const,
  ),
  // Without a handshake.
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }] as const,
])('a client of the revision %s gets it', async (revision, options) => {
  const { client, call } = await connectClient({}, options as Parameters<typeof connectClient>[1]);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect((await call('mock', { do: 'start', options: { fixtures: 'empty' } })).isError).toBe(false);
});

test('two clients at once have mocks and runs of their own', async () => {
  const clients = await Promise.all([connectClient(), connectClient()]);
  const urls = await Promise.all(
    clients.map(async ({ call }) => {
      const { data } = await call('mock', { do: 'start' });
      await call('conformance', { maxRequests: 30 });
      return data.url as string;
    }),
  );
  expect(new Set(urls).size).toBe(2);
  for (const { call } of clients) {
    expect((await call('requests', { limit: 1 })).data.total).toBeGreaterThanOrEqual(30);
    expect((await call('gaps', { run: 'run-2' })).isError).toBe(true);
  }
});
