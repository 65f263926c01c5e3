import type { ApiResponse, ApiRequest } from '../contract/model.js';
import { longestBody } from '../mock/request/read-request.js';
import { serveRequest } from '../mock/handle-request.js';
import type { Worlds } from '../mock/world/worlds.js';
import { checkOptions, OF_EVERY_PETSTORE } from '../options/petstore-options.js';
import { createHandles } from '../server/handles/create-handles.js';
import type { PetstoreOptions } from '../server/options.js';
import type { NamedWorld, PetstoreWorlds } from '../server/petstore-world.js';
import { answerOutside, respondRejected } from '../server/http/outside.js';
import { findPlace } from '../server/http/middleware.js';
import { setUp } from '../server/set-up.js';
import { WORLD_HEADER } from '../server/world-names.js';

/** Replaces the global `fetch`. */
export type Fetch = typeof globalThis.fetch;

export interface PetstoreFetch extends PetstoreWorlds, AsyncDisposable {
  /**
   * Works like the global `fetch`, with answers from this petstore. Only the path of a
   * URL counts, not its origin; a URL may also begin with `/`.
   */
  readonly fetch: Fetch;
  world(name: string): NamedFetchWorld;
  /** Every later `fetch` rejects, as if no server were listening. */
  close(): Promise<void>;
}

export interface NamedFetchWorld extends NamedWorld {
  /** The same `fetch`, in this world. */
  readonly fetch: Fetch;
}

/** All options except those about other origins and the admin API, which do not exist here. */
export type PetstoreFetchOptions = Omit<PetstoreOptions, 'cors' | 'adminToken'>;

/** A name that never resolves (RFC 6761 section 6.2), so that a request that goes to the network by mistake fails. */
const ORIGIN = 'http://petstore.test';

/**
 * A petstore as a `fetch`, without a port: for code that accepts a `fetch` to use, and for request handlers. Throws a
 * `PetstoreMockError` for options or files that cannot be used.
 *
 * @example
 * const petstore = createPetstoreFetch({ fixtures: 'empty' });
 * const client = createClient({ baseUrl: petstore.url, fetch: petstore.fetch });
 */
export function createPetstoreFetch(options: PetstoreFetchOptions = {}): PetstoreFetch {
  checkOptions(options, OF_EVERY_PETSTORE);
  const { worlds } = setUp(options);
  const handles = createHandles(worlds, ORIGIN);
  let closed = false;
  const fetch: Fetch = async (input, init) => {
    const request = toRequest(input, init);
    if (closed) throw failedFetch('ECONNREFUSED', 'connect ECONNREFUSED');
    return untilAborted(request.signal, () => answer(request, worlds));
  };
  const close = async (): Promise<void> => {
    closed = true;
  };
  return {
    ...handles,
    fetch,
    world: (name) => ({
      ...handles.world(name),
      fetch(input, init) {
        const request = toRequest(input, init);
        request.headers.set(WORLD_HEADER, name);
        return fetch(request);
      },
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  return new Request(typeof input === 'string' && input.startsWith('/') ? ORIGIN + input : input, init);
}

async function answer(request: Request, worlds: Worlds): Promise<Response> {
  const head = readHead(request);
  const place = findPlace(head.path, head.headers, worlds);
  if (place === undefined) {
    return toResponse(answerOutside({ ...head, mountPath: '', body: undefined }, worlds), request);
  }
  const { entry, prefix, path } = place;
  if ('rejected' in entry) {
    return toResponse(
      respondRejected({ ...head, path, mountPath: prefix, body: undefined }, entry.rejected, worlds),
      request,
    );
  }
  const { world } = entry;
  const started = world.clock.elapsed();
  const body = await readBody(request, longestBody(world.profile));
  const { signal } = request;
  signal.throwIfAborted();
  const isGone = (): boolean => signal.aborted;
  const onWait = (cancel: () => void): void => signal.addEventListener('abort', cancel, { once: true });
  const answered = await new Promise<ApiResponse>((resolve) => {
    serveRequest({ ...head, ...body, path, mountPath: prefix }, world, resolve, { started, isGone, onWait });
  });
  const { delay = 0, cut } = answered.transport ?? {};
  if (delay > 0) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      onWait(() => clearTimeout(timer));
    });
  }
  if (cut === 'reset') throw failedFetch('ECONNRESET', 'read ECONNRESET');
  return toResponse(answered, request);
}

/** The rejection of Node's fetch when the network fails. */
function failedFetch(code: string, message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

/** Rejects with the signal's reason as soon as it is aborted. */
async function untilAborted<Result>(signal: AbortSignal, start: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  return Promise.race([start(), aborted]).finally(() => signal.removeEventListener('abort', leave));
}

/** A request of the Fetch standard as it would arrive on a connection, before its body is read. */
export function readHead(request: Request): ApiRequest {
  const { pathname, search, host } = new URL(request.url);
  return {
    method: request.method.toUpperCase(),
    path: pathname,
    mountPath: '',
    query: search.slice(1),
    // Header fields that Node's own fetch adds.
    headers: { host, accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(request.headers) },
    body: undefined,
  };
}

/** Reads at most `most` bytes; a longer body is refused anyway. */
export async function readBody({ body }: Request, most: number): Promise<Pick<ApiRequest, 'body' | 'bodyLongerThan'>> {
  if (body === null) return { body: undefined };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop cancels the stream.
    if (length > most) return { body: undefined, bodyLongerThan: most };
    chunks.push(chunk);
  }
  return { body: length === 0 ? undefined : Buffer.concat(chunks) };
}

/** The response as `fetch` returns it, for a request with this method to this URL. */
export function toResponse({ status, headers, body, transport }: ApiResponse, request: Request): Response {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body.text);
  const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) };
  const cut = transport?.cut === 'truncate';
  const content = bytes === undefined || request.method === 'HEAD' ? null : cut ? breakOff(bytes) : bytes;
  const response = new Response(content, { status, headers: { ...headers, ...length } });
  // A response that was not fetched has no URL of its own.
  Object.defineProperty(response, 'url', { value: request.url.replace(/#.*/, '') });
  return response;
}

function breakOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated', { cause: new Error('other side closed') })),
  });
}
