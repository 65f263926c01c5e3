import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isJsonMediaType } from '../../contract/media-types.js';
import { isReading, TRAILER, isRepeatable } from '../model/exchange.js';
import type { Answered, Unanswered, WireAnswer, WireRequest, FailureReason, MessageForm } from '../model/exchange.js';
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions } from 'node:https';
import { checkServerIdentity, rootCertificates } from 'node:tls';
import type { ConformanceOptions, TlsOptions } from '../model/options.js';

type ClientOptions = { target: URL; timeoutMs: number; route?: Route | undefined; signal?: AbortSignal | undefined };

export type HttpClient = { send: (request: WireRequest) => Promise<WireAnswer>; close(): void };

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Sends each request unchanged: it follows no redirects, normalises no paths and caches no answers. */
export function createHttpClient({ target, timeoutMs, signal, route = openRoute(target) }: ClientOptions): HttpClient {
  const { proxy } = route;
  let last: Promise<void> = Promise.resolve();
  const takeTurn = () => {
    const before = last;
    let leave = (): void => {};
    last = new Promise((resolve) => (leave = resolve));
    return before.then(() => leave);
  };
  const send = (request: WireRequest, resolve: (answer: WireAnswer) => void): void => {
    const startedAt = new Date().toISOString();
    const started = performance.now();
    let isOver = false;
    const settle = (answer: Outcome): void => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(ending);
      signal?.removeEventListener('abort', stop);
      resolve({ ...answer, startedAt, durationMs: performance.now() - started });
    };
    const giveUp = (answer: Outcome): void => {
      settle(answer);
      outgoing.destroy();
    };
    const outgoing = route.start(request, (incoming) => {
      void receive(incoming, readInTurn).then((answer) => {
        // Only a proxy answers 407 (RFC 9110 section 15.5.8).
        const isByProxy = answer.kind === 'answered' && answer.status === 407;
        settle(proxy !== undefined && isByProxy ? describeRefusal(407, proxy) : answer);
      });
    });
    const readInTurn: ReadInTurn = async () => {
      clearTimeout(timer);
      const leave = await takeTurn();
      if (!isOver) timer = startTimer();
      return leave;
    };
    const interrupt = (): void =>
      giveUp(failed('interrupted', typeof signal?.reason === 'string' ? signal.reason : 'the run was interrupted'));
    let ending: NodeJS.Timeout | undefined;
    const stop = (): void => void (ending = setTimeout(interrupt, isReading(request) ? 0 : 500));
    const late = failed('timeout', `request timeout: no complete response within ${timeoutMs} ms`);
    const startTimer = (): NodeJS.Timeout => setTimeout(() => giveUp(late), timeoutMs);
    let timer = startTimer();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) interrupt();
    let isTunnelled = false;
    outgoing.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      if (statusCode === 200) isTunnelled = true;
      else giveUp(describeRefusal(statusCode, proxy ?? ''));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isOfProxy = !isTunnelled && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
      if (proxy === undefined || !isOfProxy) return settle(explainFailure(error, target.protocol === 'https:'));
      const { detail } = explainFailure(error, proxy.startsWith('https:'));
      settle(failed('proxy', `the proxy ${proxy} cannot be used: ${detail}`));
    });
    sendBody(outgoing, request);
  };
  return { send: (request) => new Promise((resolve) => send(request, resolve)), close: () => route.close() };
}

const PAUSE_BETWEEN_WRITES_MS = 15;

function sendBody(outgoing: ClientRequest, { body, cutAt, form }: WireRequest): void {
  const writeHead = form === undefined ? undefined : HEADS[form];
  if (writeHead !== undefined) outgoing.once('socket', (socket) => replaceHead(socket, writeHead));
  if (form === 'trailer') outgoing.addTrailers({ [TRAILER]: '1' });
  if (form === 'expect') {
    const go = (): void => {
      clearTimeout(timer);
      if (!outgoing.writableEnded) outgoing.end(body);
    };
    const timer = setTimeout(go, 1000);
    for (const event of ['continue', 'response', 'close']) outgoing.once(event, go);
  }
  if (body === undefined || cutAt === undefined) return void outgoing.end(body);
  outgoing.write(body.subarray(0, cutAt), () => actOnceRead(() => outgoing.end(body.subarray(cutAt))));
}

/** The head that is written instead, or its two packets. */
const HEADS: { readonly [Form in MessageForm]?: (head: string) => string | readonly string[] } = {
  headInPieces: (head) => [head.slice(0, head.length / 2), head.slice(head.length / 2)],
  // Node.js reads no tab behind a length.
  otherSpaces: (head) => head.replace(/^(?!Content-Length)([\w-]+): (.*)(?=\r$)/gm, '$1:$2 \t'),
  chunkExtension: (head) => head.replace(/(?<=\r\n\r\n)[\da-f]+$/, (size) => `00${size.toUpperCase()};x-no-such="a;b"`),
};

