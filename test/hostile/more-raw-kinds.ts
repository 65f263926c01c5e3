import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { pour, repeat } from './pour.js';
import type { Attack } from './raw-kinds.js';

const json = 'Content-Type: application/json\r\n';
const record = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}';
const MEGABYTE = 1024 * 1024;

/** Writes a whole text and closes. */
const say =
  (text: string | Buffer): Attack =>
  (socket) =>
    void socket.end(text);

const sayAndHang =
  (text: string | Buffer): Attack =>
  (socket) =>
    void socket.write(text);

function answer(status: string, body: string | Buffer, headers = json): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

const sayJson = (body: string | Buffer, headers = json): Attack => say(answer('200 OK', body, headers));

function refuse(status: number, retryAfter: string): Attack {
  const body = JSON.stringify({ code: 'busy', message: 'later', status });
  return say(answer(`${status} Later`, body, `${json}Retry-After: ${retryAfter}\r\n`));
}

const listOf = (count: number, print: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => print(index)).join(',')}]`;

/** Most of the longest body that is read. */
const LONG = 'n'.repeat(7 * MEGABYTE);

/** Another answer to every request, so that none equals one that is kept already. */
function counted(print: (count: number) => string, status = '200 OK'): Attack {
  let count = 0;
  return (socket) => void socket.end(answer(status, print(++count)));
}

/** Everything but the key is let pass: as many records as make a body that is still read, whatever the limit. */
function idsAsText(count: number): Attack {
  const name = 'n'.repeat(Math.min(60_000, Math.floor((7.5 * MEGABYTE) / count)));
  return (socket) =>
    void socket.end(
      answer(
        '200 OK',
        listOf(count, (index) => `{"id":"text-${index}","name":"${name}","categoryId":"1","status":"gone"}`),
      ),
    );
}

/** Values are made when they are asked for: some are as long as a body that is read may be. */
export const moreRawKinds: Record<string, Attack> = {
  // Heads
  'huge-header': sayJson('[]', `${json}X-Huge: ${'x'.repeat(MEGABYTE)}\r\n`),
  'many-cookies': sayJson('[]', json + 'Set-Cookie: session=1; Path=/; Max-Age=999999999\r\n'.repeat(200)),
  'nul-in-header': sayJson('[]', `${json}X-Nul: a\0b\r\n`),
  'bare-newlines': say('HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n[]'),
  'status-of-nothing': say('HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\n[]'),
  'status-of-one-digit': say('HTTP/1.1 2 OK\r\nContent-Length: 2\r\n\r\n[]'),
  'splits-the-answer': sayJson('[]', `${json}Location: /\r\n\r\nHTTP/1.1 200 OK\r\n${json}`),
  'names-other-programs': sayJson('[]', `${json}Server: \u001B[2J##vso[task.complete]\r\n`),
  // Protocols
  'http-0.9': say('[]'),
  'http-2': sayAndHang(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
  upgrades: sayAndHang('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  'wants-an-upgrade': say(answer('426 Upgrade Required', '{}', `${json}Upgrade: h2c\r\n`)),
  'hangs-after-continue': sayAndHang('HTTP/1.1 100 Continue\r\n\r\n'),
  echoes: (socket) => void socket.pipe(socket),
  'keeps-alive-and-closes': say(
    `HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\nConnection: keep-alive\r\nKeep-Alive: timeout=99999\r\n\r\n[]`,
  ),
  // Lengths
  'negative-length': say(`HTTP/1.1 200 OK\r\n${json}Content-Length: -1\r\n\r\n[]`),
  'length-past-counting': sayAndHang(`HTTP/1.1 200 OK\r\n${json}Content-Length: 99999999999999999999\r\n\r\n[`),
  'a-terabyte': sayAndHang(`HTTP/1.1 200 OK\r\n${json}Content-Length: 1099511627776\r\n\r\n[`),
  'two-lengths': say(
    `HTTP/1.1 200 OK\r\n${json}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`,
  ),
  'cut-in-a-chunk': say(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\nff\r\n[${record}`),
  'endless-chunk-extension': (socket) =>
    pour(socket, repeat('2;', 'x'.repeat(1000)), `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`),
  'endless-trailers': (socket) =>
    pour(
      socket,
      repeat('2\r\n[]\r\n0\r\n', 'X-More: and more\r\n'.repeat(100)),
      `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
    ),
  'body-where-none-is': say('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n[]'),
  // Times
  'busy-for-thirty-years': refuse(429, '1e9'),
  'busy-for-thirty-years-in-digits': refuse(429, '999999999'),
  'busy-for-ever': refuse(429, '1'),
  'busy-until-yesterday': refuse(429, 'Thu, 01 Jan 1970 00:00:00 GMT'),
  'busy-in-no-words': refuse(429, '-1, soon, \u00FF'),
  'down-for-ever': refuse(503, '0'),
  slow: (socket) => void setTimeout(() => socket.end(answer('200 OK', '[]')), 700),
  // Codings
  'gzip-cut': sayJson(gzipSync('[]'.repeat(1000)).subarray(0, 20), `${json}Content-Encoding: gzip\r\n`),
  'gzip-twice': sayJson(gzipSync(gzipSync('[]')), `${json}Content-Encoding: gzip, gzip\r\n`),
  'gzip-and-more': sayJson(Buffer.concat([gzipSync('[]'), Buffer.from('more')]), `${json}Content-Encoding: gzip\r\n`),
  'no-brotli': sayJson('[]', `${json}Content-Encoding: br\r\n`),
  'brotli-bomb': (socket) =>
    void socket.end(
      answer('200 OK', brotliCompressSync(Buffer.alloc(64 * MEGABYTE, 0x20)), `${json}Content-Encoding: br\r\n`),
    ),
  'deflate-bomb': (socket) =>
    void socket.end(
      answer('200 OK', deflateSync(Buffer.alloc(64 * MEGABYTE, 0x20)), `${json}Content-Encoding: deflate\r\n`),
    ),
  // Bodies
  'a-million-numbers': (socket) =>
    void socket.end(
      answer(
        '200 OK',
        listOf(1_000_000, () => '1'),
      ),
    ),
  'a-million-nulls': (socket) =>
    void socket.end(
      answer(
        '200 OK',
        listOf(1_000_000, () => 'null'),
      ),
    ),
  'many-wrong-records': (socket) =>
    void socket.end(
      answer(
        '200 OK',
        listOf(100_000, (index) => `{"id":"text-${index}","name":${index},"categoryId":"1"}`),
      ),
    ),
  'large-wrong-records': (socket) =>
    void socket.end(
      answer(
        '200 OK',
        listOf(250, (index) => `{"id":"text-${index}","name":"${'n'.repeat(60_000)}","categoryId":1}`),
      ),
    ),
  ...Object.fromEntries([1000, 2600, 5000].map((count) => [`${count}-records-with-ids-as-text`, idsAsText(count)])),
  'one-long-name': (socket) =>
    void socket.end(answer('200 OK', `[{"id":1,"name":"${'n'.repeat(15 * MEGABYTE)}","categoryId":1}]`)),
  'one-long-number': (socket) =>
    void socket.end(answer('200 OK', `[{"id":${'9'.repeat(MEGABYTE)},"name":"Rex","categoryId":1}]`)),
  'many-fields': (socket) =>
    void socket.end(
      answer('200 OK', `[{${Array.from({ length: 300_000 }, (_, index) => `"f${index}":1`).join(',')}}]`),
    ),
  'many-fields-of-a-record': counted(
    (count) => `{"id":${count},${Array.from({ length: 200_000 }, (_, index) => `"f${index}":1`).join(',')}}`,
  ),
  'many-new-fields': counted(
    (count) => `[{${Array.from({ length: 50_000 }, (_, index) => `"f${count}-${index}":1`).join(',')}}]`,
  ),
  'long-wrong-ids': counted((count) => `[{"id":"${count}${LONG}","name":"Rex","categoryId":1}]`),
  'long-field-names': counted((count) => `[{"id":1,"name":"Rex","categoryId":1,"${count}${LONG}":1}]`),
  'long-codes': counted((count) => `{"code":"${count}${LONG}","message":"no","status":400}`, '400 Bad Request'),
  'many-escapes': (socket) =>
    void socket.end(answer('200 OK', `[{"id":1,"name":"${'\\u0000'.repeat(2_000_000)}","categoryId":1}]`)),
  'not-a-number': sayJson('[{"id":NaN,"name":"Rex","categoryId":Infinity}]'),
  'utf-16': sayJson(Buffer.from(`\uFEFF[${record}]`, 'utf16le')),
  'latin-1': sayJson(Buffer.from('[{"id":1,"name":"Chlo\u00E9","categoryId":1}]', 'latin1')),
  'deep-objects': (socket) =>
    void socket.end(answer('200 OK', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`)),
  'redirects-to-a-file': say(answer('302 Found', '', 'Location: file:///etc/passwd\r\n')),
};
