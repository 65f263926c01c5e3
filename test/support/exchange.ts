import { Agent, request, type IncomingMessage } from 'node:http';
import type { Answer } from './contract-check.js';
import { expectSound } from './send.js';
import { AUTHORIZATION } from './test-world.js';

export interface Asked {
  method: string;
  /** As it is written on the wire. */
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** By when no response counts as none, however busy the machine is. */
const TIMEOUT_MS = 120_000;
const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/** Asks a listening server. Throws when it does not answer in time, and when the answer breaks the contract. */
export async function exchange(port: number, asked: Asked): Promise<Answer> {
  const { method, target } = asked;
  const { response, text } = await ask(port, asked);
  const path = target.split('?')[0] ?? '';
  const answer = { method, path, status: response.statusCode ?? 0, headers: response.headers, text };
  expectSound(answer);
  return answer;
}

function ask(
  port: number,
  { method, target, headers, body }: Asked,
): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const all = { Authorization: AUTHORIZATION, ...length, ...headers };
    const sent = request({ port, host: '127.0.0.1', agent, method, path: target, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve({ response, text }));
    });
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer to ${method} ${target} in ${TIMEOUT_MS} ms`)));
    sent.on('error', reject).end(body);
  });
}