function replaceHead(socket: Socket, rewrite: (head: string) => string | readonly string[]): void {
  const write = socket.write.bind(socket);
  socket.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    socket.write = write;
    const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
    const [first = '', second] = [rewrite(Buffer.from(chunk as string, 'latin1').toString('latin1'))].flat();
    if (second === undefined) return write(first, 'latin1', done);
    return write(first, 'latin1', () => actOnceRead(() => write(second, 'latin1', done)));
  };
}

/** A reader in the same process takes a turn of the event loop to accept a connection, and another to read from it. */
const TURNS_TO_READ = 4;

/** Both are needed: a late timer fires before anything is read. */
function actOnceRead(act: () => void): void {
  const wait = (turns: number): unknown => (turns === 0 ? act() : setImmediate(() => wait(turns - 1)));
  setTimeout(() => wait(TURNS_TO_READ), PAUSE_BETWEEN_WRITES_MS);
}

function describeRefusal(status: number, proxy: string): Outcome {
  const why = status === 407 ? 'it requires credentials, or rejects those in its URL' : 'it does not connect';
  return failed('proxy', `the proxy ${proxy} returns ${status}: ${why}; NO_PROXY lists the hosts to reach without it`);
}

type Outcome = Omit<Answered, 'durationMs'> | Failure;
type ReadInTurn = () => Promise<() => void>;

/** Longer bodies are read one at a time: each is checked and released before the next one is read. */
const LONG_BODY_BYTES = 256 * 1024;

function receive(incoming: IncomingMessage, readInTurn: ReadInTurn): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isLong = false;
    const waitForTurn = async (): Promise<void> => {
      isLong = true;
      incoming.pause();
      const leave = await readInTurn();
      if (incoming.destroyed) return leave();
      // Whoever waits for the answer handles it in the turn of the event loop in which it is complete.
      incoming.once('close', () => setImmediate(leave));
      incoming.resume();
    };
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        if (length > LONG_BODY_BYTES && !isLong) void waitForTurn();
        return;
      }
      resolve(failed('too-large', `the body is longer than ${MAX_BODY_BYTES} bytes`));
      incoming.destroy();
    });
    incoming.on('end', () => resolve(decode(incoming, Buffer.concat(chunks))));
    const useWhatCame = (): void => {
      const answer = decode(incoming, Buffer.concat(chunks));
      const cutOff = 'the connection ended before the body was complete';
      resolve(answer.kind === 'answered' ? { ...answer, cutOff } : failed('incomplete', cutOff));
    };
    incoming.on('error', useWhatCame);
    incoming.on('aborted', useWhatCame);
  });
}

const LIMITED = { maxOutputLength: MAX_BODY_BYTES };

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMITED),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMITED),
  deflate: (bytes) => inflateSync(bytes, LIMITED),
  br: (bytes) => brotliDecompressSync(bytes, LIMITED),
  identity: (bytes) => bytes,
};

function decode(incoming: IncomingMessage, raw: Buffer): Outcome {
  const fields = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
  const headers = Object.fromEntries(fields) as Record<string, string>;
  // An empty list of codings is valid (RFC 9110 section 5.6.1.2).
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) return failed('bad-encoding', `Content-Encoding is ${coding}, which was not requested`);
  try {
    const bytes = raw.length === 0 ? raw : decoder(raw);
    const isBare = coding === 'identity' && isJsonMediaType(headers['content-type'] ?? 'application/json');
    const unpacked = isBare ? unpack(bytes) : undefined;
    const content = unpacked === undefined ? { bytes } : { bytes: unpacked, unlabelled: 'gzip' };
    return { kind: 'answered', status: incoming.statusCode ?? 0, headers, ...content };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge
      ? failed('too-large', `the body unpacks to more than ${MAX_BODY_BYTES} bytes`)
      : failed('bad-encoding', `the body is not the ${coding} that Content-Encoding says`);
  }
}

/** What gzip holds (RFC 1952 section 2.3.1), which no JSON begins like; `undefined` if it is none, or too much. */
function unpack(bytes: Buffer): Buffer | undefined {
  try {
    return bytes.subarray(0, 3).equals(GZIP) ? gunzipSync(bytes, LIMITED) : undefined;
  } catch {
    return undefined;
  }
}

const GZIP = Buffer.from([0x1f, 0x8b, 8]);

const SOCKET_ERRORS: Readonly<Record<string, [FailureReason, string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there'],
  ENOTFOUND: ['dns', 'the host name is unknown'],
  EAI_AGAIN: ['dns', 'the host name could not be looked up'],
  EHOSTUNREACH: ['refused', 'the host cannot be reached'],
  ENETUNREACH: ['refused', 'the network cannot be reached'],
  ETIMEDOUT: ['refused', 'the host did not accept the connection'],
  ECONNRESET: ['dropped', 'the connection was closed before a response came'],
  EPIPE: ['dropped', 'the connection was dropped while the request was sent'],
};

