import type { IncomingMessage } from 'node:http';
import type { ApiResponse } from '../../contract/message.js';
import { createRefusal } from '../../mock/answer/refusals.js';

/**
 * Why a message is refused before it is processed: problems that Node's parser accepts, or would answer
 * without a reason. `undefined` for a well-formed message.
 */
export function findMessageProblem(request: IncomingMessage): ApiResponse | undefined {
  const { headers } = request;
  const host = findHostProblem(request);
  if (host !== undefined) return createRefusal(400, host);
  if (headers['transfer-encoding'] !== undefined) return findCodingProblem(request, headers['transfer-encoding']);
  if (headers.expect !== undefined) return findExpectProblem(request, headers.expect);
  return undefined;
}

/** RFC 9112 section 3.2: HTTP/1.1 requires one, and no message may have two. */
function findHostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'the header field Host is missing';
  if (hasSecondHost(rawHeaders)) return 'there is more than one header field Host';
  if (host === lastGoodHost) return undefined;
  if (!HOST.test(host)) return 'the header field Host is not a host with an optional port';
  lastGoodHost = host;
  return undefined;
}

/** Characters of a host or an address in brackets, then a port (RFC 3986 section 3.2.2); an empty one is allowed. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** The clients of a mock usually all send the same host. */
let lastGoodHost = '';

/** Node keeps the first field and silently drops the others. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** Only the last coding can mark the end of a body, and in HTTP/1.0 none can (RFC 9112 sections 6.1 and 6.3). */
function findCodingProblem({ httpVersion }: IncomingMessage, field: string): ApiResponse | undefined {
  const codings = field
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  if (httpVersion === '1.0' || codings.at(-1) !== 'chunked') {
    const version = httpVersion === '1.0' ? ' in HTTP/1.0' : '';
    return createRefusal(400, `with Transfer-Encoding: ${field}${version}, the end of the body cannot be found`, {
      Connection: 'close',
    });
  }
  if (codings.length === 1) return undefined;
  return createRefusal(501, `the body is sent with Transfer-Encoding: ${field}; the mock reads only chunked`);
}

/** RFC 9110 section 10.1.1: expectations in HTTP/1.0 are ignored. */
function findExpectProblem({ httpVersion }: IncomingMessage, expect: string): ApiResponse | undefined {
  if (httpVersion === '1.0' || expect.toLowerCase() === '100-continue') return undefined;
  return createRefusal(417, `Expect is ${expect}; the mock only knows 100-continue`);
}
