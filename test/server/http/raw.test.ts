import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Listening } from '../../../src/server/http/listen.js';
import { startServer } from '../../../src/server/start-petstore-mock.js';
import type { RecordedExchange } from '../../../src/mock/world/journal.js';
import type { World } from '../../../src/mock/world/world.js';
import { eventually } from '../../support/eventually.js';
import { expectSound, sendRaw } from '../../support/send.js';
import { AUTHORIZATION, createTestWorlds, petsOf } from '../../support/test-world.js';
import { words } from '../../support/words.js';

let world: World;
let server: Listening;
/** What the log was told of. */
let log: RecordedExchange[] = [];

beforeAll(async () => {
  const worlds = createTestWorlds();
  world = worlds.default;
  world.onExchange = (exchange) => void log.push(exchange);
  server = await startServer(worlds, { host: '127.0.0.1', port: 0, cors: false });
});
beforeEach(() => void (log = []));
afterAll(() => server.close());

const keptAlive = (line: string, fields = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\n${fields}\r\n`;
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
      expectSound({ method: answer.status === 201 ? 'POST' : 'GET', path: '/v1/pets', headers, ...answer });
      return answer;
    });
}

test('requests that are sent in one go are answered in their order', async () => {
  const requests = ['GET /v1/pets?limit=1', 'GET /v1/nothing', 'GET /v1/pets?limit=0', 'GET /v1/pets?limit=2'];
  const answers = split(await sendRaw(server.port, requests.map((line) => keptAlive(line)).join('')));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
  expect(answers[3]?.text).toMatch(/^\[\{"id":3,.*\{"id":2,/);
});

test('a target that is a whole URL is read as its path and query', async () => {
  const [answer] = split(await sendRaw(server.port, head('GET http://petstore.example/v1/pets?limit=1')));
  expect(answer?.status).toBe(200);
});

test('a chunked body is read', async () => {
  const body = '{"name":"Chunk","categoryId":1}';
  const [first, rest] = [body.slice(0, 9), body.slice(9)];
  const chunks = [first, rest, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  const fields = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
  const answer = await sendRaw(server.port, head('POST /v1/pets', fields) + chunks);
  expect(answer).toMatch(/^HTTP\/1\.1 201 [^]*"name":"Chunk"/);
});

const BODY = '{"name":"Rex","categoryId":1}';
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const post = (fields: string, body = BODY): string => `${keptAlive('POST /v1/pets', JSON_TYPE + fields)}${body}`;
const whole = (body = BODY): string => post(`Content-Length: ${body.length}\r\n`, body);

/** In each the first message is refused. */
const UNREADABLE: [what: string, bytes: string | Buffer, status: number, message: RegExp][] = [
  ['garbage', 'hello\r\n\r\n', 400, /^this is not HTTP\/1\.1/],
  ['bytes of TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400, /^this is TLS; use http:/],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /^this is HTTP\/2/],
  ['a version that is none', 'GET /v1/pets HTTP/9.9\r\n\r\n', 400, /version/],
  ['a method that is none', keptAlive('FOO /v1/pets'), 400, /method/],
  ['a body of two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n'), 400, /Content-Length/],
  ['a length past 64 bits', post('Content-Length: 99999999999999999999999\r\n'), 400, /Content-Length/],
  ['a length and chunks at once', post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', CHUNK), 400, /./],
  ['a coding that does not end in chunks', post('Transfer-Encoding: gzip\r\n', CHUNK), 400, /Transfer-Encoding/],
  ['a chunk of no length', post('Transfer-Encoding: chunked\r\n', `zz\r\n${CHUNK}`), 400, /chunk/],
  ['a chunk with endless extensions', post('Transfer-Encoding: chunked\r\n', `1;${'x'.repeat(20_000)}`), 413, /chunk/],
  ['a field that goes on in the next line', head('GET /v1/pets', 'X: a\r\n b\r\n'), 400, /header/],
  ['a bare line feed', 'GET /v1/pets HTTP/1.1\nHost: x\n\n', 400, /./],
  ['header fields of 32 KiB', head('GET /v1/pets', `X: ${'x'.repeat(32_768)}\r\n`), 431, /16 KiB/],
  ['a target of 32 KiB', head(`GET /v1/pets?${'x'.repeat(32_768)}`), 431, /16 KiB/],
  ['a tunnel', 'CONNECT petstore.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 501, /not a proxy/],
];

test.each(UNREADABLE)(
  '%s in place of HTTP is answered with an Error body, and logged',
  async (_, bytes, status, why) => {
    const [answer] = split(await sendRaw(server.port, bytes));
    expect(answer?.status).toBe(status);
    expect((JSON.parse(answer?.text ?? '') as { message: string }).message).toMatch(why);
    expect(log).toMatchObject([{ status, atFault: 'client', reason: expect.stringMatching(why) }]);
  },
);

test.each(UNREADABLE)('%s takes no answer away that was earned before it', async (_, bytes, status) => {
  const before = petsOf(world).size;
  const earned = keptAlive('GET /v1/pets?limit=1') + whole() + keptAlive('GET /v1/pets?limit=2');
  const answers = split(await sendRaw(server.port, Buffer.concat([Buffer.from(earned), Buffer.from(bytes)])));
  expect(answers.map((each) => each.status)).toEqual([200, 201, 200, status]);
  // A body is read a moment later, so the log has them in the order of the work.
  const statuses = log.map((each) => each.status).toSorted((a, b) => a - b);
  expect([petsOf(world).size, statuses]).toEqual([before + 1, [200, 200, 201, status]]);
});

test('a request that is answered ahead of its end keeps that answer when it breaks off', async () => {
  const packed = post('Transfer-Encoding: gzip, chunked\r\n', 'zz');
  const tooLong = post('Transfer-Encoding: chunked\r\n', `200000\r\n${'x'.repeat(0x200000)}zz`);
  for (const asked of [packed, tooLong]) {
    log = [];
    const answers = split(await sendRaw(server.port, keptAlive('GET /v1/pets?limit=1') + asked));
    const statuses = [200, asked === packed ? 501 : 413];
    expect([answers.map((each) => each.status), log.map((each) => each.status)]).toEqual([statuses, statuses]);
  }
});

test('a body that is longer than it says is stored as far as it says, and the rest is refused', async () => {
  const before = petsOf(world).size;
  const answers = split(await sendRaw(server.port, `${whole()}}}`));
  expect([answers.map(({ status }) => status), petsOf(world).size]).toEqual([[201, 400], before + 1]);
});

test('what comes behind the last request of a connection is not looked at', async () => {
  const answers = split(await sendRaw(server.port, `${head('GET /v1/pets')}hello\r\n\r\n`));
  expect([answers.map(({ status }) => status), log.length]).toEqual([[200], 1]);
});

test('an answer that takes its time leaves ahead of the refusal of what came behind it', async () => {
  world.delay = { from: 60, to: 60 };
  const asked = `${keptAlive('GET /v1/pets?limit=1')}hello\r\n\r\n`;
  const answers = split(await sendRaw(server.port, asked, { holds: true }));
  world.delay = undefined;
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

/** A server with the same world that soon gives up waiting for a request. */
async function startImpatient(): Promise<number> {
  const worlds = createTestWorlds();
  worlds.default.onExchange = (exchange) => void log.push(exchange);
  const patience = { head: 300, request: 400, lookEvery: 50 };
  const impatient = await startServer(worlds, { host: '127.0.0.1', port: 0, cors: false, patience });
  onTestFinished(() => impatient.close());
  return impatient.port;
}

test.each([
  ['in its head', keptAlive('GET /v1/pets').slice(0, -10)],
  ['in its body', post('Content-Length: 100\r\n')],
])('a request that stops %s is answered once its time is up, behind the one before it', async (_, rest) => {
  const port = await startImpatient();
  // A machine that stands still between the connection and its bytes uses that time up: it tries again.
  await eventually(async () => {
    log = [];
    const answers = split(await sendRaw(port, keptAlive('GET /v1/pets?limit=1') + rest, { holds: true }));
    expect(answers.map(({ status }) => status)).toEqual([200, 408]);
    expect(log.map(({ status }) => status)).toEqual([200, 408]);
  });
});

test('a connection on which nothing is asked ends without a word', async () =>
  expect([await sendRaw(await startImpatient(), '', { holds: true }), log]).toEqual(['', []]));

test.each([
  ['no Host', `GET /v1/pets HTTP/1.1\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`, 400],
  ['two Host fields', keptAlive('GET /v1/pets', 'Host: y\r\n'), 400],
  ['a second Host behind 2,000 others', keptAlive('GET /v1/pets', `${'a:\r\n'.repeat(2000)}Host: y\r\n`), 400],
  ['a Host that is none', keptAlive('GET /v1/pets').replace('Host: localhost', 'Host: a b'), 400],
  ['an expectation that nobody knows', keptAlive('GET /v1/pets', 'Expect: magic\r\n'), 417],
  ['an expectation of a body', post(`Expect: magic\r\nContent-Length: ${BODY.length}\r\n`), 417],
  ['a body that is packed', post('Transfer-Encoding: gzip, chunked\r\n', CHUNK), 501],
  ['chunks in HTTP/1.0', post('Transfer-Encoding: chunked\r\n', CHUNK).replace('HTTP/1.1', 'HTTP/1.0'), 400],
])('%s is refused with an Error body, logged, and stores nothing', async (_, bytes, status) => {
  const before = petsOf(world).size;
  const method = bytes.slice(0, bytes.indexOf(' '));
  const [answer] = split(await sendRaw(server.port, bytes));
  expect([answer?.status, petsOf(world).size]).toEqual([status, before]);
  expect(log).toMatchObject([{ method, url: '/v1/pets', status, atFault: 'client' }]);
  expect(world.journal.entries().at(-1)?.exchange).toMatchObject({ method, status, atFault: 'client' });
});

test.each(['/__admin/health', '/__admin/pets', '/elsewhere'])('%s wants one Host too', async (path) => {
  const received = await sendRaw(server.port, head(`GET ${path}`, 'Host: y\r\n'), { holds: true });
  expect(received).toMatch(/^HTTP\/1\.1 400 [^]*"message":"there is more than one header field Host"/);
});

test.each([
  ['HTTP/1.0 without a Host', 'GET /v1/pets HTTP/1.0\r\n'],
  ['an empty Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\nHost:\r\n'],
  ['an expectation in HTTP/1.0', 'GET /v1/pets HTTP/1.0\r\nExpect: magic\r\n'],
  ['an offer', 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n'],
])('%s is served', async (_, lines) => {
  const [answer] = split(await sendRaw(server.port, `${lines}Authorization: ${AUTHORIZATION}\r\n\r\n`));
  expect(answer?.status).toBe(200);
});

test.each(words`* // /v1/../v1/pets /v1//pets /% /v1/pets/ http:// pets /v1/pets?% /v1/pets#x`)(
  'the target %j gets an answer',
  async (target) => {
    const [answer] = split(await sendRaw(server.port, head(`GET ${target}`)));
    expect([200, 400, 404]).toContain(answer?.status);
  },
);

test('an upload that is cut off stores nothing, and the next request is served', async () => {
  const before = petsOf(world).size;
  for (const fields of ['Content-Length: 1000\r\n', 'Transfer-Encoding: chunked\r\n']) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`${keptAlive('GET /v1/pets')}${post(fields, '{"name":"Cut","categoryId":1}')}`);
      });
      // What was sent with the request that is answered has arrived.
      socket.once('data', () => socket.resetAndDestroy());
      socket.on('close', () => resolve()).on('error', reject);
    });
  }
  const [answer] = split(await sendRaw(server.port, head('GET /v1/pets')));
  expect([answer?.status, petsOf(world).size]).toEqual([200, before]);
});

test('a client that waits for 100 is told to go on', async () => {
  const body = '{"name":"Wait","categoryId":1}';
  const fields = `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n`;
  const answer = await sendRaw(server.port, head('POST /v1/pets', fields) + body);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});
