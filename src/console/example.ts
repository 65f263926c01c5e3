import type { Copied } from './copy-as.js';
import type { Example } from './types.js';

/** The example of an operation as a request to copy; `api` is the mock's address with the base path. */
export function toCopied(method: string, example: Example, api: string): Copied {
  const headers: Record<string, string> = {
    ...example.headers,
    // A client that writes a form in parts chooses the boundary between them.
    ...(example.mediaType === undefined || example.form !== undefined ? {} : { 'Content-Type': example.mediaType }),
  };
  return { method, url: `${api}${example.path}`, headers, body: example.body, form: example.form };
}
