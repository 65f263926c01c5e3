import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// Not the global, which tests may replace by a fake timer: the mock must still answer.
import { setTimeout } from 'node:timers';
import type { ApiResponse } from '../../contract/message.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { afterAnswers } from './end-of-turn.js';

export interface Unreadable {
  /** Whether pages of other origins may read the answer to a request that cannot be parsed. */
  cors: boolean;
  /** Called for each refusal, with the request if there is one. */
  tell: (refusal: ApiResponse, request?: IncomingMessage) => void;
}

/** The state of a connection. */
interface Connection extends Socket {
  /** The answer to the latest request; the answers to earlier ones leave first. */
  [LAST]?: ServerResponse;
  /** Further bytes are ignored. */
  [OVER]?: boolean;
}

const LAST = Symbol('the last response');
const OVER = Symbol('over');

/**
 * Serves requests with a listener, and answers what never becomes a request: bytes that Node cannot parse, and CONNECT.
 * Answers leave in the order of the requests (RFC 9112 section 9.3.2), so a refusal waits for earlier answers.
 */
export function answerInOrder(server: Server, listener: RequestListener, unreadable: Unreadable): void {
  const serve: RequestListener = (request, response) => {
    (request.socket as Connection)[LAST] = response;
    listener(request, response);
  };
  // Node takes its own listener away from a socket that it hands over (`connect`, `upgrade`, `clientError`), and an
  // error without a listener ends the process. So each connection has one from its first byte to its last.
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('request', serve);
  // Node would answer an unknown expectation without a body.
  server.on('checkExpectation', serve);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    end(socket, createErrorResponse(501, 'this is not a proxy, so it does not support CONNECT'), {
      ...unreadable,
      request,
    });
  });
  server.on('clientError', (error: ParserError, socket: Socket) => answerUnreadable(error, socket, unreadable));
}

interface ParserError extends NodeJS.ErrnoException {
  /** The parser's code. */
  reason?: string;
  /** The bytes that it was parsing. */
  rawPacket?: Buffer;
}

function answerUnreadable(error: ParserError, socket: Connection, unreadable: Unreadable): void {
  if (socket[OVER] === true) return;
  // The client disconnected, or never sent anything.
  if (error.code === 'ECONNRESET' || socket.bytesRead === 0) return void socket.destroy();
  socket[OVER] = true;
  const last = socket[LAST];
  const request = last?.req.complete === false ? last.req : undefined;
  // A request may be answered before it is complete; that answer leaves in this turn.
  afterAnswers(() => end(socket, explain(error), { ...unreadable, request }));
}

interface Ending extends Unreadable {
  /** The request that is refused, if there is one. */
  request?: IncomingMessage | undefined;
}

/** Sends a refusal after all pending answers, and nothing after it. */
function end(socket: Connection, refusal: ApiResponse, { cors, tell, request }: Ending): void {
  whenDue(socket[LAST], () => {
    // An answer that closed the connection was the last one (RFC 9112 section 9.6).
    if (!socket.writable) return;
    const answered = request !== undefined && socket[LAST]?.req === request && socket[LAST].headersSent;
    if (!answered) {
      tell(refusal, request);
      socket.write(format(refusal, cors));
    }
    close(socket);
  });
}

/** A failure within a request is the answer to that request, unless it already has one; otherwise it follows the last response. */
function whenDue(last: ServerResponse | undefined, then: () => void): void {
  // After an answer, Node detaches the socket, and closes it if the answer said so.
  if (last === undefined || last.destroyed || (last.writableFinished && last.socket === null)) return then();
  if (last.req.complete || last.headersSent) return void last.once('close', then);
  // A response gets the socket after the earlier responses have left.
  if (last.socket === null) last.once('socket', then);
  else then();
}

/** The time that a client has to read the answer and to close its side. */
const LINGER_MS = 2000;

/** Closing while more data arrives could destroy the answer before the client reads it (RFC 9112 section 9.6). */
function close(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function format({ status, body }: ApiResponse, cors: boolean): string {
  const text = body?.text ?? '';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    // The Origin field cannot be parsed either.
    ...(cors ? ['Access-Control-Allow-Origin: *'] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

const TLS_HANDSHAKE = 0x16;

/** The statuses are those that Node itself would answer with. */
function explain({ code, reason, rawPacket }: ParserError): ApiResponse {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return createErrorResponse(431, 'the target and the header fields together are longer than 16 KiB');
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return createErrorResponse(413, 'the extensions of a chunk are too long');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return createErrorResponse(408, 'the request took too long to arrive');
  if (code === 'HPE_INVALID_EOF_STATE') return createErrorResponse(400, 'the request ends before it is complete');
  if (code === 'HPE_PAUSED_H2_UPGRADE') return createErrorResponse(400, 'this is HTTP/2; the mock speaks HTTP/1.1');
  if (rawPacket?.[0] === TLS_HANDSHAKE) return createErrorResponse(400, 'this is TLS; use http:// instead of https://');
  return createErrorResponse(400, `this is not HTTP/1.1${reason === undefined ? '' : `: ${reason}`}`);
}
