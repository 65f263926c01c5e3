import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Change } from '../server/behaviour.js';
import { toNodeHeaders } from '../server/default-behaviour.js';
import type { EncodedReply, HeaderRecord } from '../server/replies.js';
import { open, type Variant } from './variant.js';

/** Whether the client named a content coding in Accept-Encoding and did not rule it out. */
function accepts(headers: IncomingHttpHeaders, coding: string): boolean {
  const offers = (headers['accept-encoding'] ?? '').split(',');
  const offer = offers.map((text) => text.trim().toLowerCase()).find((text) => text.split(';')[0]?.trim() === coding);
  return offer !== undefined && !/;\s*q=0(\.0*)?$/.test(offer);
}

function compress(coding: string, pack: (bytes: Buffer) => Buffer): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      if (encoded.bytes.length === 0 || !accepts(exchange.headers, coding)) return encoded;
      const headers = { ...encoded.headers, 'content-encoding': coding, vary: 'Accept-Encoding' };
      return { ...encoded, headers, bytes: pack(encoded.bytes) };
    },
  });
}

function addHeaders(headers: HeaderRecord): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      return { ...encoded, headers: { ...encoded.headers, ...headers } };
    },
  });
}

/** Sends answers that have a body in another way. */
function sendBy(write: (reply: EncodedReply, response: ServerResponse) => void | Promise<void>): Change {
  return (base) => ({
    send: (reply, exchange, response) =>
      reply.bytes.length > 0 && exchange.method !== 'HEAD'
        ? write(reply, response)
        : base.send(reply, exchange, response),
  });
}

/** Without Content-Length, in pieces of some size. */
function sendInPieces(size: number, pause: number): Change {
  return sendBy(async ({ status, headers, bytes }, response) => {
    response.writeHead(status, toNodeHeaders(headers));
    for (let start = 0; start < bytes.length; start += size) {
      response.write(bytes.subarray(start, start + size));
      if (pause > 0) await wait(pause);
    }
    response.end();
  });
}

/** Closes without having said so; a request that comes too late is not processed, and sees a reset. */
function closeSilently(isLast: (count: number) => boolean): Change {
  return (base) => {
    let count = 0;
    return {
      send: (reply, exchange, response) => {
        count += 1;
        const { socket } = response;
        if (isLast(count)) response.once('finish', () => socket?.destroySoon());
        return base.send(reply, exchange, response);
      },
    };
  };
}

const framing = 'RFC 9112 section 6: Content-Length and chunks are both fine';
const connections = 'RFC 9112 section 9: a server may close a connection';

export const transportVariants = {
  gzip: { title: 'gzip for who accepts it', leavesOpen: 'RFC 9110 section 8.4', change: compress('gzip', gzipSync) },
  deflate: {
    title: 'deflate for who accepts it',
    leavesOpen: 'RFC 9110 section 8.4',
    change: compress('deflate', deflateSync),
  },
  brotli: {
    title: 'br for who accepts it',
    leavesOpen: 'RFC 9110 section 8.4',
    change: compress('br', brotliCompressSync),
  },
  chunked: { title: 'in chunks of 1000 bytes', leavesOpen: framing, change: sendInPieces(1000, 0) },
  'chunked-through-characters': {
    title: 'in chunks of 7 bytes, which cut characters in two',
    leavesOpen: framing,
    change: sendInPieces(7, 0),
  },
  'chunked-with-pauses': {
    title: 'in chunks with pauses between them',
    leavesOpen: framing,
    change: sendInPieces(700, 15),
  },
  'chunked-with-trailers': {
    title: 'in chunks, with trailer fields',
    leavesOpen: 'RFC 9110 section 6.5',
    change: sendBy(({ status, headers, bytes }, response) => {
      response.writeHead(status, { ...toNodeHeaders(headers), trailer: 'X-Checksum' });
      response.write(bytes);
      response.addTrailers({ 'X-Checksum': String(bytes.length) });
      response.end();
    }),
  },
  'connection-close': {
    title: 'every answer closes its connection',
    leavesOpen: connections,
    change: addHeaders({ connection: 'close' }),
  },
  'idle-connections-reset': {
    title: 'the connection is gone after every seventh answer',
    leavesOpen: connections,
    change: closeSilently((count) => count % 7 === 0),
  },
  'short-keep-alive': {
    title: 'idle connections are closed after a second',
    leavesOpen: connections,
    change: () => ({
      tuneServer: (server) => {
        server.keepAliveTimeout = 1000;
      },
    }),
  },
  'three-requests-per-connection': {
    title: 'a connection serves three requests',
    leavesOpen: connections,
    change: () => ({
      tuneServer: (server) => {
        server.maxRequestsPerSocket = 3;
      },
    }),
  },
  'early-hints': {
    title: '103 precedes every answer',
    leavesOpen: 'RFC 9110 section 15.2: a client must be able to read interim answers',
    change: sendBy(({ status, headers, bytes }, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(status, { ...toNodeHeaders(headers), 'content-length': String(bytes.length) });
      response.end(bytes);
    }),
  },
  'odd-reason-phrase': {
    title: 'the reason phrase is made up',
    leavesOpen: 'RFC 9112 section 4: a client should ignore it',
    change: sendBy(({ status, headers, bytes }, response) => {
      response.writeHead(status, 'As You Wish', { ...toNodeHeaders(headers), 'content-length': String(bytes.length) });
      response.end(bytes);
    }),
  },
  'header-names-in-capitals': {
    title: 'header names are in capitals',
    leavesOpen: 'RFC 9110 section 5.1: field names have no case',
    change: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        const headers = Object.entries(encoded.headers).map(([name, value]) => [name.toUpperCase(), value] as const);
        return { ...encoded, headers: Object.fromEntries(headers) };
      },
    }),
  },
  'empty-content-encoding': {
    title: 'Content-Encoding is there and empty',
    leavesOpen: 'RFC 9110 section 5.6.1.2: a list may have no element',
    change: addHeaders({ 'content-encoding': '' }),
  },
  'upgrade-offered': {
    title: 'every answer offers HTTP/2 by Upgrade',
    leavesOpen: 'RFC 9110 section 7.8: a server may offer protocols in any answer',
    change: addHeaders({ upgrade: 'h2,h2c', connection: 'Upgrade, Keep-Alive' }),
  },
  'no-date-header': {
    title: 'answers have no Date',
    leavesOpen: 'RFC 9110 section 6.6.1: a server without a clock sends none',
    change: (base) => ({
      send: (reply, exchange, response) => {
        response.sendDate = false;
        return base.send(reply, exchange, response);
      },
    }),
  },
  'large-headers': {
    title: 'a header of 6 kB',
    leavesOpen: open.http,
    change: addHeaders({ 'x-debug': 'x'.repeat(6000) }),
  },
} satisfies Record<string, Variant>;
