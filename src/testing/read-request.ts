import type { ApiRequest, RequestHeaders } from '../contract/message.js';

/** A request of the Fetch standard as it would arrive on a connection, before its body is read. */
export function readHead(request: Request): ApiRequest {
  const { pathname, search, host } = new URL(request.url);
  return {
    method: request.method.toUpperCase(),
    path: pathname,
    mountPath: '',
    query: search.slice(1),
    // Header fields that Node's own fetch adds.
    headers: { host, accept: '*/*', 'user-agent': 'node', ...readHeaders(request.headers) },
    body: undefined,
  };
}

function readHeaders(headers: Headers): RequestHeaders {
  return Object.fromEntries(headers);
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
