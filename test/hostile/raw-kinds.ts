import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { makeGzipBomb } from './gzip-bomb.js';
import { pour, repeat } from './pour.js';

/** What a hostile server does on a connection once a request arrived. */
export type Attack = (socket: Socket) => void;

const json = 'Content-Type: application/json\r\n';
const ok = `HTTP/1.1 200 OK\r\n${json}`;
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}';
const MEGABYTE = 1024 * 1024;

/** Answers with a whole text and closes; each request gets a connection of its own, and so the same answer. */
function say(text: string | Buffer): Attack {
  return (socket) => void socket.end(text);
}

/** Answers with the start of an answer, and leaves the client waiting. */
function sayAndHang(text: string | Buffer): Attack {
  return (socket) => void socket.write(text);
}

/** Answers with the start of an answer, then resets the connection; the reset must not overtake the text. */
function resetAfter(text: string): Attack {
  return (socket) => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
}

function answer(status: string, body: string | Buffer, headers = json): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function sayBody(body: string | Buffer, headers = json): Attack {
  return say(answer('200 OK', body, headers));
}

/** Answers with a body that is made when it is asked for: another one to every request, so that none is kept already. */
function make(print: (count: number) => string | Buffer, headers = json, status = '200 OK'): Attack {
  let count = 0;
  return (socket) => void socket.end(answer(status, print(++count), headers));
}

function refuse(status: number, retryAfter: string): Attack {
  const body = JSON.stringify({ code: 'busy', message: 'later', status });
  return say(answer(`${status} Later`, body, `${json}Retry-After: ${retryAfter}\r\n`));
}

function drip(opening: string, drop: string): Attack {
  return (socket) => {
    socket.write(opening);
    const timer = setInterval(() => socket.write(drop), 100);
    socket.once('close', () => clearInterval(timer));
  };
}

function commas(count: number, print: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => print(index)).join(',');
}

/** Most of the longest body that is read. */
const LONG = 'n'.repeat(7 * MEGABYTE);

/** Everything but the key is let pass: as many records as make a body that is still read, whatever the limit. */
function idsAsText(count: number): Attack {
  const name = 'n'.repeat(Math.min(60_000, Math.floor((7.5 * MEGABYTE) / count)));
  return make(
    () => `[${commas(count, (index) => `{"id":"text-${index}","name":"${name}","categoryId":"1","status":"gone"}`)}]`,
  );
}

/**
 * The kinds that are written straight to the socket, so that HTTP can be broken at will. Values are made when they are asked
 * for: some are as long as a body that is read may be.
 */
