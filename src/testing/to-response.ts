import type { ApiResponse } from '../contract/message.js';

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

/** The first half, then the error that a reader gets when the connection ends. */
function breakOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated', { cause: new Error('other side closed') })),
  });
}
