import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { closeLater } from '../../conformance/support/ask.js';
import { serveLocally } from './serve-locally.js';

async function start(serve: Parameters<typeof serveLocally>[0]): Promise<URL> {
  const { url, close } = await serveLocally(serve);
  closeLater(close);
  return new URL(url);
}

test('a service that throws answers 500', async () => {
  const url = await start(() => Promise.reject(new Error('odd')));
  const response = await fetch(url);
  expect([response.status, await response.json()]).toEqual([500, { error: 'crashed' }]);
});

test('a client that hangs up in the middle of its body leaves nothing unhandled', async () => {
  let tell: (error: unknown) => void;
  const thrown = new Promise<unknown>((resolve) => (tell = resolve));
  const { port } = await start(async (request) => {
    try {
      for await (const _chunk of request);
    } catch (error) {
      tell(error);
      throw error;
    }
  });
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
  expect(await thrown).toMatchObject({ code: 'ECONNRESET' });
});
