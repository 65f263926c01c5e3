import { createServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/conformance/http/http-client.js';
import type { WireAnswer } from '../../../src/conformance/model/exchange.js';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connect(
  listener: RequestListener,
  more: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<HttpClient> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createHttpClient({ target: new URL(`http://127.0.0.1:${port}/v1`), timeoutMs: 2000, ...more });
  closing.push(() => {
    client.close();
    return new Promise((resolve) => server.close(resolve).closeAllConnections());
  });
  return client;
}

const get = (client: HttpClient, target = '/v1/pets'): Promise<WireAnswer> =>
  client.send({ method: 'GET', target, headers: {}, body: undefined });

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
  const body = Buffer.from('{}');
  const put = { method: 'PUT', target: '/v1/a', body };
  await client.send({ method: 'GET', target: '/v1/a', headers: {}, body: undefined, form: 'absolute' });
  await client.send({ ...put, headers: { 'Transfer-Encoding': 'chunked', Trailer: 'X' }, form: 'trailer' });
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
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const client = createHttpClient({ target: new URL(`http://127.0.0.1:${port}`), timeoutMs: 2000 });
  const answer = await client.send({
    method: 'GET',
    target: '/a',
    headers: { Connection: 'close' },
    body: undefined,
    form: 'headInPieces',
  });
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
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const client = createHttpClient({ target: new URL(`http://127.0.0.1:${port}`), timeoutMs: 2000 });
  closing.push(async () => client.close());
  const put = { method: 'PUT', headers: { Expect: '100-continue', 'Content-Length': '2' }, body: Buffer.from('{}') };
  const served = await client.send({ ...put, target: '/a', form: 'expect' });
  const unwanted = await client.send({ ...put, target: '/unwanted', form: 'expect' });
  expect([served, unwanted]).toMatchObject([{ status: 200 }, { status: 417 }]);
  expect(asked).toEqual(['head', '{}', 'head']);
});

test('an answer has its status, its fields by lower-case name, repeated ones joined, and its bytes', async () => {
  const client = await connect((_, response) => {
    response
      .writeHead(
        404,
        [
          ['X-One', '1'],
          ['Vary', 'a'],
          ['Vary', 'b'],
        ].flat(),
      )
      .end(Buffer.from([0xff, 0]));
  });
  expect(await get(client)).toMatchObject({
    kind: 'answered',
    status: 404,
    headers: { 'x-one': '1', vary: 'a, b' },
    bytes: Buffer.from([0xff, 0]),
  });
});

describe('a content coding', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
    ['', (text: string) => Buffer.from(text)],
  ])('%s is taken off', async (coding, encode) => {
    const client = await connect((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(encode('[1]'));
    });
    expect(await read(client)).toBe('[1]');
  });

  test.each([
    ['gzip', Buffer.from('[1]')],
    ['gzip', gzipSync('[1]').subarray(0, -9)],
    ['br', Buffer.from([0xff, 0xff, 0xff])],
    ['snappy', Buffer.from('[1]')],
    ['constructor', Buffer.from('[1]')],
    ['__proto__', Buffer.from('[1]')],
  ])('%s that it is not is no response', async (coding, bytes) => {
    const client = await connect((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bytes);
    });
    expect(await read(client)).toBe('bad-encoding');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a bomb in %s is cut off', async (coding, encode) => {
    const bomb = encode(Buffer.alloc(20 * 2 ** 20));
    const client = await connect((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bomb);
    });
    expect(await read(client)).toBe('too-large');
  });

  test.each([
    ['application/json', gzipSync('[1]'), 'gzip', '[1]'],
    ['application/problem+json', gzipSync('[1]'), 'gzip', '[1]'],
    [undefined, gzipSync('[1]'), 'gzip', '[1]'],
    ['application/json', Buffer.from('[1]'), undefined, '[1]'],
    ['application/gzip', gzipSync('[1]'), undefined, gzipSync('[1]').toString()],
    ['application/json', gzipSync('[1]').subarray(0, 12), undefined, gzipSync('[1]').subarray(0, 12).toString()],
  ])('that nothing says is noted and taken off JSON: %s', async (type, bytes, unlabelled, text) => {
    const client = await connect((_, response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(bytes);
    });
    const answer = await get(client);
    expect(answer.kind === 'answered' && answer.unlabelled).toBe(unlabelled);
    expect(await read(client)).toBe(text);
  });

  test('an empty body needs no unpacking', async () => {
    const client = await connect((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
    expect(await read(client)).toBe('');
  });
});

