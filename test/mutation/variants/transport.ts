import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { Change } from '../server/behaviour.js';
import { toNodeHeaders } from '../server/default-behaviour.js';
import type { EncodedReply, HeaderRecord } from '../server/replies.js';
import { adjust } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

/** Whether the client named a content coding in Accept-Encoding and did not rule it out. */
function accepts(headers: IncomingHttpHeaders, coding: string): boolean {
  const offers = (headers['accept-encoding'] ?? '').split(',');
  const offer = offers.map((text) => text.trim().toLowerCase()).find((text) => text.split(';')[0]?.trim() === coding);
  return offer !== undefined && !/;\s*q=0(\.0*)?$/.test(offer);
}

function compress(coding: string, pack: (bytes: Buffer) => Buffer): Change {
  return adjust('encode', (encoded, _reply, exchange) => {
    if (encoded.bytes.length === 0 || !accepts(exchange.headers, coding)) return encoded;
    const headers = { ...encoded.headers, 'content-encoding': coding, vary: 'Accept-Encoding' };
    return { ...encoded, headers, bytes: pack(encoded.bytes) };
  });
}

function changeHeaders(change: (headers: HeaderRecord) => HeaderRecord): Change {
  return adjust('encode', (encoded) => ({ ...encoded, headers: change(encoded.headers) }));
}

function addHeaders(more: HeaderRecord): Change {
  return changeHeaders((headers) => ({ ...headers, ...more }));
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

/** Does something to the response before it is sent, the n-th of all from 1. */
function beforeSending(prepare: (response: ServerResponse, count: number) => void): Change {
  return (base) => {
    let count = 0;
    return {
      send: (reply, exchange, response) => {
        prepare(response, ++count);
        return base.send(reply, exchange, response);
      },
    };
  };
}

function tune(change: (server: Server) => unknown): Change {
  return () => ({ tuneServer: (server) => void change(server) });
}

/** A head with its length, and what stands before or in it. */
function withLength({ headers, bytes }: EncodedReply): Record<string, string | string[]> {
  return { ...toNodeHeaders(headers), 'content-length': String(bytes.length) };
}

export const transportVariants = {
  ...allow('RFC 9110 section 8.4', {
    'gzip: gzip for who accepts it': compress('gzip', gzipSync),
    'deflate: deflate for who accepts it': compress('deflate', deflateSync),
    'brotli: br for who accepts it': compress('br', brotliCompressSync),
  }),
  ...allow('RFC 9112 section 6: Content-Length and chunks are both fine', {
    'chunked: in chunks of 1000 bytes': sendInPieces(1000, 0),
    'chunked-through-characters: in chunks of 7 bytes, which cut characters in two': sendInPieces(7, 0),
    'chunked-with-pauses: in chunks with pauses between them': sendInPieces(700, 15),
  }),
  ...allow('RFC 9110 section 6.5', {
    'chunked-with-trailers: in chunks, with trailer fields': sendBy(({ status, headers, bytes }, response) => {
      response.writeHead(status, { ...toNodeHeaders(headers), trailer: 'X-Checksum' });
      response.write(bytes);
      response.addTrailers({ 'X-Checksum': String(bytes.length) });
      response.end();
    }),
  }),
  ...allow('RFC 9112 section 9: a server may close a connection', {
    'connection-close: every answer closes its connection': addHeaders({ connection: 'close' }),
    // Without having said so; a request that comes too late is not processed, and sees a reset.
    'idle-connections-reset: the connection is gone after every seventh answer': beforeSending((response, count) => {
      const { socket } = response;
      if (count % 7 === 0) response.once('finish', () => socket?.destroySoon());
    }),
    'short-keep-alive: of a second': tune((server) => (server.keepAliveTimeout = 1000)),
    'three-requests-per-connection': tune((server) => (server.maxRequestsPerSocket = 3)),
  }),
  ...allow('RFC 9110 section 15.2: a client must be able to read interim answers', {
    'early-hints: 103 precedes every answer': sendBy((reply, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(reply.status, withLength(reply)).end(reply.bytes);
    }),
  }),
  ...allow('RFC 9112 section 4: a client should ignore it', {
    'odd-reason-phrase: the reason phrase is made up': sendBy((reply, response) => {
      response.writeHead(reply.status, 'As You Wish', withLength(reply)).end(reply.bytes);
    }),
  }),
  ...allow('RFC 9110 section 5.1: field names have no case', {
    'header-names-in-capitals: header names are in capitals': changeHeaders((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    ),
  }),
  ...allow('RFC 9110 section 5.6.1.2: a list may have no element', {
    'empty-content-encoding: Content-Encoding is there and empty': addHeaders({ 'content-encoding': '' }),
  }),
  ...allow('RFC 9110 section 7.8: a server may offer protocols in any answer', {
    'upgrade-offered: HTTP/2': addHeaders({ upgrade: 'h2,h2c', connection: 'Upgrade, Keep-Alive' }),
  }),
  ...allow('RFC 9110 section 6.6.1: a server without a clock sends none', {
    'no-date-header: answers have no Date': beforeSending((response) => void (response.sendDate = false)),
  }),
  ...allow(open.http, { 'large-headers: a header of 6 kB': addHeaders({ 'x-debug': 'x'.repeat(6000) }) }),
} satisfies Record<string, Variant>;