export const rawKinds: Readonly<Record<string, Attack>> = {
  'never-answers': () => undefined,
  'closes-unanswered': (socket) => socket.destroy(),
  'resets-in-headers': resetAfter('HTTP/1.1 200 OK\r\nContent-Ty'),
  'resets-in-body': resetAfter(`${ok}Content-Length: 1000\r\n\r\n[${pet},`),
  drips: drip(chunked, '1\r\n \r\n'),
  'drips-headers': drip('HTTP/1.1 200 OK\r\nX-Slow: ', 'x'),
  'endless-body': (socket) => pour(socket, repeat(`[${pet},`, `${pet},`.repeat(1000)), ok + '\r\n'),
  'endless-headers': (socket) => pour(socket, repeat('', 'X-More: and more\r\n'.repeat(100)), 'HTTP/1.1 200 OK\r\n'),
  'gzip-bomb': (socket) => pour(socket, makeGzipBomb(), `${ok}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`),
  'html-everywhere': sayBody('<html><body><h1>Hello</h1></body></html>', 'Content-Type: text/html\r\n'),
  'invalid-utf8': sayBody(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x5d])),
  'hangs-after-headers': sayAndHang(`${ok}Content-Length: 100\r\n\r\n`),
  'content-length-too-long': say(`${ok}Content-Length: 1000\r\n\r\n[${pet}]`),
  'content-length-too-short': say(`${ok}Content-Length: 5\r\n\r\n[${pet}]`),
  'content-length-twice': say(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[] `),
  'bad-chunk-size': say(`${chunked}zz\r\n[]\r\n0\r\n\r\n`),
  'not-http': say('220 mail.example ESMTP ready\r\n'),
  'not-even-text': say(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256))),
  'unknown-status': say(`HTTP/1.1 999 Whatever\r\n${json}Content-Length: 2\r\n\r\n{}`),
  'informational-flood': (socket) => pour(socket, repeat('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))),
  'deep-json': sayBody('['.repeat(100_000) + ']'.repeat(100_000)),
  'not-gzip': sayBody('[]', `${json}Content-Encoding: gzip\r\n`),
  'unknown-coding': sayBody('[]', `${json}Content-Encoding: snappy\r\n`),
  'answers-twice': say(Buffer.concat([answer('200 OK', '[]'), answer('200 OK', `[${pet}]`)])),
  // Heads
  'huge-header': sayBody('[]', `${json}X-Huge: ${'x'.repeat(MEGABYTE)}\r\n`),
  'many-cookies': sayBody('[]', json + 'Set-Cookie: session=1; Path=/; Max-Age=999999999\r\n'.repeat(200)),
  'nul-in-header': sayBody('[]', `${json}X-Nul: a\0b\r\n`),
  'bare-newlines': say('HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n[]'),
  'status-of-nothing': say('HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\n[]'),
  'status-of-one-digit': say('HTTP/1.1 2 OK\r\nContent-Length: 2\r\n\r\n[]'),
  'splits-the-answer': sayBody('[]', `${json}Location: /\r\n\r\nHTTP/1.1 200 OK\r\n${json}`),
  'names-other-programs': sayBody('[]', `${json}Server: \u001B[2J##vso[task.complete]\r\n`),
  // Protocols
  'http-0.9': say('[]'),
  'http-2': sayAndHang(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
  upgrades: sayAndHang('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  'wants-an-upgrade': say(answer('426 Upgrade Required', '{}', `${json}Upgrade: h2c\r\n`)),
  'hangs-after-continue': sayAndHang('HTTP/1.1 100 Continue\r\n\r\n'),
  echoes: (socket) => void socket.pipe(socket),
  'keeps-alive-and-closes': say(
    `${ok}Content-Length: 2\r\nConnection: keep-alive\r\nKeep-Alive: timeout=99999\r\n\r\n[]`,
  ),
  // Lengths
  'negative-length': say(`${ok}Content-Length: -1\r\n\r\n[]`),
  'length-past-counting': sayAndHang(`${ok}Content-Length: 99999999999999999999\r\n\r\n[`),
  'a-terabyte': sayAndHang(`${ok}Content-Length: 1099511627776\r\n\r\n[`),
  'two-lengths': say(`${ok}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`),
  'cut-in-a-chunk': say(`${chunked}ff\r\n[${pet}`),
  'endless-chunk-extension': (socket) => pour(socket, repeat('2;', 'x'.repeat(1000)), chunked),
  'endless-trailers': (socket) => pour(socket, repeat('2\r\n[]\r\n0\r\n', 'X-More: and more\r\n'.repeat(100)), chunked),
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
  'gzip-cut': sayBody(gzipSync('[]'.repeat(1000)).subarray(0, 20), `${json}Content-Encoding: gzip\r\n`),
  'gzip-twice': sayBody(gzipSync(gzipSync('[]')), `${json}Content-Encoding: gzip, gzip\r\n`),
  'gzip-and-more': sayBody(Buffer.concat([gzipSync('[]'), Buffer.from('more')]), `${json}Content-Encoding: gzip\r\n`),
  'no-brotli': sayBody('[]', `${json}Content-Encoding: br\r\n`),
  'brotli-bomb': make(() => brotliCompressSync(Buffer.alloc(64 * MEGABYTE, 0x20)), `${json}Content-Encoding: br\r\n`),
  'deflate-bomb': make(() => deflateSync(Buffer.alloc(64 * MEGABYTE, 0x20)), `${json}Content-Encoding: deflate\r\n`),
  // Bodies
  'a-million-numbers': make(() => `[${commas(1_000_000, () => '1')}]`),
  'a-million-nulls': make(() => `[${commas(1_000_000, () => 'null')}]`),
  'many-wrong-records': make(
    () => `[${commas(100_000, (index) => `{"id":"text-${index}","name":${index},"categoryId":"1"}`)}]`,
  ),
  'large-wrong-records': make(
    () => `[${commas(250, (index) => `{"id":"text-${index}","name":"${'n'.repeat(60_000)}","categoryId":1}`)}]`,
  ),
  ...Object.fromEntries([1000, 2600, 5000].map((count) => [`${count}-records-with-ids-as-text`, idsAsText(count)])),
  'one-long-name': make(() => `[{"id":1,"name":"${'n'.repeat(15 * MEGABYTE)}","categoryId":1}]`),
  'one-long-number': make(() => `[{"id":${'9'.repeat(MEGABYTE)},"name":"Rex","categoryId":1}]`),
  'many-fields': make(() => `[{${commas(300_000, (index) => `"f${index}":1`)}}]`),
  'many-fields-of-a-record': make((count) => `{"id":${count},${commas(200_000, (index) => `"f${index}":1`)}}`),
  'many-new-fields': make((count) => `[{${commas(50_000, (index) => `"f${count}-${index}":1`)}}]`),
  'long-wrong-ids': make((count) => `[{"id":"${count}${LONG}","name":"Rex","categoryId":1}]`),
  'long-field-names': make((count) => `[{"id":1,"name":"Rex","categoryId":1,"${count}${LONG}":1}]`),
  'long-codes': make((count) => `{"code":"${count}${LONG}","message":"no","status":400}`, json, '400 Bad Request'),
  'many-escapes': make(() => `[{"id":1,"name":"${'\\u0000'.repeat(2_000_000)}","categoryId":1}]`),
  'not-a-number': sayBody('[{"id":NaN,"name":"Rex","categoryId":Infinity}]'),
  'utf-16': sayBody(Buffer.from(`\uFEFF[${pet}]`, 'utf16le')),
  'latin-1': sayBody(Buffer.from('[{"id":1,"name":"Chlo\u00E9","categoryId":1}]', 'latin1')),
  'deep-objects': make(() => `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`),
  'redirects-to-a-file': say(answer('302 Found', '', 'Location: file:///etc/passwd\r\n')),
};