describe('no response', () => {
  test.each<[string, RequestListener]>([
    ['never', () => {}],
    ['half', (_, response) => response.writeHead(200, { 'content-length': '9' }).write('[')],
  ])('comes in time: %s', async (_, listener) => {
    const client = await connect(listener, { timeoutMs: 150 });
    const answer = await get(client);
    expect(answer).toMatchObject({ reason: 'timeout', detail: 'request timeout: no complete response within 150 ms' });
  });

  test('comes when the connection is dropped before it', async () =>
    expect(await read(await connect((request) => request.socket.destroy()))).toBe('dropped'));

  test.each<[string, Record<string, string>]>([
    ['announces more', { 'content-length': '9' }],
    ['ends without a last chunk', { 'transfer-encoding': 'chunked' }],
  ])('is what came of a body that %s, and says that it was cut off', async (_, headers) => {
    const client = await connect((request, response) => {
      response.writeHead(201, headers).write('[1', () => request.socket.destroySoon());
    });
    expect(await read(client)).toBe('[1');
    expect(await get(client)).toMatchObject({ status: 201, cutOff: expect.stringContaining('ended before the body') });
  });

  test('is none if what came cannot be unpacked', async () => {
    const client = await connect((request, response) => {
      const half = gzipSync('[{"id":1}]').subarray(0, -9);
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-length': '99' })
        .write(half, () => request.socket.destroySoon());
    });
    expect(await read(client)).toBe('incomplete');
  });

  test('that comes whole says nothing of being cut off', async () =>
    expect(await get(await connect((_, response) => response.end('[]')))).not.toHaveProperty('cutOff'));

  test('is read past 16 MiB', async () => {
    const client = await connect((_, response) => response.end(Buffer.alloc(17 * 2 ** 20)));
    expect(await read(client)).toBe('too-large');
  });

  test('is waited for once the run is interrupted', async () => {
    const stop = new AbortController();
    const client = await connect(() => stop.abort(), { timeoutMs: 60_000, signal: stop.signal });
    expect(await read(client)).toBe('interrupted');
    expect(await read(client)).toBe('interrupted');
  });
});

describe('a run that is ended', () => {
  async function end(method: string, answers: boolean): Promise<WireAnswer> {
    const stop = new AbortController();
    const client = await connect(
      (_, response) => {
        stop.abort();
        if (answers) response.writeHead(201).end('{"id":7}');
      },
      { timeoutMs: 60_000, signal: stop.signal },
    );
    return client.send({ method, target: '/v1/pets', headers: {}, body: undefined });
  }

  test('reads the answer to what was written, since that says what is to be tidied up', async () =>
    expect(await end('POST', true)).toMatchObject({ kind: 'answered', status: 201 }));

  test('does not wait for it for long, and for nothing else', async () => {
    expect(await end('POST', false)).toMatchObject({ reason: 'interrupted' });
    expect(await end('GET', false)).toMatchObject({ reason: 'interrupted' });
  });
});

test('a redirect is an answer, and is not followed', async () => {
  let requests = 0;
  const client = await connect((_, response) => {
    requests += 1;
    response.writeHead(307, { location: '/v1/elsewhere' }).end();
  });
  expect(await get(client)).toMatchObject({ status: 307 });
  expect(requests).toBe(1);
});

test('connections are kept for what may be sent twice, and new for what must not', async () => {
  const sockets: unknown[] = [];
  const client = await connect((request, response) => {
    sockets.push(request.socket);
    response.end();
  });
  const post = { method: 'POST', target: '/v1/pets', headers: {}, body: undefined };
  await get(client);
  await get(client);
  await client.send(post);
  await client.send(post);
  expect(sockets[0]).toBe(sockets[1]);
  expect(new Set(sockets).size).toBe(3);
});

test('nothing more is sent on a connection after `Connection: close`, whatever the server says', async () => {
  const sockets: unknown[] = [];
  const client = await connect((request, response) => {
    sockets.push(request.socket);
    response.writeHead(200, { connection: 'keep-alive' }).end();
  });
  await client.send({ method: 'GET', target: '/v1/pets', headers: { Connection: 'close' }, body: undefined });
  await get(client);
  expect(new Set(sockets).size).toBe(2);
});

test('what is to go alone goes out on a connection of its own', async () => {
  const sockets: unknown[] = [];
  const client = await connect((request, response) => {
    sockets.push(request.socket);
    response.end();
  });
  await get(client);
  await client.send({ method: 'GET', target: '/v1/pets', headers: {}, body: undefined, alone: true });
  expect(new Set(sockets).size).toBe(2);
});

test('header fields may be long', async () => {
  const client = await connect((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end('[]'));
  expect(await read(client)).toBe('[]');
});
