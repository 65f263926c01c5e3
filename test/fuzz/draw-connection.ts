import { METHODS } from 'node:http';
import { connect } from 'node:net';
import type { Draws } from './draws.js';

/** Bytes for a connection of their own, and how it ends. */
export interface DrawnConnection {
  bytes: Buffer;
  /** How the client ends: whole, cut off, or reset; before or after it has seen something of an answer. */
  ending: 'end' | 'destroy' | 'reset';
  /** Whether it first waits for bytes of the server. */
  reads: boolean;
}

const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9'];
const FIELDS: readonly string[][] = [
  ['Connection: upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: eA==', 'Sec-WebSocket-Version: 13'],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['Expect: 100-continue', 'Content-Length: 2'],
  ['Expect: something-else', 'Content-Length: 2'],
  ['Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 3'],
  ['Content-Length: 99999999999999999999'],
  ['Content-Length: 1000000'],
  ['Connection: close'],
  ['Host: elsewhere.example'],
  [': nothing'],
  ['X-Long: '.padEnd(9000, 'x')],
  ['Trailer: X-End', 'TE: trailers', 'Transfer-Encoding: chunked'],
];
const BODIES = ['', '{}', '{', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n{}', 'ffffffff\r\n', '0\r\nX-End: 1\r\n\r\n', '\0\0\0\0'];

/** A connection of almost HTTP: any method, odd header fields, and an end at any point. */
export function drawConnection(paths: readonly string[], draws: Draws): DrawnConnection {
  const one = (): string => {
    const method = draws.chance(0.25) ? 'CONNECT' : draws.pick(['GET', 'POST', 'OPTIONS', 'PRI', 'G@T', ...METHODS]);
    const target =
      method === 'CONNECT' ? draws.pick(['example.com:443', '/', ':0']) : draws.pick([...paths, '*', '', 'http://a/b']);
    const fields = draws.some(FIELDS, 0.15).flat();
    const host = draws.chance(0.9) ? ['Host: 127.0.0.1'] : [];
    const head = [`${method} ${target} ${draws.pick(VERSIONS)}`, ...host, ...fields, '', ''].join('\r\n');
    return `${head}${draws.pick(BODIES)}`;
  };
  const whole = Buffer.from(draws.times(draws.pick([1, 1, 2, 20]), one).join(''), 'latin1');
  const bytes = draws.chance(0.5) ? whole : whole.subarray(0, draws.below(whole.length));
  return { bytes, ending: draws.pick(['end', 'destroy', 'reset']), reads: draws.chance(0.6) };
}

/** Longer than any answer to so few bytes takes; what hangs on half a request is for the server to end. */
const SILENCE_MS = 40;

/** Opens the connection, and resolves when the client has ended it. */
export function open(port: number, { bytes, ending, reads }: DrawnConnection): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (): void => {
      clearTimeout(timer);
      if (ending === 'end') socket.end();
      else if (ending === 'destroy') socket.destroy();
      else socket.resetAndDestroy();
      // What ends politely must not wait for the other side for ever.
      setTimeout(() => socket.destroy(), SILENCE_MS);
      resolve();
    };
    const timer = setTimeout(finish, SILENCE_MS);
    // The client's own errors are what it asked for.
    socket.on('error', () => undefined);
    socket.on('connect', () =>
      socket.write(bytes, () => {
        if (!reads) finish();
      }),
    );
    socket.once('data', finish);
  });
}