const TLS_ERRORS: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|^CERT_SIGNATURE_FAILURE$/,
    'its certificate is not from an authority trusted here; give the authority with --ca',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host name'],
  [
    /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA)$/,
    'it requires a client certificate; give one with --cert and --cert-key',
  ],
  [
    /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/,
    'what listens there does not speak TLS (should the URL begin with http://?)',
  ],
];

type Failure = Omit<Unanswered, 'durationMs'>;

const failed = (reason: FailureReason, detail: string): Failure => ({ kind: 'unanswered', reason, detail });

function explainFailure(error: NodeJS.ErrnoException, isTls: boolean): Failure {
  const code = error.code ?? '';
  const known = SOCKET_ERRORS[code];
  if (known !== undefined) return failed(...known);
  if (code.startsWith('HPE_')) return failed('no-http', `Node.js cannot read what came as HTTP/1.1 (${code})`);
  const what = `(${code === '' ? error.message : code})`;
  if (!isTls) return failed('dropped', `the connection failed ${what}`);
  const [, advice] = TLS_ERRORS.find(([codes]) => codes.test(code)) ?? [];
  return failed('tls', `the connection could not be secured${advice === undefined ? '' : `: ${advice}`} ${what}`);
}

export interface Route {
  start(request: WireRequest, onAnswer: (answer: IncomingMessage) => void): ClientRequest;
  proxy: string | undefined;
  close(): void;
}

const KEPT = { keepAlive: true, maxSockets: 64 };
const MAX_HEADER_BYTES = 64 * 1024;

type RouteOptions = Pick<ConformanceOptions, 'tls' | 'freshConnections'>;

export function openRoute(target: URL, { tls = {}, freshConnections = false }: RouteOptions = {}): Route {
  const security = target.protocol === 'https:' ? toNode(tls) : {};
  // In absolute form, with its origin; a proxy wants that anyway, or sees none of it.
  const write = (request: WireRequest): WireRequest =>
    request.form === 'absolute' ? { ...request, target: `${target.origin}${request.target}` } : request;
  return openPool(target, { freshConnections, security, kept: openAgent(target, security), write });
}

/** A tunnel to a target with TLS, otherwise requests with the complete URL (RFC 9110 sections 7.6 and 9.3.6). */
export async function openProxiedRoute(target: URL, proxy: URL, options: RouteOptions = {}): Promise<Route> {
  const { tls = {}, freshConnections = false } = options;
  const own = { freshConnections, proxy: proxy.origin };
  if (target.protocol !== 'https:') {
    const { username, password } = proxy;
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    // RFC 7617.
    const credentials = username === '' && password === '' ? {} : { 'Proxy-Authorization': `Basic ${pair}` };
    const write = (request: WireRequest): WireRequest => {
      const headers = { Host: target.host, ...credentials, ...request.headers };
      return { ...request, headers, target: `${target.origin}${request.target}` };
    };
    return openPool(proxy, { ...own, kept: openAgent(proxy), write });
  }
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const [kept, single] = [new HttpsProxyAgent(proxy, KEPT), new HttpsProxyAgent(proxy)];
  const security = {
    ...toNode(tls),
    // Within a tunnel, the intended host is no longer known if its name is an address.
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(hostOf(target), certificate),
  };
  return openPool(target, { ...own, security, kept, single });
}

function openAgent(to: URL, security: AgentOptions = {}): HttpAgent {
  return to.protocol === 'https:' ? new HttpsAgent({ ...KEPT, ...security }) : new HttpAgent(KEPT);
}

interface Pool {
  freshConnections: boolean;
  kept: HttpAgent;
  single?: HttpAgent; // Default: a connection that no agent has.
  security?: AgentOptions;
  proxy?: string;
  write?: (request: WireRequest) => WireRequest;
}

function openPool(to: URL, { freshConnections, kept, single, security, proxy, write = (each) => each }: Pool): Route {
  const start = to.protocol === 'https:' ? httpsRequest : httpRequest;
  return {
    start(request, onAnswer) {
      // An idle connection may close as it is reused, so what must not be sent twice gets a new one; see RFC 9112 section 9.6.
      const isClosing = String(request.headers['Connection']).toLowerCase() === 'close';
      const isOnce = freshConnections || request.alone === true || request.form === 'headInPieces' || isClosing;
      const agent = !isOnce && isRepeatable(request) ? kept : (single ?? false);
      const { method, target: path, headers } = write(request);
      const written = { method, path, headers: headers as OutgoingHttpHeaders, maxHeaderSize: MAX_HEADER_BYTES };
      return start({ hostname: hostOf(to), port: to.port, ...written, agent, ...security }, onAnswer);
    },
    proxy,
    close: () => [kept, single].forEach((agent) => agent?.destroy()),
  };
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function toNode({ ca, clientCertificate, insecure }: TlsOptions): AgentOptions {
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...clientCertificate,
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
