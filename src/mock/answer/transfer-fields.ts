import type { ResponseHeaders } from '../../contract/message.js';

/** What says how a message is transferred (RFC 9110 sections 7.6.1, 8.4 and 8.6; RFC 9112 sections 6, 7 and 9). */
export const OF_TRANSFER =
  /^(?:content-(?:length|encoding)|transfer-encoding|connection|proxy-connection|keep-alive|te|trailer|upgrade)$/i;

/**
 * Header fields without those that describe the transfer: only the transport, which sends neither a coded body nor a
 * trailer, can say these truly. Contracts describe them, and a client fails at plain text that says that it is gzip.
 */
export function withoutTransferFields(headers: ResponseHeaders): ResponseHeaders {
  for (const name in headers) {
    if (name !== 'Content-Type' && isUntrue(name, headers[name])) {
      return Object.fromEntries(Object.entries(headers).filter(([each, value]) => !isUntrue(each, value)));
    }
  }
  return headers;
}

/** The transport does close a connection that a handler of the user's says is closed. */
function isUntrue(name: string, value: unknown): boolean {
  return OF_TRANSFER.test(name) && !(name.toLowerCase() === 'connection' && value === 'close');
}
