import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLocally } from './serve-locally.js';

export type Item = Record<string, unknown>;

/** A request, read. */
export interface Asked {
  method: string;
  /** Below the base, as it was sent: `/rooms/7`. */
  path: string;
  /** The same in parts that are decoded: `['rooms', '7']`. */
  parts: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** `undefined` where nothing was sent, or nothing that is JSON. */
  body: unknown;
  /** Whether path and body can be read; no body can. */
  isReadable: boolean;
}

export interface Answer {
  status: number;
  body?: unknown;
  /** Where they say nothing else, a body is `application/json`. */
  headers?: Record<string, string>;
}

export interface Served {
  /** With the base. */
  url: string;
  close: () => Promise<void>;
  /** How many requests came. */
  requests: () => number;
}

/** A service of a test's own, in JSON below a base such as `/v2`, on a free port of this machine. */
export async function serveJson(answer: (asked: Asked) => Answer | Promise<Answer>, base = ''): Promise<Served> {
  let count = 0;
  const { url, close } = await serveLocally(async (request, response) => {
    count += 1;
    const { method = 'GET', headers } = request;
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service');
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : '/outside';
    const bytes = await buffer(request);
    const {
      status,
      body,
      headers: own = {},
    } = await answer({ method, path, query, headers, bytes, ...read(path, bytes) });
    if (body === undefined) return void response.writeHead(status, own).end();
    const hasType = Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
    response.writeHead(status, hasType ? own : { 'Content-Type': 'application/json', ...own });
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  return { url: `${url}${base}`, close, requests: () => count };
}

function read(path: string, bytes: Buffer): Pick<Asked, 'parts' | 'body' | 'isReadable'> {
  const parts = path.split('/').slice(1);
  try {
    const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
    return { parts: parts.map(decodeURIComponent), body, isReadable: true };
  } catch {
    return { parts, body: undefined, isReadable: false };
  }
}
