import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY, startProgram, type Running } from '../support/run-program.js';

let running: Running & { url: string };

beforeAll(async () => void (running = await startProgram()));
afterAll(() => running.stop());

const AUTHORIZED = `Host: x\r\nAuthorization: ${KEY.authorization}\r\n`;
const GET = `GET /v1/pets?limit=1 HTTP/1.1\r\n${AUTHORIZED}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CONNECT = `CONNECT petstore.example:443 HTTP/1.1\r\nHost: petstore.example:443\r\n\r\n`;
const UPGRADE = 'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** Whatever Node may hand over as a bare socket, and what it reads beside that. */
const SENT: Record<string, string> = {
  'a request': GET,
  'a tunnel': CONNECT,
  'a tunnel with bytes in it': `${CONNECT}\x16\x03\x01\x02\x00\x01`,
  'a tunnel behind a request': `${GET}${CONNECT}`,
  'a tunnel with a body': CONNECT.replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\nab'),
  'a web socket': `GET /v1/pets HTTP/1.1\r\n${AUTHORIZED}${UPGRADE}Upgrade: websocket\r\n\r\n\x81\x05hello`,
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an offer of HTTP/2': `GET /v1/pets HTTP/1.1\r\n${AUTHORIZED}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  'no HTTP': 'hello\r\n\r\n',
  'no HTTP behind a request': `${GET}hello\r\n\r\n`,
  'a known expectation': `POST /v1/pets HTTP/1.1\r\n${AUTHORIZED}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  'an unknown expectation': `POST /v1/pets HTTP/1.1\r\n${AUTHORIZED}${JSON_TYPE}Expect: magic\r\nContent-Length: 9\r\n\r\nab`,
  'half a body': `POST /v1/pets HTTP/1.1\r\n${AUTHORIZED}${JSON_TYPE}Content-Length: 99\r\n\r\n{`,
  'a broken chunk': `POST /v1/pets HTTP/1.1\r\n${AUTHORIZED}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'the feed of the console': 'GET /__admin/console/feed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'what is outside': 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
};

const ENDINGS = [
  'as soon as it is sent',
  'in its middle',
  'at the first byte of the answer',
  'after the answer',
] as const;
type Ending = (typeof ENDINGS)[number];

const SILENCE_MS = 60;

/** Sends bytes and resets the connection at a point of the exchange. */
function sendAndReset(bytes: string, ending: Ending): Promise<void> {
  const { hostname, port } = new URL(running.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const sent = ending === 'in its middle' ? bytes.slice(0, bytes.length / 2) : bytes;
      socket.write(sent, 'latin1', () => {
        if (ending === 'as soon as it is sent') socket.resetAndDestroy();
        else setTimeout(() => socket.resetAndDestroy(), SILENCE_MS);
      });
    });
    if (ending === 'at the first byte of the answer') socket.once('data', () => socket.resetAndDestroy());
    // What goes on in a tunnel after its refusal meets the server's closed side.
    if (ending === 'after the answer') socket.on('data', () => socket.write('more'));
    socket.on('error', () => {}).on('close', () => resolve());
  });
}

test.each(Object.entries(SENT))('%s that is reset at any point ends nothing but its connection', async (_, bytes) => {
  for (const ending of ENDINGS) await Promise.all([1, 2, 3].map(() => sendAndReset(bytes, ending)));
  const response = await fetch(`${running.url}/pets?limit=1`, { headers: KEY });
  expect([response.status, running.process.exitCode, running.stderr]).toEqual([200, null, '']);
});
