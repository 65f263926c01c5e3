import { http, HttpResponse, type HttpHandler } from 'msw';
import { PetstoreMockError } from '../errors.js';

/** The petstore that replaces the service: the result of `createPetstoreFetch()`, or one of its worlds. */
export type AnswersByFetch = { readonly fetch: typeof globalThis.fetch; readonly url: string };

export interface PetstoreHandlersOptions {
  /**
   * The base URL that the code under test uses, with the base path. One that begins with `/` is at any origin.
   * @example { url: 'https://petstore.example/v1' }
   * @example { url: '/api/v1' }
   */
  url: string;
}

/**
 * Request handlers for MSW, version 2 or 3, that answer everything below a base URL from a petstore: with state,
 * validated both ways, with the petstore's faults. For `setupServer` of `msw/node`; the petstore needs Node and does
 * not run in a browser's worker. Throws a `PetstoreMockError` (`bad-option`) for a base URL that is none.
 *
 * @example
 * const petstore = createPetstoreFetch();
 * const server = setupServer(...createPetstoreHandlers(petstore, { url: 'https://petstore.example/v1' }));
 */
export function createPetstoreHandlers(petstore: AnswersByFetch, { url }: PetstoreHandlersOptions): HttpHandler[] {
  const base = matchBase(url);
  return [
    http.all(base, async ({ request }) => {
      try {
        const { method, headers, body, signal } = request;
        // Field by field: vitest's `Request` for jsdom drops everything from a `Request` passed as init.
        const init: RequestInit = { method, headers, signal, ...(body !== null && { body, duplex: 'half' }) };
        return await petstore.fetch(petstore.url + request.url.replace(base, ''), init);
      } catch {
        // A reset connection, or a client that has left. MSW would turn an error thrown by a handler into an answer.
        return HttpResponse.error();
      }
    }),
  ];
}

function matchBase(url: string): RegExp {
  const isPath = url.startsWith('/');
  if (!isPath && !/^https?:\/\//.test(url)) {
    throw new PetstoreMockError(
      'bad-option',
      `${url} is not a base URL; give one such as https://petstore.example/v1, or a path such as /api/v1.`,
    );
  }
  const origin = isPath ? 'https?://[^/]+' : '';
  const escaped = url.replace(/\/+$/, '').replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(`^${origin}${escaped}(?=[/?]|$)`);
}
