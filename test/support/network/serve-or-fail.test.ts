import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { closeLater } from '../../conformance/support/ask.js';
import { serveOrFail } from './serve-or-fail.js';

async function start(serve: Parameters<typeof serveOrFail>[0]): Promise<number> {
  const server = createServer(serveOrFail(serve)).listen(0, '127.0.0.1');
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('a service that throws answers 500', async () => {
  const port = await start(() => Promise.reject(new Error('odd')));
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, await response.json()]).toEqual([500, { error: 'crashed' }]);
});

test('a client that hangs up in the middle of its body leaves nothing unhandled', async () => {
  let tell: (error: unknown) => void;
  const thrown = new Promise<unknown>((resolve) => (tell = resolve));
  const port = await start(async (request) => {
    try {
      for await (const _chunk of request);
    } catch (error) {
      tell(error);
      throw error;
    }
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
  expect(await thrown).toMatchObject({ code: 'ECONNRESET' });
});
