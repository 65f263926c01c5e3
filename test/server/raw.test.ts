import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listening } from '../../src/server/listen.js';
import { startServer } from '../../src/server/start-server.js';
import type { World } from '../../src/mock/world.js';
import { expectSound, sendRaw } from '../support/send.js';
import { AUTHORIZATION, createTestWorlds } from '../support/test-world.js';

let world: World;
let server: Listening;

beforeAll(async () => {
  const worlds = createTestWorlds();
  world = worlds.default;
  server = await startServer(worlds, { host: '127.0.0.1', port: 0, cors: false });
});
afterAll(() => server.close());

const keptAlive = (line: string, fields = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n${fields}\r\n`;
const head = (line: string, fields = ''): string => keptAlive(line, `Connection: close\r\n${fields}`);

/** The answers in a stream of bytes, each checked against the contract. */
function split(stream: string): { status: number; text: string }[] {
  return stream
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [top = '', ...rest] = part.split('\r\n\r\n');
      const [statusLine = '', ...lines] = top.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
      );
      const answer = { status: Number(statusLine.split(' ')[1]), text: rest.join('\r\n\r\n') };
      expectSound({ method: 'GET', path: '/v1/pets', headers, ...answer });
      return answer;
    });
}

test('requests that are sent in one go are answered in their order', async () => {
  const requests = ['GET /v1/pets?limit=1', 'GET /v1/nothing', 'GET /v1/pets?limit=0', 'GET /v1/pets?limit=2'];
  const answers = split(await sendRaw(server.port, requests.map((line) => keptAlive(line)).join('')));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
  expect(answers[3]?.text).toMatch(/^\[\{"id":3,.*\{"id":2,/);
});

test('bodies that are sent in one go are kept apart', async () => {
  const post = (body: string): string =>
    keptAlive('POST /v1/pets', `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`) + body;
  const stream = await sendRaw(server.port, post('{"name":"A","categoryId":1}') + post('{"name":"B","categoryId":1}'));
  expect(stream).toMatch(/"name":"A"[^]*"name":"B"/);
});

test('a target that is a whole URL is read as its path and query', async () => {
  const [answer] = split(await sendRaw(server.port, head('GET http://petstore.example/v1/pets?limit=1')));
  expect(answer?.status).toBe(200);
});

test('a chunked body is read', async () => {
  const body = '{"name":"Chunk","categoryId":1}';
  const chunks = `${body.slice(0, 9).length.toString(16)}\r\n${body.slice(0, 9)}\r\n${body.slice(9).length.toString(16)}\r\n${body.slice(9)}\r\n0\r\n\r\n`;
  const fields = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
  expect(await sendRaw(server.port, head('POST /v1/pets', fields) + chunks)).toMatch(
    /^HTTP\/1\.1 201 [^]*"name":"Chunk"/,
  );
});

test.each([
  ['garbage', 'hello\r\n\r\n', 400],
  ['bytes of TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
  ['a version that is none', 'GET /v1/pets HTTP/9.9\r\n\r\n', 400],
  ['a body of two lengths', head('POST /v1/pets', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400],
  ['a length that is a text', head('POST /v1/pets', 'Content-Length: x\r\n'), 400],
  ['a length and chunks at once', head('POST /v1/pets', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), 400],
  ['header fields of 32 KiB', head('GET /v1/pets', `X: ${'x'.repeat(32_768)}\r\n`), 431],
  ['a target of 32 KiB', head(`GET /v1/pets?${'x'.repeat(32_768)}`), 431],
])('%s in place of HTTP is answered with an Error body', async (_, bytes, status) => {
  const [answer] = split(await sendRaw(server.port, bytes));
  expect(answer?.status).toBe(status);
});

test.each([
  '*',
  '//',
  '/v1/../v1/pets',
  '/v1//pets',
  '/%',
  '/v1/pets/\x80',
  'http://',
  'pets',
  '/v1/pets?%',
  '/v1/pets#x',
])('the target %j gets an answer', async (target) => {
  const [answer] = split(await sendRaw(server.port, head(`GET ${target}`)));
  expect([200, 400, 404]).toContain(answer?.status);
});

test('an upload that is cut off stores nothing, and the next request is served', async () => {
  const before = world.store.size;
  for (const fields of ['Content-Length: 1000\r\n', 'Transfer-Encoding: chunked\r\n']) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          `${head('POST /v1/pets', `Content-Type: application/json\r\n${fields}`)}{"name":"Cut","categoryId":1}`,
        );
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
      socket.on('close', () => resolve()).on('error', reject);
    });
  }
  const [answer] = split(await sendRaw(server.port, head('GET /v1/pets')));
  expect([answer?.status, world.store.size]).toEqual([200, before]);
});

test('a connection that is dropped before its answer does no harm', async () => {
  for (let count = 0; count < 20; count++) {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(head('GET /v1/pets'));
      socket.destroy();
    });
  }
  const [answer] = split(await sendRaw(server.port, head('GET /v1/pets')));
  expect(answer?.status).toBe(200);
});

test('a client that waits for 100 is told to go on', async () => {
  const body = '{"name":"Wait","categoryId":1}';
  const fields = `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n`;
  expect(await sendRaw(server.port, head('POST /v1/pets', fields) + body)).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /,
  );
});
