import { STATUS_CODES } from 'node:http';
import { printJson } from '../../contract/document/json.js';
import { readPackageVersion } from '../../package-files.js';
import type { Exchange, RecordedMessage } from '../petstore-world.js';

/** A name with its value, as a HAR has header fields and parameters. */
interface Pair {
  name: string;
  value: string;
}

/** Exchanges as an HTTP Archive (HAR 1.2), as they are shown: without secrets, so without cookies. */
export function writeHar(exchanges: readonly Exchange[]): object {
  const creator = { name: 'petstore-mock', version: readPackageVersion() };
  return { log: { version: '1.2', creator, entries: exchanges.map(writeEntry) } };
}

function writeEntry(exchange: Exchange): object {
  const { time, duration, reason, status } = exchange;
  const comment = reason ?? (status === 0 ? 'a fault reset the connection' : undefined);
  return {
    startedDateTime: new Date(time).toISOString(),
    time: duration,
    request: writeRequest(exchange),
    response: writeResponse(exchange),
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(comment === undefined ? {} : { comment }),
  };
}

/** HAR has -1 for what is not known. */
const UNKNOWN = -1;

function writeRequest({ method, url, request }: Exchange): object {
  const { headers } = request;
  const text = textOf(request);
  const mimeType = headers['content-type'] ?? '';
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  return {
    method,
    url: `http://${headers['host'] ?? 'localhost'}${url}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    queryString: toPairs(query),
    headersSize: UNKNOWN,
    bodySize: sizeOf(request, text),
    ...(text === undefined ? {} : { postData: { mimeType, text } }),
  };
}

function writeResponse({ status, response }: Exchange): object {
  const { headers } = response;
  const text = textOf(response);
  const size = sizeOf(response, text);
  const mimeType = headers['content-type'] ?? '';
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    content: {
      size,
      mimeType,
      ...(text === undefined ? {} : { text }),
      ...(response.bodyOmitted ? { comment: 'too long to be stored' } : {}),
    },
    redirectURL: headers['location'] ?? '',
    headersSize: UNKNOWN,
    bodySize: size,
  };
}

function toPairs(entries: Iterable<[string, string]>): Pair[] {
  return [...entries].map(([name, value]) => ({ name, value }));
}

function textOf({ body }: RecordedMessage): string | undefined {
  return body === undefined || typeof body === 'string' ? body : printJson(body);
}

/** The length of what is shown. What was not kept has the length that its header says. */
function sizeOf({ headers, bodyOmitted }: RecordedMessage, text = ''): number {
  return bodyOmitted ? Number(headers['content-length'] ?? UNKNOWN) : Buffer.byteLength(text);
}
