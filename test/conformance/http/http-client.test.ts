import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/conformance/http/http-client.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';

type More = { timeoutMs?: number; signal?: AbortSignal };

/** A client of a server, of which nothing is left after the test. */
async function connectTo(server: Server | NetServer, more: More = {}): Promise<HttpClient> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createHttpClient({ target: new URL(`http://127.0.0.1:${port}/v1`), timeoutMs: 2000, ...more });
  onTestFinished(async () => {
    client.close();
    const closed = new Promise((resolve) => server.close(resolve));
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  });
  return client;
}

const connect = (listener: RequestListener, more?: More): Promise<HttpClient> =>
  connectTo(createServer(listener), more);
/** A client of a server that answers everything so. */
const answering = (headers: Record<string, string>, body: string | Buffer = '', status = 200): Promise<HttpClient> =>
  connect((_, response) => void response.writeHead(status, headers).end(body));

const GET: WireRequest = { method: 'GET', target: '/v1/pets', headers: {}, body: undefined };
const get = (client: HttpClient): Promise<WireAnswer> => client.send(GET);

/** The body as text, or why there is none. */
async function read(client: HttpClient): Promise<string> {
  const answer = await get(client);
  return answer.kind === 'answered' ? Buffer.from(answer.bytes).toString() : answer.reason;
}

test('a request goes out as it stands', async () => {
  const seen: unknown[] = [];
  const client = await connect((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text) => seen.push(request.method, request.url, request.headers['x-a'], text));
    request.on('end', () => response.end());
  });
  const body = Buffer.from('{"a":1}');
  await client.send({ method: 'POST', target: '/v1/a/../b//c?x=%2f&x', headers: { 'X-A': '1' }, body });
  expect(seen).toEqual(['POST', '/v1/a/../b//c?x=%2f&x', '1', '{"a":1}']);
});

test('a message goes out in its form', async () => {
  const seen: unknown[] = [];
  const client = await connect((request, response) => {
    request.resume().on('end', () => {
      seen.push([request.url?.replace(/:\d+/, ''), request.trailers]);
      response.end();
    });
  });
  const headers = { 'Transfer-Encoding': 'chunked', Trailer: 'X' };
  await client.send({ ...GET, target: '/v1/a', form: 'absolute' });
  await client.send({ method: 'PUT', target: '/v1/a', body: Buffer.from('{}'), headers, form: 'trailer' });
  expect(seen).toEqual([
    ['http://127.0.0.1/v1/a', {}],
    ['/v1/a', { 'x-no-such-trailer': '1' }],
  ]);
});

test('a head goes out in two packets', async () => {
  const packets: string[] = [];
  const server = createNetServer((socket) => {
    socket.on('data', (bytes) => {
      packets.push(bytes.toString());
      if (packets.join('').endsWith('\r\n\r\n')) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  const client = await connectTo(server);
  const answer = await client.send({ ...GET, headers: { Connection: 'close' }, form: 'headInPieces' });
  expect([answer, packets.length]).toMatchObject([{ status: 204 }, 2]);
});

test('a body is sent once it is asked for, and not if it is not wanted', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => asked.push(bytes.toString())).on('end', () => response.end());
  });
  server.on('checkContinue', (request, response) => {
    asked.push('head');
    if (request.url === '/unwanted') return void response.writeHead(417).end();
    response.writeContinue();
    server.emit('request', request, response);
  });
  const client = await connectTo(server);
  const put = { method: 'PUT', headers: { Expect: '100-continue', 'Content-Length': '2' }, body: Buffer.from('{}') };
  const served = await client.send({ ...put, target: '/a', form: 'expect' });
  const unwanted = await client.send({ ...put, target: '/unwanted', form: 'expect' });
  expect([served, unwanted]).toMatchObject([{ status: 200 }, { status: 417 }]);
  expect(asked).toEqual(['head', '{}', 'head']);
});

test('an answer has its status, its fields by lower-case name, repeated ones joined, and its bytes', async () => {
  const bytes = Buffer.from([0xff, 0]);
  const client = await connect((_, response) => {
    response.writeHead(404, ['X-One', '1', 'Vary', 'a', 'Vary', 'b']).end(bytes);
  });
  expect(await get(client)).toMatchObject({
    kind: 'answered',
    status: 404,
    headers: { 'x-one': '1', vary: 'a, b' },
    bytes,
  });
});

test('a redirect is an answer, and is not followed; header fields may be long', async () => {
  let requests = 0;
  const client = await connect((_, response) => {
    requests += 1;
    response.writeHead(307, { location: '/v1/elsewhere', 'x-long': 'x'.repeat(40_000) }).end();
  });
  expect(await get(client)).toMatchObject({ status: 307 });
  expect(requests).toBe(1);
});

