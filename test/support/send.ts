import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import request from 'supertest';
import { findFaults, type Answer } from './contract-check.js';
import { AUTHORIZATION } from './test-world.js';

export interface Sent {
  /** `undefined` leaves a header out that is sent otherwise. */
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

/**
 * Sends `GET /v1/pets` to an app, with a valid key. An answer that breaks the
 * contract fails the test, whatever the test is about.
 */
export async function send(app: RequestListener, target: string, { headers, body }: Sent = {}): Promise<Answer> {
  const [method = '', path = ''] = target.split(' ');
  const media = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const all: Record<string, string | undefined> = { Authorization: AUTHORIZATION, ...media, ...headers };
  const asking = request(app)[method.toLowerCase() as Method](path).buffer(true).parse(collect);
  for (const [name, value] of Object.entries(all)) if (value !== undefined) void asking.set(name, value);
  // `serialize` would be asked what to do with a text that is JSON already.
  const { status, headers: received, body: text } = await asking.serialize((given) => given).send(body);
  const answer = {
    method,
    path: path.split('?')[0] ?? '',
    status,
    headers: received,
    text: typeof text === 'string' ? text : '',
  };
  expectSound(answer);
  return answer;
}

/** The status and, of a refusal, its message. */
export const tell = ({ status, text }: Answer): string =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { message: string }).message}`;

/** Throws what an answer breaks. */
export function expectSound(answer: Answer): void {
  const faults = findFaults(answer);
  if (faults.length > 0) throw new Error(`${answer.method} ${answer.path} ${answer.status}: ${faults.join('; ')}`);
}

type Stream = NodeJS.ReadableStream & { setEncoding(encoding: 'utf8'): void };

function collect(response: unknown, done: (error: Error | null, text: string) => void): void {
  const stream = response as Stream;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text += chunk)).on('end', () => done(null, text));
}

/**
 * Everything that a server sends on a connection until it closes it. The client closes its own side once the bytes are sent,
 * or keeps it open (`holds`) for a response that is not sent at once, or where the server is to give up waiting for more.
 */
export function sendRaw(port: number, bytes: string | Buffer, { holds = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => (holds ? socket.write(bytes) : socket.end(bytes)));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket
      .on('end', () => socket.end())
      .on('close', () => resolve(received))
      .on('error', reject);
  });
}
