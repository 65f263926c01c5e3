import { request as httpRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A request as it goes onto the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, sent as they stand. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
}

/** An answer, or why none came. */
export type WireAnswer = Answered | Unanswered;

export interface Answered {
  kind: 'answered';
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The content, decoded from its Content-Encoding. */
  bytes: Uint8Array;
  durationMs: number;
}

export type FailureReason =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'dropped'
  | 'no-http'
  | 'too-large'
  | 'bad-encoding'
  | 'incomplete'
  /** By whoever runs the run; it says nothing of the target. */
  | 'interrupted';

export interface Unanswered {
  kind: 'unanswered';
  reason: FailureReason;
  /** What happened, as a sentence without a full stop. */
  detail: string;
  durationMs: number;
}

export interface ClientOptions {
  /** The base URL. */
  target: URL;
  /** The most one exchange may take, in milliseconds. */
  timeoutMs: number;
  /** Certificates to trust beside the system's, PEM. */
  ca?: string | undefined;
  /** Gives up on whatever is under way. */
  signal?: AbortSignal | undefined;
}

export interface HttpClient {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

/** A page of 100 animals is far below this; a body that never ends must not fill the memory. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Sends one request at a time as it stands: no redirect is followed, no path is tidied, no answer is cached. */
export function createHttpClient(options: ClientOptions): HttpClient {
  const isTls = options.target.protocol === 'https:';
  const settings = { keepAlive: true, maxSockets: 64 };
  const trust = options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] };
  const agent = isTls ? new HttpsAgent({ ...settings, ...trust }) : new HttpAgent(settings);
  const start = isTls ? httpsRequest : httpRequest;
  return {
    send: (request) =>
      new Promise((resolve) => {
        const started = performance.now();
        const settle = (answer: Outcome): void => {
          clearTimeout(timer);
          options.signal?.removeEventListener('abort', interrupt);
          resolve({ ...answer, durationMs: performance.now() - started });
        };
        const outgoing = start(
          {
            hostname: options.target.hostname.replace(/^\[|\]$/g, ''),
            port: options.target.port,
            method: request.method,
            path: request.target,
            headers: request.headers,
            // A kept connection may be closed by the server just as it is used; what must not be sent twice gets a new one.
            agent: isIdempotent(request.method) ? agent : false,
            ...trust,
          },
          (incoming) => void receive(incoming).then(settle),
        );
        const interrupt = (): void => {
          settle(failed('interrupted', 'the run was interrupted'));
          outgoing.destroy();
        };
        const timer = setTimeout(() => {
          settle(failed('timeout', `no whole answer came within ${options.timeoutMs} ms`));
          outgoing.destroy();
        }, options.timeoutMs);
        options.signal?.addEventListener('abort', interrupt, { once: true });
        if (options.signal?.aborted === true) interrupt();
        outgoing.on('error', (error) => settle(explain(error, isTls)));
        outgoing.end(request.body);
      }),
    close: () => agent.destroy(),
  };
}

/** RFC 9110 section 9.2.2. */
export function isIdempotent(method: string): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

type Outcome = Omit<Answered, 'durationMs'> | Omit<Unanswered, 'durationMs'>;

function receive(incoming: IncomingMessage): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) return void chunks.push(chunk);
      resolve(failed('too-large', `the body is longer than ${MAX_BODY_BYTES} bytes`));
      incoming.destroy();
    });
    incoming.on('end', () => resolve(decode(incoming, Buffer.concat(chunks))));
    incoming.on('error', () => resolve(failed('incomplete', 'the connection ended before the body was whole')));
    incoming.on('aborted', () => resolve(failed('incomplete', 'the connection ended before the body was whole')));
  });
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: MAX_BODY_BYTES }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MAX_BODY_BYTES }),
  identity: (bytes) => bytes,
};

function decode(incoming: IncomingMessage, raw: Buffer): Outcome {
  const headers = joinHeaders(incoming);
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) return failed('bad-encoding', `Content-Encoding is ${coding}, which was not asked for`);
  try {
    const bytes = raw.length === 0 ? raw : decoder(raw);
    return { kind: 'answered', status: incoming.statusCode ?? 0, headers, bytes };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge
      ? failed('too-large', `the body unpacks to more than ${MAX_BODY_BYTES} bytes`)
      : failed('bad-encoding', `the body is not the ${coding} that Content-Encoding says`);
  }
}

function joinHeaders(incoming: IncomingMessage): Record<string, string> {
  const entries = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function failed(reason: FailureReason, detail: string): Omit<Unanswered, 'durationMs'> {
  return { kind: 'unanswered', reason, detail };
}

const SOCKET_ERRORS: Readonly<Record<string, [FailureReason, string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there'],
  ENOTFOUND: ['dns', 'the host name is not known'],
  EAI_AGAIN: ['dns', 'the host name could not be looked up'],
  EHOSTUNREACH: ['refused', 'the host cannot be reached'],
  ENETUNREACH: ['refused', 'the network cannot be reached'],
  ETIMEDOUT: ['refused', 'the host did not take the connection'],
  ECONNRESET: ['dropped', 'the connection was dropped before an answer came'],
  EPIPE: ['dropped', 'the connection was dropped while the request was sent'],
};

function explain(error: NodeJS.ErrnoException, isTls: boolean): Outcome {
  const code = error.code ?? '';
  const known = SOCKET_ERRORS[code];
  if (known !== undefined) return failed(...known);
  if (code.startsWith('HPE_')) return failed('no-http', `what came is no HTTP/1.1 (${code})`);
  const what = code === '' ? error.message : code;
  return isTls
    ? failed('tls', `the connection could not be secured (${what})`)
    : failed('dropped', `the connection failed (${what})`);
}
