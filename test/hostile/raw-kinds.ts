import type { Socket } from 'node:net';
import { makeGzipBomb } from './gzip-bomb.js';
import { pour, repeat } from './pour.js';

/** What a hostile server does on a connection once a request arrived. */
export type Attack = (socket: Socket) => void;

const json = 'Content-Type: application/json\r\n';
const ok = `HTTP/1.1 200 OK\r\n${json}`;
const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}';

/** Answers with a whole text and closes; each request gets a connection of its own, and so the same answer. */
const say =
  (text: string | Buffer): Attack =>
  (socket) =>
    void socket.end(text);

/** Answers with the start of an answer, and leaves the client waiting. */
const sayAndHang =
  (text: string): Attack =>
  (socket) =>
    void socket.write(text);

/** Answers with the start of an answer, then resets the connection. */
function resetAfter(text: string): Attack {
  // The reset must not overtake the text.
  return (socket) => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
}

function withBody(body: string | Buffer, headers = json): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function drip(socket: Socket): void {
  socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`);
  const timer = setInterval(() => socket.write('1\r\n \r\n'), 100);
  socket.once('close', () => clearInterval(timer));
}

function dripHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const timer = setInterval(() => socket.write('x'), 100);
  socket.once('close', () => clearInterval(timer));
}

/** The kinds that are written straight to the socket, so that HTTP can be broken at will. */
export const rawKinds = {
  'never-answers': () => undefined,
  'closes-unanswered': (socket) => socket.destroy(),
  'resets-in-headers': resetAfter('HTTP/1.1 200 OK\r\nContent-Ty'),
  'resets-in-body': resetAfter(`${ok}Content-Length: 1000\r\n\r\n[${pet},`),
  drips: drip,
  'drips-headers': dripHeaders,
  'endless-body': (socket) => pour(socket, repeat(`[${pet},`, `${pet},`.repeat(1000)), ok + '\r\n'),
  'endless-headers': (socket) => pour(socket, repeat('', 'X-More: and more\r\n'.repeat(100)), 'HTTP/1.1 200 OK\r\n'),
  'gzip-bomb': (socket) => pour(socket, makeGzipBomb(), `${ok}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`),
  'html-everywhere': say(withBody('<html><body><h1>Hello</h1></body></html>', 'Content-Type: text/html\r\n')),
  'invalid-utf8': say(withBody(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x5d]))),
  'hangs-after-headers': sayAndHang(`${ok}Content-Length: 100\r\n\r\n`),
  'content-length-too-long': say(`${ok}Content-Length: 1000\r\n\r\n[${pet}]`),
  'content-length-too-short': say(`${ok}Content-Length: 5\r\n\r\n[${pet}]`),
  'content-length-twice': say(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[] `),
  'bad-chunk-size': say(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n`),
  'not-http': say('220 mail.example ESMTP ready\r\n'),
  'not-even-text': say(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256))),
  'unknown-status': say(`HTTP/1.1 999 Whatever\r\n${json}Content-Length: 2\r\n\r\n{}`),
  'informational-flood': (socket) => pour(socket, repeat('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))),
  'deep-json': say(withBody('['.repeat(100_000) + ']'.repeat(100_000))),
  'not-gzip': say(withBody('[]', `${json}Content-Encoding: gzip\r\n`)),
  'unknown-coding': say(withBody('[]', `${json}Content-Encoding: snappy\r\n`)),
  'answers-twice': say(Buffer.concat([withBody('[]'), withBody(`[${pet}]`)])),
} satisfies Record<string, Attack>;