describe('a content coding', () => {
  const plain = (text: string | Buffer): Buffer => Buffer.from(text);

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', plain],
    ['', plain],
  ])('%s is taken off', async (coding, encode) =>
    expect(await read(await answering({ 'content-encoding': coding }, encode('[1]')))).toBe('[1]'),
  );

  test.each([
    ['gzip', plain('[1]')],
    ['gzip', gzipSync('[1]').subarray(0, -9)],
    ['br', Buffer.from([0xff, 0xff, 0xff])],
    ['snappy', plain('[1]')],
    ['__proto__', plain('[1]')],
  ])('%s that it is not is no response', async (coding, bytes) =>
    expect(await read(await answering({ 'content-encoding': coding }, bytes))).toBe('bad-encoding'),
  );

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a bomb in %s is cut off', async (coding, encode) => {
    const bomb = encode(Buffer.alloc(20 * 2 ** 20));
    expect(await read(await answering({ 'content-encoding': coding }, bomb))).toBe('too-large');
  });

  const packed = gzipSync('[1]');
  const half = packed.subarray(0, 12);

  test.each([
    ['application/json', packed, 'gzip', '[1]'],
    ['application/problem+json', packed, 'gzip', '[1]'],
    [undefined, packed, 'gzip', '[1]'],
    ['application/json', plain('[1]'), undefined, '[1]'],
    ['application/gzip', packed, undefined, packed.toString()],
    ['application/json', half, undefined, half.toString()],
  ])('that nothing says is noted and taken off JSON: %s', async (type, bytes, unlabelled, text) => {
    const client = await answering(type === undefined ? {} : { 'content-type': type }, bytes);
    const answer = await get(client);
    expect(answer.kind === 'answered' && answer.unlabelled).toBe(unlabelled);
    expect(await read(client)).toBe(text);
  });
});

describe('no response', () => {
  test.each<[string, RequestListener]>([
    ['never', () => {}],
    ['half', (_, response) => response.writeHead(200, { 'content-length': '9' }).write('[')],
  ])('comes in time: %s', async (_, listener) => {
    const detail = 'request timeout: no complete response within 150 ms';
    expect(await get(await connect(listener, { timeoutMs: 150 }))).toMatchObject({ reason: 'timeout', detail });
  });

  test('comes when the connection is dropped before it', async () =>
    expect(await read(await connect((request) => request.socket.destroy()))).toBe('dropped'));

  /** A client of a server that sends this of a body, and hangs up. */
  const cutOff = (headers: Record<string, string>, bytes: string | Buffer): Promise<HttpClient> =>
    connect((request, response) => {
      response.writeHead(201, headers).write(bytes, () => request.socket.destroySoon());
    });

  test.each<[string, Record<string, string>]>([
    ['announces more', { 'content-length': '9' }],
    ['ends without a last chunk', { 'transfer-encoding': 'chunked' }],
  ])('is what came of a body that %s, and says that it was cut off', async (_, headers) => {
    const client = await cutOff(headers, '[1');
    expect(await read(client)).toBe('[1');
    expect(await get(client)).toMatchObject({ status: 201, cutOff: expect.stringContaining('ended before the body') });
  });

  test('is none if what came cannot be unpacked, and of one that comes whole nothing is said', async () => {
    const half = gzipSync('[{"id":1}]').subarray(0, -9);
    expect(await read(await cutOff({ 'content-encoding': 'gzip', 'content-length': '99' }, half))).toBe('incomplete');
    expect(await get(await answering({}, '[]'))).not.toHaveProperty('cutOff');
  });

  test('is waited for once the run is interrupted', async () => {
    const stop = new AbortController();
    const client = await connect(() => stop.abort(), { timeoutMs: 60_000, signal: stop.signal });
    expect([await read(client), await read(client)]).toEqual(['interrupted', 'interrupted']);
  });
});

test.each([
  ['reads the answer to what was written, since that says what is to be tidied up', 'POST', true, { status: 201 }],
  ['does not wait for it for long', 'POST', false, { reason: 'interrupted' }],
  ['waits for nothing else', 'GET', false, { reason: 'interrupted' }],
])('a run that is ended %s', async (_, method, answers, told) => {
  const stop = new AbortController();
  const listener: RequestListener = (_request, response) => {
    stop.abort();
    if (answers) response.writeHead(201).end('{"id":7}');
  };
  const client = await connect(listener, { timeoutMs: 60_000, signal: stop.signal });
  expect(await client.send({ ...GET, method })).toMatchObject(told);
});

const CLOSING = { ...GET, headers: { Connection: 'close' } };
const POST = { ...GET, method: 'POST' };

test.each<[string, WireRequest[], number]>([
  ['is kept for what may be sent twice, and new for what must not', [GET, GET, POST, POST], 3],
  ['has nothing more after `Connection: close`, whatever the server says', [CLOSING, GET], 2],
  ['is one of its own for what is to go alone', [GET, { ...GET, alone: true }], 2],
])('a connection %s', async (_, requests, count) => {
  const sockets: unknown[] = [];
  const client = await connect((request, response) => {
    sockets.push(request.socket);
    response.writeHead(200, { connection: 'keep-alive' }).end();
  });
  for (const each of requests) await client.send(each);
  expect(new Set(sockets).size).toBe(count);
});
